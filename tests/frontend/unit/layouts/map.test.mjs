// Tests the layout for maps: signs on lands, arrows between the lands' numbers, and redrawing. Also
// tests that the lands' outlines fit together.
import assert from "node:assert/strict";
import { test } from "node:test";

import { generate } from "../../../../frontend-static/games/conquest/map/generator.js";
import { fit, middle, printGeometry } from "../../../../frontend-static/layouts/geometry.js";
import { RegionLayout } from "../../../../frontend-static/layouts/map.js";
import { arrowsOf } from "../../../../frontend-static/layouts/map/arrows.js";
import { WATER, shapeOf } from "../../../../frontend-static/layouts/map/outline.js";
import { sign } from "../../../../frontend-static/layouts/map/signs.js";
import { mapSvg } from "../../../../frontend-static/layouts/map/svg.js";

const SIDE = 64;
const cells = [...generate(`0x${"9c".repeat(32)}`, 50).cells];
const lands = 1 + Math.max(...cells.filter((cell) => cell < WATER));
const map = (more = {}) => {
  const { centres } = shapeOf({ id: "a", cells }, SIDE, SIDE);
  const regions = centres.map((cell, land) => ({
    ...{ cell, ground: "forest", texture: "tree", colour: land % 3 ? -1 : 1, shape: 1, label: String(land), note: "" },
    ...{ signs: [], ports: [], marks: [] },
    ...more[land],
  }));
  return { id: "a", cells, sector: 4, regions };
};
const picture = (more, rest = {}) => ({
  ...{ width: SIDE, height: SIDE, pieces: [], fields: [], marks: [], lines: [], stamp: "", map: map(more) },
  ...rest,
});
const geometry = fit(picture(), { width: 720, height: 720 });
const phone = fit(picture(), { width: 366, height: 366 });
const all = (tree) => [
  tree,
  ...(tree.children ?? []).flatMap((child) => (typeof child === "string" ? [] : all(child))),
];

test("each land is a single closed path along its own border", () => {
  const { loops, centres } = shapeOf({ id: "a", cells }, SIDE, SIDE);
  assert.equal(loops.length, lands);
  const drawn = all(mapSvg(picture(), geometry)).filter(({ props }) => props.class === "land");
  assert.equal(drawn.length, lands);
  assert.ok(drawn.every(({ props }) => /^(M[\d.,L]+Z)+$/.test(props.d)));
  centres.forEach((cell, land) => assert.equal(cells[cell], land));
});

test("the borders of all lands are the borders of their cells, each drawn once", () => {
  const { borders, loops } = shapeOf({ id: "a", cells }, SIDE, SIDE);
  const edges = borders.reduce((sum, { way }) => sum + way.length - 1, 0);
  const inner = borders.filter(({ b }) => b >= 0).reduce((sum, { way }) => sum + way.length - 1, 0);
  assert.equal(
    loops.flat().reduce((sum, loop) => sum + loop.length, 0),
    edges + inner,
  );
});

test("a hole, and two parts that touch at a corner, are separate loops", () => {
  const small = [
    [0, 0, 0, 128],
    [0, 1, 0, 128],
    [0, 0, 0, 128],
    [128, 128, 128, 0],
  ].flat();
  const { loops } = shapeOf({ id: "small", cells: small }, 4, 4);
  assert.deepEqual(
    loops[0].map(({ length }) => length).sort((a, b) => a - b),
    [4, 4, 12],
  );
  assert.deepEqual(
    loops[1].map(({ length }) => length),
    [4],
  );
});

test("numbers are never smaller than 12 px, even on a phone, and a card has no numbers", () => {
  const sizes = (g) =>
    all(mapSvg(picture(), g)).flatMap(({ props }) => (props.class === "count" ? [Number(props["font-size"])] : []));
  for (const g of [geometry, phone]) {
    assert.equal(sizes(g).length, lands);
    assert.ok(Math.min(...sizes(g)) >= 12);
  }
  assert.deepEqual(sizes(fit(picture(), { width: 160, height: 160 }, 1)), []);
});

test("a drawing makes new trees only for the parts that changed", () => {
  const cache = new Map();
  const before = mapSvg(picture(), geometry, { cache }).children;
  const after = mapSvg(picture({ 3: { label: "99" } }), geometry, { cache }).children;
  const changed = after.filter((tree, i) => tree !== before[i]).map(({ props }) => props.key);
  assert.deepEqual(changed, ["label-3"]);
  const taken = mapSvg(picture({ 4: { colour: 2 } }), geometry, { cache }).children;
  const keys = taken.filter((tree) => !after.includes(tree)).map(({ props }) => props.key);
  assert.deepEqual(keys, ["region-4", "frontier", "label-3", "label-4"]);
});

