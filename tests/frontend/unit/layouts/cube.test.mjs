// Tests the layout that draws cubes on a grid: the five faces of a cube at rest, rolls in each
// direction, jumps, exits and printed pictures.
import assert from "node:assert/strict";
import { test } from "node:test";

import { cube } from "../../../../frontend-static/layouts/cube.js";
import { symbol } from "../../../../frontend-static/layouts/shapes.js";
import { EDGE_WIDTH, fit, middle, printGeometry } from "../../../../frontend-static/layouts/geometry.js";
import Grid from "../../../../frontend-static/layouts/grid.js";
import { motions, poseAt } from "../../../../frontend-static/layouts/motion.js";
import Pair from "../../../../frontend-static/layouts/pair.js";
import { svg } from "../../../../frontend-static/layouts/svg.js";

const SYMBOLS = ["star", "times", "arrows", "ring", "tee", "stop"];
const FACES = { up: "ring", front: "stop", right: "tee", back: "star", left: "times" };
const piece = (more = {}) => ({
  ...{ id: "cube-0", cell: 24, colour: 1, shape: 1, label: "H", faces: FACES },
  ...{ mine: false, sunk: false, selected: false, pending: false, ...more },
});
const picture = (pieces, more = {}) => ({
  ...{ width: 7, height: 7, pieces, fields: [], marks: [], lines: [], stamp: "1", ...more },
});
const grid = fit({ width: 7, height: 7 }, { width: 700 + EDGE_WIDTH + 2, height: Infinity });
/** Return each drawn face of a cube, with the path of its symbol and its position. */
const facesOf = (trees) =>
  trees
    .filter(({ props }) => props.class?.startsWith("face"))
    .map((face) => {
      const drawn = face.children.at(-1);
      const [x, y] = drawn.props.transform.match(/-?[\d.]+/g).map(Number);
      const path = drawn.children.at(-1).props.d;
      const width = Math.max(...path.match(/-?[\d.]+/g).map((n) => Math.abs(n)));
      return { x, y, width, upper: face.props.class.includes("upper"), path };
    });

test("each of the six symbols has its own shape", () => {
  const paths = SYMBOLS.map((name) => symbol(name, 10));
  assert.equal(new Set(paths).size, 6);
  for (const path of paths) assert.match(path, /^M.*Z$/);
  assert.equal(symbol("", 10), "");
});

test("a cube shows its upper face in the middle, larger than the four faces around it", () => {
  const faces = facesOf(cube(piece(), 100));
  const at = (x, y) => faces.find((face) => Math.sign(Math.round(face.x)) === x && Math.sign(Math.round(face.y)) === y);
  const sides = { up: at(0, 0), front: at(0, -1), right: at(1, 0), back: at(0, 1), left: at(-1, 0) };
  assert.equal(faces.length, 5);
  for (const [side, name] of Object.entries(FACES)) {
    const { path, width } = sides[side];
    const commands = (text) => text.replaceAll(/-?[\d.]+/g, "");
    assert.equal(commands(path), commands(symbol(name, 10)), side);
    assert.ok(side === "up" || width < sides.up.width);
  }
  assert.deepEqual(
    faces.filter(({ upper }) => upper),
    [sides.up],
  );
});

const OTHER_SIDE = { front: "back", right: "left", back: "front", left: "right" };
const halfTurned = ({ up, front, right, back, left }) => ({ up, front: back, right: left, back: front, left: right });

test("on a turned board, a cube is seen from the opposite side, with its symbols upright", () =>
  assert.deepEqual(cube(piece(), 100, undefined, true), cube(piece({ faces: halfTurned(FACES) }), 100)));

test("if cells are small, only the upper face is drawn, and it is larger", () => {
  const [small, large] = [20, 100].map((cell) => cube(piece(), cell));
  const symbols = (trees) => JSON.stringify(trees).match(/"class":"symbol"/g).length;
  assert.deepEqual([symbols(small), symbols(large)], [1, 5]);
});

/**
 * The faces after a cube has rolled: the face that was behind is on top, the old top face is ahead,
 * and the old bottom face is behind.
 */
const AFTER = {
  front: [17, { ...FACES, up: "star", front: "ring", back: "arrows" }],
  right: [25, { ...FACES, up: "times", right: "ring", left: "arrows" }],
  back: [31, { ...FACES, up: "stop", back: "ring", front: "arrows" }],
  left: [23, { ...FACES, up: "tee", left: "ring", right: "arrows" }],
};
for (const [ahead, [cell, faces]] of Object.entries(AFTER))
  test(`a cube that turned over to the ${ahead} is drawn turning`, () => {
    const [motion] = motions(picture([piece()]), picture([piece({ cell, faces })]));
    assert.deepEqual(motion.steps, [{ from: 24, to: cell, ahead, faces: FACES }]);
    const [home, from] = [middle(grid, cell), middle(grid, 24)];
    const begun = poseAt(motion, grid, 0);
    assert.deepEqual([begun.x, begun.y], [from.x - home.x, from.y - home.y]);
    assert.equal(poseAt(motion, grid, 10_000), null);
    const upper = (elapsed) => facesOf(cube(piece({ cell, faces }), 100, poseAt(motion, grid, elapsed).turning));
    const names = (elapsed) => upper(elapsed).find((face) => face.upper);
    assert.equal(names(1).path.replaceAll(/[-\d.]/g, ""), symbol("ring", 10).replaceAll(/[-\d.]/g, ""));
    assert.equal(names(245).path.replaceAll(/[-\d.]/g, ""), symbol(faces.up, 10).replaceAll(/[-\d.]/g, ""));
  });

