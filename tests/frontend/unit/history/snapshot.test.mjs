// Tests the picture that the page makes of a finished match. It shows the players, the site and the
// winner.
import assert from "node:assert/strict";
import { test } from "node:test";

import { drawing, xml } from "../../../../frontend-static/history/snapshot-svg.js";

const flag = { shape: "fess", ground: 0, charge: 1 };
const seat = (name, colour, more = {}) => ({ name, colour, shape: colour, flag, alive: true, ...more });
const still = {
  title: "Tic-tac-toe 7",
  site: "play.example.org",
  position: "step 27 of 27 · block 1127",
  status: "finished",
  turnText: "Gull won after 5 moves",
  sentences: [{ text: "Gull won", tone: "loud" }],
  seats: [
    seat("Gull", 0, { wins: true }),
    seat("Ibis", 1, { note: "1 of 2 cubes left · 0.0000000000000000000012 ETH withdrawn" }),
  ],
};
const layout = (width) => ({ drawing: () => ({ trees: [], width, height: 300 }) });
const drawn = (more = {}, width = 400) => drawing({ ...still, ...more }, layout(width));
const texts = (tree) => xml(tree).match(/(?<=<(?:text|tspan)[^>]*>)[^<]+/g);
/**
 * A player's note as the picture shows it: in smaller letters than the name, and cut off at the
 * picture's edge.
 */
const NOTE = "· 1 of 2 cubes left · 0.0000000000000…";

test("the picture shows the logo, the site's address, the players and the result, but no numbers from the chain", () => {
  assert.deepEqual(texts(drawn()), [
    "Tic-tac-toe 7",
    "play.example.org",
    "Gull",
    "Ibis",
    NOTE,
    "Gull won after 5 moves",
  ]);
  assert.match(xml(drawn()), /<rect stroke="var\(--ink\)"/);
});

test("a running match shows whose turn it is and the last action", () => {
  const more = { status: "playing", turnText: "Ibis is thinking", sentences: [{ text: "Gull set X", tone: "" }] };
  assert.deepEqual(texts(drawn(more)).slice(-2), ["Ibis is thinking", "Gull set X"]);
});

test("a narrow board has no space for the address", () => {
  assert.ok(!texts(drawn({}, 180)).includes("play.example.org"));
});
