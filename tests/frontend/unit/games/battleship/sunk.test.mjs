// Tests sunk ships: the ships that the answers prove to be sunk, the facts that the answers leave
// open, and the texts that each player sees.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";

import { describe, picture, seats, turnNote } from "../../../../../frontend-static/games/battleship/renderer.js";
import {
  POSITIONS,
  TILES,
  WIDTH,
  randomFleet,
  tilesOf,
} from "../../../../../frontend-static/games/battleship/fleet/fleet.js";
import { sealFleet } from "../../../../../frontend-static/games/battleship/fleet/storage.js";
import { sunkBy, sunkOf } from "../../../../../frontend-static/games/battleship/fleet/sunk.js";
import { gameTexts } from "../../../node/texts.mjs";
import { storageOf, useGlobals } from "../../../node/globals.mjs";

useGlobals({ localStorage: storageOf(new Map()) });
await gameTexts("battleship");

/** Return pairs of a tile and its answer, as drawn in `rows`: `#` is a hit and `o` is a miss. */
const drawn = (rows) =>
  rows.flatMap((row, y) =>
    [...row].flatMap((sign, x) => (sign === "." ? [] : [[y * WIDTH + x, sign === "#" ? "hit" : "miss"]])),
  );
const positionOf = ({ tile, down }) => `${down ? "V" : "H"}${tile}`;
const summary = ({ ships, names, minimum }) => [ships.map(positionOf).sort(), names.toSorted(), minimum];

const CASES = [
  ["nothing was fired", [], [[], [], 0]],
  ["only water", ["o.o"], [[], [], 0]],
  ["two hits without water around", ["##."], [[], [], 0]],
  ["two hits in a corner with water around", ["##o", "oo."], [["H0"], ["P"], 1]],
  ["two hits at the lower edge", [...Array(9).fill(""), ".......oo", "......o##"], [["H97"], ["P"], 1]],
  ["two hits, water at both ends only: two ships may cross the line", ["", "..o##o"], [[], [], 0]],
  ["three hits with water around: submarine or destroyer", ["###o", "ooo."], [["H0"], ["3"], 1]],
  ["both ships of three", ["###o###o", "ooo.ooo."], [["H0", "H4"], ["3", "3"], 2]],
  ["three in a row may be parts of three ships", ["", "..o###o"], [[], [], 0]],
  ["three in a row, of which one may cross: 2 or 3 tiles", ["..o", "..#", ".o#o", ".o#o", "..o"], [[], [], 1]],
  ["five hits and water around: the carrier, or 2 and 3", ["#####o", "ooooo"], [[], [], 1]],
  ["ships of 2 and 2 do not exist", ["##o##o", "oo.oo."], [[], [], 0]],
  ["ships of 4 and 2 that touch", ["####o", "##oo", "oo"], [["H0", "H9"], ["B", "P"], 2]],
  ["two ships of 3 that touch may be parts of three", ["", "..o###o", "..o###o"], [[], [], 0]],
  ["answers that fit no fleet", ["#o", "o"], [[], [], 0]],
];
for (const [name, rows, expected] of CASES)
  test(`the answers prove the right ships: ${name}`, () => assert.deepEqual(summary(sunkBy(drawn(rows))), expected));

/**
 * Return a function that generates pseudorandom numbers from the seed (mulberry32). The numbers are
 * at least 0 and below 1.
 */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
const dice = (seed) => {
  const random = randomOf(seed);
  return (below) => Math.floor(random() * below);
};
const beside = (tile) =>
  [tile % WIDTH ? tile - 1 : -1, tile % WIDTH < WIDTH - 1 ? tile + 1 : -1, tile - WIDTH, tile + WIDTH].filter(
    (one) => one >= 0 && one < TILES,
  );

/**
 * Return the answers in a whole match. If `hunts` is true, the player prefers tiles next to hits.
 */
function game(fleet, draw, hunts) {
  const afloat = new Set(fleet.flatMap(tilesOf));
  const answers = new Map();
  while (afloat.size) {
    const open = Array.from({ length: TILES }, (_, tile) => tile).filter((tile) => !answers.has(tile));
    const near = !hunts ? [] : open.filter((tile) => beside(tile).some((one) => answers.get(one) === "hit"));
    const targets = near.length ? near : open;
    const tile = targets[draw(targets.length)];
    answers.set(tile, afloat.delete(tile) ? "hit" : "miss");
  }
  return [...answers];
}