for (const [ahead, [cell, faces]] of Object.entries(AFTER))
  test(`on a turned board, the same turn goes to the ${OTHER_SIDE[ahead]}`, () => {
    const turned = fit(picture([], { turned: true }), { width: 700 + EDGE_WIDTH + 2, height: Infinity });
    const [motion] = motions(picture([piece()]), picture([piece({ cell, faces })]));
    const [pose, seen] = [grid, turned].map((geometry) => poseAt(motion, geometry, 60));
    assert.deepEqual(
      [seen.x, seen.y],
      [-pose.x, -pose.y].map((at) => at || 0),
    );
    const turning = { ...seen.turning, ahead: OTHER_SIDE[ahead], faces: halfTurned(FACES) };
    const expected = cube(piece({ cell, faces: halfTurned(faces) }), 100, turning);
    assert.deepEqual(cube(piece({ cell, faces }), 100, seen.turning, true), expected);
  });

test("a turned picture turns both the cube and its position", () => {
  const shown = picture([piece({ cell: 0 })], { turned: true });
  const geometry = fit(shown, { width: 700 + EDGE_WIDTH + 2, height: Infinity });
  const tree = svg(shown, geometry, -1);
  const [drawn] = tree.children.filter(({ props }) => props["data-piece"]);
  assert.equal(tree.props["data-turned"], true);
  assert.equal(drawn.props.transform, `translate(${EDGE_WIDTH + 650},${EDGE_WIDTH + 650})`);
  assert.equal(drawn.props["data-cell"], "A1");
  assert.deepEqual(drawn.children[0].children, cube(piece({ cell: 0 }), geometry.cell, undefined, true));
});

test("a cube that shows the same faces elsewhere has jumped, so it rises and comes down", () => {
  const [motion] = motions(picture([piece()]), picture([piece({ cell: 40 })]));
  assert.deepEqual(motion.steps, [{ from: 24, to: 40 }]);
  const scales = [0, 125, 249].map((elapsed) => poseAt(motion, grid, elapsed).scale);
  assert.ok(scales[1] > 1.15 && scales[1] > scales[0] && scales[1] > scales[2]);
});

test("a turn and a jump in one picture follow each other", () => {
  const [, faces] = AFTER.right;
  const [motion] = motions(picture([piece()]), picture([piece({ cell: 27, faces })]));
  assert.deepEqual(motion.steps, [
    { from: 24, to: 25, ahead: "right", faces: FACES },
    { from: 25, to: 27 },
  ]);
  assert.ok(poseAt(motion, grid, 100).turning);
  assert.equal(poseAt(motion, grid, 350).turning, undefined);
});

test("a cube that leaves the board turns over a last time", () => {
  const [motion, ...others] = motions(picture([piece()]), picture([], { leaving: [{ id: "cube-0", cell: 17 }] }));
  assert.deepEqual(others, []);
  assert.deepEqual(motion.steps, [{ from: 24, to: 17, ahead: "front", faces: FACES }]);
  assert.equal(motion.piece.faces.up, "star");
  assert.deepEqual(motions(picture([]), picture([], { leaving: [{ id: "cube-0", cell: 17 }] })), []);
});

test("pieces that stay, arrive or have no faces do not turn", () => {
  const plain = piece({ id: "disc", faces: undefined });
  const [before, after] = [
    [piece(), plain],
    [piece(), { ...plain, cell: 3 }, piece({ id: "cube-1", cell: 9 })],
  ];
  assert.deepEqual(motions(picture(before), picture(after)), []);
});

test("a moving piece is drawn above the others", () => {
  const pieces = [piece(), piece({ id: "cube-1", cell: 3 })];
  const [motion] = motions(picture([piece({ cell: 40 })]), picture([piece()]));
  const tree = svg(picture(pieces), grid, -1, new Map([["cube-0", poseAt(motion, grid, 100)]]));
  const drawn = tree.children.map(({ props }) => props["data-piece"]).filter(Boolean);
  assert.deepEqual(drawn, ["cube-1", "cube-0"]);
});

test("columns have the names that the game defines", () => {
  const texts = (columns) =>
    svg(picture([], { columns }), fit(picture([], { columns }), { width: 300, height: 300 }), -1)
      .children.filter(({ tag }) => tag === "text")
      .map(({ children }) => children[0])
      .slice(0, 3);
  assert.deepEqual(
    [texts("abcdefg"), texts(undefined)],
    [
      ["a", "b", "c"],
      ["A", "B", "C"],
    ],
  );
});

test("each layout prints its own pictures, a single grid or a pair side by side with titles", () => {
  const one = Grid.drawing(picture([piece()]));
  const parts = ["mine", "theirs"].map((title) => picture([piece()], { title }));
  const two = Pair.drawing(picture([], { parts }));
  const { right } = printGeometry({ width: 7, height: 7 }, 2);
  const found = (trees, wanted) => JSON.stringify(trees).split(wanted).length - 1;
  assert.deepEqual([found(one.trees, '"data-piece"'), found(two.trees, '"data-piece"')], [1, 2]);
  assert.ok(found(two.trees, '"theirs"') === 1 && two.width > 2 * right && two.height > right);
  assert.ok(one.width > 640 && one.height > 640);
});
