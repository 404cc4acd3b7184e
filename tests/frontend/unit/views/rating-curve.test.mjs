// Tests the curve of a player's ratings: the numbers, the description for screen readers, and
// ratings from few opponents.
import assert from "node:assert/strict";
import { test } from "node:test";

import { languages } from "../../../../frontend-static/i18n/tables.js";
import { t } from "../../../../frontend-static/i18n/translate.js";
import "../../node/texts.mjs";
import { ratingCurve } from "../../../../frontend-static/views/players/curve.js";
import { curveOf, nearest, ticksAround } from "../../../../frontend-static/views/players/curve-points.js";
import { ratingText } from "../../../../frontend-static/views/parts/labels.js";

const BOB = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

test("the numbers at the side of a curve are round, few, and enclose the curve", () => {
  assert.deepEqual(ticksAround(1500, 1516), [1520, 1510, 1500]);
  assert.deepEqual(ticksAround(1500, 1500), [1510, 1500]);
  assert.deepEqual(ticksAround(1484.5, 1516), [1520, 1500, 1480]);
  for (let low = 900; low < 1500; low += 37)
    for (const width of [0, 3, 16, 90, 400, 1400, 9000]) {
      const ticks = ticksAround(low, low + width);
      assert.ok(ticks.length >= 2 && (ticks.length <= 4 || width === 9000), `${low} + ${width}: ${ticks}`);
      assert.ok(ticks[0] >= low + width && ticks[ticks.length - 1] <= low, `${low} + ${width}: ${ticks}`);
    }
});

test("a curve begins with the first rating and has a point for each match", () => {
  const { points, line, ticks } = curveOf([1516, 1500, 1520], true);
  assert.deepEqual(
    line.map(({ x }) => x),
    [0, 1 / 3, 2 / 3, 1],
  );
  assert.deepEqual(
    line.map(({ y }) => y.toFixed(2)),
    ["1.00", "0.20", "1.00", "0.00"],
  );
  assert.deepEqual(points, line.slice(1));
  assert.deepEqual(
    [ticks[0], ticks[2]],
    [
      { rating: 1520, y: 0 },
      { rating: 1500, y: 1 },
    ],
  );
});

test("if earlier matches are left out, a curve begins with the first match in the list", () => {
  const { points, line } = curveOf([1700, 1710], false);
  assert.deepEqual(points, line);
  assert.equal(line.length, 2);
  assert.deepEqual(curveOf([1700], false).line, [{ x: 0, y: 1 }]);
});

test("everything lies inside the drawing, and the selected match is the match nearest to the pointer", () => {
  const ratings = Array.from({ length: 300 }, (_, i) => 1500 + 300 * Math.sin(i / 20));
  const curve = curveOf(ratings, false);
  assert.ok(curve.line.every(({ x, y }) => x >= 0 && x <= 1 && y >= 0 && y <= 1));
  assert.deepEqual(
    [-1, 0, 0.5, 2].map((x) => nearest(curve, x)),
    [0, 0, 149, 299],
  );
  curve.points.forEach(({ x }, i) => assert.equal(nearest(curve, x), i));
});

/** Return all elements and all texts inside an element's tree. */
const below = (tree) => (tree?.children ?? []).flatMap((child) => [child, ...below(child)]);
const textOf = (tree) =>
  below(tree)
    .filter((child) => typeof child === "string")
    .join(" ");

function drawn(ratings, at = {}, next = undefined) {
  const app = {
    ui: { career: { part: { game: "", cursors: [] }, before: null, at } },
    server: { games: new Map([["sea", { title: "Sea" }]]) },
    redraw: () => (app.redrawn = true),
  };
  const results = ["won", "lost", "drawn"];
  const rows = ratings.map((rating, i) => ({
    match: `sea/${i + 1}`,
    seq: 9,
    time: 1_700_000_000,
    rating,
    opponents: [BOB],
    result: results[i % 3],
  }));
  return { app, tree: ratingCurve(app, "sea", { ratings: rows.reverse(), next }) };
}

test("the curve has a description, and its slider describes one match at a time", () => {
  const { app, tree } = drawn([1516, 1490.4, 1495.2]);
  const all = below(tree);
  const label = all.find((one) => one.props?.role === "img").props["aria-label"];
  assert.equal(label, "Rating in Sea over 3 games: from 1500 to 1495, lowest 1490, highest 1516.");
  const slider = all.find((one) => one.props?.type === "range");
  assert.deepEqual([slider.props.max, slider.props.value], [3, "3"]);
  assert.match(slider.props["aria-valuetext"], /^drew with .+: 1495$/);
  assert.match(textOf(tree), /\+5/);
  slider.props.oninput({ target: { value: "2" } });
  assert.ok(app.redrawn);
  const second = drawn([1516, 1490.4, 1495.2], app.ui.career.at).tree;
  assert.equal(below(second).find((one) => one.props?.["data-point"]).props["data-point"], "sea/2");
  assert.match(textOf(second), /lost to .+-26/);
});

test("a curve can be drawn for no match, for one match and for many matches", () => {
  assert.equal(drawn([]).tree, null);
  const one = below(drawn([1500]).tree);
  assert.ok(!one.some(({ props }) => props?.type === "range"));
  const many = drawn(
    Array.from({ length: 300 }, (_, i) => 1600 + i),
    {},
    "cursor",
  ).tree;
  assert.match(textOf(many), /300 games ago/);
  assert.equal(below(many).find((tree) => tree.props?.class === "marks").props.d, "", "marks would be one thick line");
});

test("with fewer than five opponents, a rating has a question mark in every language", () => {
  assert.deepEqual(
    [ratingText(null, 0), ratingText(1516.4, 0), ratingText(1516.4, 4), ratingText(1516.6, 5)],
    ["–", "1516?", "1516?", "1517"],
  );
  for (const table of Object.values(languages)) assert.equal(table["players.unsure"], "{rating}?");
  assert.equal(t("players.change", { n: 16 }), "+16");
});