/** Throw if the answers seem to prove something that isn't true for the fleet. */
function assertTrue(fleet, answers) {
  const proved = sunkBy(answers);
  const real = sunkOf(
    fleet,
    answers.filter(([, answer]) => answer === "hit").map(([tile]) => tile),
  );
  const where = JSON.stringify({ fleet, answers });
  assert.ok(proved.minimum <= real.minimum, where);
  const positions = real.ships.map(positionOf);
  for (const ship of proved.ships) {
    const at = positions.indexOf(positionOf(ship));
    assert.ok(at >= 0 && tilesOf(real.ships[at]).length === tilesOf(ship).length, where);
  }
  const names = real.names.map((name) => ("SD".includes(name) ? "3" : name));
  for (const name of proved.names) {
    assert.ok(names.includes(name), where);
    names.splice(names.indexOf(name), 1);
  }
  return proved.minimum;
}

test("after each shot by hunters, everything that is proved is true, and most sunk ships are known", () => {
  let least = 0;
  const games = 150;
  for (let seed = 1; seed <= games; seed++) {
    const draw = dice(seed);
    const fleet = randomFleet(draw);
    const answers = game(fleet, draw, true);
    for (let n = 1; n < answers.length; n++) assertTrue(fleet, answers.slice(0, n));
    least += sunkBy(answers.slice(0, -4)).minimum;
    assert.equal(sunkBy(answers).minimum, 5);
  }
  assert.ok(least / games >= 2.5, String(least / games));
});

test("for thousands of fleets and any order of shots, everything that is proved is true", () => {
  for (let seed = 1; seed <= 2000; seed++) {
    const draw = dice(-seed);
    const fleet = randomFleet(draw);
    const answers = game(fleet, draw, false);
    for (let i = 0; i < 2; i++) assertTrue(fleet, answers.slice(0, 1 + draw(answers.length)));
  }
});

/**
 * Try every fleet, and return the statements that are true for all fleets that match the answers.
 */
function byLayingAll(answers) {
  const known = new Map(answers);
  const hits = answers.filter(([, answer]) => answer === "hit").map(([tile]) => tile);
  const choices = POSITIONS.map((ships) =>
    ships.filter((ship) => tilesOf(ship).every((tile) => known.get(tile) !== "miss")),
  );
  const found = { minimum: 5, names: null, ships: null };
  const lay = (ships, taken) => {
    if (ships.length < 5) {
      for (const ship of choices[ships.length])
        if (!tilesOf(ship).some((tile) => taken.includes(tile))) lay([...ships, ship], [...taken, ...tilesOf(ship)]);
      return;
    }
    if (!hits.every((tile) => taken.includes(tile))) return;
    const sunk = ships.filter((ship) => tilesOf(ship).every((tile) => hits.includes(tile)));
    const names = sunk.map(({ letter }) => ("SD".includes(letter) ? "3" : letter));
    const positions = sunk.map((ship) => positionOf(ship) + tilesOf(ship).length);
    const count = (all, name) => all.filter((one) => one === name).length;
    found.minimum = Math.min(found.minimum, sunk.length);
    found.ships = found.ships?.filter((one) => positions.includes(one)) ?? positions;
    found.names = (found.names ?? names).filter(
      (name, i, all) => count(all.slice(0, i), name) < Math.min(count(all, name), count(names, name)),
    );
  };
  lay([], []);
  return [found.ships.sort(), found.names.sort(), found.minimum];
}

test("with few tiles left, everything that can be proved is found", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const draw = dice(seed);
    const fleet = randomFleet(draw);
    const answers = new Map(game(fleet, draw, false));
    for (let tile = 0; tile < TILES; tile++) if (!answers.has(tile)) answers.set(tile, "miss");
    const tiles = fleet.flatMap(tilesOf);
    for (let i = 0; i < 6; i++) answers.delete(tiles[draw(tiles.length)]);
    for (let i = 0; i < 12; i++) answers.delete(draw(TILES));
    const { ships, names, minimum } = sunkBy([...answers]);
    const positions = ships.map((ship) => positionOf(ship) + tilesOf(ship).length);
    assert.deepEqual([positions.sort(), names.toSorted(), minimum], byLayingAll([...answers]));
  }
});

// ---- tests of what the players see

const ANN = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"; // the page calls this address Able Dotterel
const BOB = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"; // the page calls this address Lucid Dunlin
const EVE = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const SHIPS = "PH0 SH4 DH18 BH27 CH36";
let commitment = "";
before(() => {
  commitment = sealFleet(SHIPS, ANN, { reveal: true });
});

/**
 * Return a view after Ann has answered these shots by Bob. Her answer to the last shot is the
 * latest event.
 */