test("the unchanged parts of a map of 96 lands are not drawn again", () => {
  const many = Array.from({ length: SIDE * SIDE }, (_, cell) => {
    const [x, y] = [cell % SIDE, Math.floor(cell / SIDE)];
    return 12 * Math.min(7, Math.floor(y / 8)) + Math.min(11, Math.floor(x / 5.4));
  });
  const { centres } = shapeOf({ id: "many", cells: many }, SIDE, SIDE);
  const regions = (n) =>
    centres.map((cell, land) => ({
      ...{
        cell,
        ground: "meadow",
        texture: "grass",
        colour: land % 6,
        shape: land % 6,
        label: String(n + land),
        note: "",
      },
      ...{ signs: ["crown", "fort"], ports: [], marks: ["capture"] },
    }));
  const cache = new Map();
  const drawn = (n) =>
    mapSvg({ ...picture(), map: { id: "many", cells: many, sector: 4, regions: regions(n) } }, geometry, { cache });
  const before = new Set(drawn(0).children);
  const keys = drawn(1)
    .children.filter((tree) => !before.has(tree))
    .map(({ props }) => props.key);
  assert.deepEqual(
    keys,
    centres.map((_, land) => `label-${land}`),
  );
  assert.equal(keys.length, 96);
});

test("an arrow begins and ends next to the numbers, and its label covers no number", () => {
  const { centres } = shapeOf({ id: "a", cells }, SIDE, SIDE);
  const at = centres.map((cell) => middle(geometry, cell));
  const near = at
    .map((one, land) => ({ land, far: Math.hypot(one.x - at[0].x, one.y - at[0].y) }))
    .sort((a, b) => a.far - b.far);
  const to = near[4].land;
  const [arrow] = arrowsOf(
    picture({}, { lines: [{ from: centres[0], to: centres[to], kind: "attack", label: "+9 · 7–10", press: 4096 }] }),
    geometry,
  );
  const [start, , end] = arrow.way;
  assert.ok(Math.hypot(start.x - at[0].x, start.y - at[0].y) > 8);
  assert.ok(Math.hypot(end.x - at[to].x, end.y - at[to].y) > 8);
  const hits = at.filter(({ x, y }) => Math.abs(x - arrow.pill.x) < 40 && Math.abs(y - arrow.pill.y) < 12);
  assert.equal(hits.length, 0);
});

test("a planned attack can be pressed, and a past attack can't", () => {
  const lines = [
    { from: 0, to: 500, kind: "attack", label: "+1", press: 4096 },
    { from: 0, to: 900, kind: "last" },
  ];
  const drawn = all(mapSvg(picture({}, { lines }), geometry)).filter(({ props }) => props["data-line"]);
  assert.deepEqual(
    drawn.map(({ props }) => [props["data-line"], props["data-press"]]),
    [
      ["attack", 4096],
      ["last", undefined],
      ["attack", 4096],
    ],
  );
});

test("owners differ by their shapes, and land types differ by their signs", () => {
  const names = ["tree", "peak", "dune", "wave", "grass", "crown", "fort", "hero", "gift", "star", "shield"];
  assert.equal(new Set(names.map((name) => sign(name, 5))).size, names.length);
  assert.ok(names.every((name) => /^M/.test(sign(name, 5))));
  const hulls = [1, 2].map(
    (shape) => all(mapSvg(picture({ 0: { shape } }), geometry)).find(({ props }) => props.class === "hull").props.d,
  );
  assert.notEqual(hulls[0], hulls[1]);
});

test("a printed map needs no document", () => {
  const { trees, width, height } = RegionLayout.drawing(picture());
  assert.ok(width > 600 && height > 600 && trees.length === 1);
  assert.ok(printGeometry(picture()).cell >= 14);
});

test("only the land of a pending move is outlined with dashes", () => {
  const waiting = (cells) =>
    all(mapSvg(picture({}, { waiting: cells }), geometry)).filter(({ props }) => props.class === "waiting");
  const paths = all(mapSvg(picture(), geometry)).filter(({ props }) => props.class === "land");
  const { cell } = picture().map.regions[3];
  assert.deepEqual(
    waiting([cell]).map(({ props }) => props.d),
    [paths[3].props.d],
  );
  assert.deepEqual(waiting([]), []);
  assert.deepEqual(waiting([cells.indexOf(WATER)]), [], "water");
});