function view(answers, more = {}, board = {}) {
  const [tile, answer] = answers.at(-1);
  return {
    match: "battleship/1",
    board: {
      status: "playing",
      phase: "shots",
      ply: 9,
      mover: BOB,
      creator: ANN,
      players: { [ANN]: { seat: 0, shots: {} }, [BOB]: { seat: 1, shots: Object.fromEntries(answers) } },
      fleets: { [ANN]: { commitment }, [BOB]: { commitment: `0x${"b".repeat(64)}` } },
      ...board,
    },
    me: BOB,
    draft: { state: {}, change: () => undefined },
    pending: [],
    events: [{ seq: 7, name: "Answered", args: { ply: 9, by: ANN, tile, hit: answer === "hit" } }],
    seq: 8,
    ...more,
  };
}
const PATROL = [
  [2, "miss"],
  [9, "miss"],
  [10, "miss"],
  [0, "hit"],
  [1, "hit"],
];
const outlines = (seen) =>
  picture(seen).parts.map(({ lines }) => lines.filter(({ kind }) => kind === "sunk").map(({ from, to }) => [from, to]));

test("both players and onlookers see the answer that sinks a ship", () => {
  assert.equal(turnNote(view(PATROL)), "Sunk! Their patrol boat is gone.");
  assert.equal(turnNote(view(PATROL, { me: ANN })), "Your patrol boat is sunk.");
  assert.equal(turnNote(view(PATROL, { me: EVE })), "Sunk! Able Dotterel’s patrol boat is gone.");
  assert.equal(turnNote(view(PATROL, { me: "", viewAs: BOB })), "Sunk! Their patrol boat is gone.");
  assert.deepEqual(outlines(view(PATROL)), [[], [[0, 1]]]);
  assert.deepEqual(outlines(view(PATROL, { me: ANN })), [[[0, 1]], []]);
  assert.equal(describe(view(PATROL), 99), "A1, Able Dotterel’s sea: hit, sunk");
});

test("the next answer and the end of the shooting remove the note", () => {
  assert.equal(turnNote(view([...PATROL, [98, "miss"]])), "");
  assert.equal(turnNote(view(PATROL, {}, { phase: "reveals" })), "");
  assert.equal(turnNote(view(PATROL, { seq: 6 })), "", "the view is in the past, before the answer");
});

test("the owner sees that a ship is sunk before the last shot is answered", () => {
  const pending = { by: BOB, tile: 1 };
  const seen = view(PATROL.slice(0, -1), { me: ANN }, { pending, mover: ANN });
  assert.equal(turnNote(seen), "Your patrol boat is sunk.");
  assert.deepEqual(outlines(seen), [[[0, 1]], []]);
  assert.equal(turnNote({ ...seen, me: BOB }), "");
});

test("a miss can prove a ship sunk; if its place is uncertain, only the number is shown", () => {
  const later = [...PATROL.slice(1), PATROL[0]];
  assert.equal(turnNote(view(later)), "Their patrol boat is gone.");
  const five = drawn(["ooooo", "####.o", "ooooo"]).concat([[13, "hit"]]);
  assert.equal(
    turnNote(view(five)),
    "Sunk! At least one of their ships is gone.",
    "the hits fit the carrier, or ships of 2 and 3",
  );
  const submarine = drawn(["....o..o.", "....ooo"]).concat([3, 7].map((tile) => [tile, "miss"]));
  const hits = [4, 5, 6].map((tile) => [tile, "hit"]);
  assert.equal(turnNote(view([...submarine, ...hits])), "Sunk! Their 3-square ship is gone.");
  assert.equal(turnNote(view([...submarine, ...hits], { me: ANN })), "Your submarine is sunk.");
});

test("a plate shows how many ships are left, with the exact number once the fleet is revealed", () => {
  const note = (...given) => seats(view(...given).board)[0].note;
  assert.equal(note([[98, "miss"]]), "17/17 left");
  assert.equal(note(PATROL), "15 left, 1+ sunk");
  assert.equal(note(PATROL, {}, { fleets: { [ANN]: { ships: SHIPS } } }), "15 left, 1 sunk");
});

for (const language of ["en", "fr", "zh"])
  test(`a plate has space for the number of ships that are left: ${language}`, () => {
    const file = `../../../../../frontend-static/games/battleship/messages/${language}.json`;
    const texts = JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
    for (const key of ["left", "left-sunk"]) {
      const text = texts[`battleship.seat.${key}`];
      const filled = text.replace("{left}", "14").replace("{all}", "17").replace("{n}", "2+");
      assert.ok(filled.length <= 20 && !filled.includes("{"), filled);
    }
  });
