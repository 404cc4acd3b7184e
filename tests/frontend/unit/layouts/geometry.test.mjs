// Tests that drawing and clicking use the same positions of cells, on boards of any shape.
import assert from "node:assert/strict";
import { test } from "node:test";

import { EDGE_WIDTH, cellAt, fit, labels, middle } from "../../../../frontend-static/layouts/geometry.js";
import Grid from "../../../../frontend-static/layouts/grid.js";

for (const [width, height] of [
  [2, 2],
  [7, 4],
  [4, 7],
  [12, 12],
  [64, 64],
  [64, 2],
]) {
  test(`on a board of ${width} by ${height}, the middle of each cell is in that cell, and the board fits`, () => {
    const g = fit({ width, height }, { width: 366, height: 366 });
    const turned = fit({ width, height, turned: true }, { width: 366, height: 366 });
    for (let cell = 0; cell < width * height; cell++) {
      const { x, y } = middle(g, cell);
      assert.equal(cellAt(g, x, y), cell);
      const there = middle(turned, cell);
      assert.equal(cellAt(turned, there.x, there.y), cell);
      assert.equal(
        cellAt(g, there.x, there.y),
        width * height - 1 - cell,
        "on a turned board, the cell is on the opposite side of the middle",
      );
    }
    assert.deepEqual([cellAt(turned, 1, 1), cellAt(turned, g.right + 1, g.bottom - 1)], [-1, -1]);
    assert.ok(g.right <= 366 && g.bottom <= 366);
    assert.deepEqual([cellAt(g, 1, 1), cellAt(g, g.right + 1, g.bottom - 1)], [-1, -1]);
  });
}

test("coordinates do not overlap, because some are left out if cells are small", () => {
  const g = fit({ width: 64, height: 64 }, { width: 366, height: 366 });
  const row = labels(g).filter(({ key }) => key.startsWith("c"));
  assert.ok(row.length < 64);
  assert.ok(row[1].x - row[0].x >= 21);
  assert.deepEqual(
    row.slice(0, 2).map(({ text }) => text),
    ["A", "E"],
  );
});

test("a small board without input has no coordinates", () =>
  assert.deepEqual(labels(fit({ width: 3, height: 3 }, { width: 90, height: 90 }, EDGE_WIDTH - 19)), []));

test("coordinates stay with their cells on a turned board, at the top and left edges", () => {
  const seen = (turned) => {
    const g = fit({ width: 7, height: 5, columns: "abcdefg", turned }, { width: 366, height: 366 });
    return labels(g).map(({ key, x, y, text }) => {
      const isColumn = key.startsWith("c");
      assert.ok(isColumn ? y < EDGE_WIDTH : x < EDGE_WIDTH);
      const cell = isColumn ? cellAt(g, x, EDGE_WIDTH + 1) : cellAt(g, EDGE_WIDTH + 1, y);
      return [text, isColumn ? cell % 7 : Math.floor(cell / 7)];
    });
  };
  const expected = [
    ...[..."abcdefg"].map((name, column) => [name, column]),
    ...["1", "2", "3", "4", "5"].map((name, row) => [name, row]),
  ];
  assert.deepEqual(seen(false), expected);
  assert.deepEqual(seen(true), expected);
});

test("arrow keys move in the displayed direction, begin at the top left, and stop at the edges", () => {
  for (const turned of [false, true]) {
    const picture = { width: 7, height: 5, turned };
    const g = fit(picture, { width: 366, height: 366 });
    const grid = Object.assign(Object.create(Grid.prototype), {
      ...{ picture, cursor: -1, motions: [], input: { point: () => undefined }, render: () => undefined },
    });
    grid.moveCursor(grid.cursorOrFirst());
    const place = () => {
      const { x, y } = middle(g, grid.cursor);
      return [x, y].map((at) => Math.floor((at - EDGE_WIDTH) / g.cell));
    };
    assert.deepEqual(place(), [0, 0]);
    const seen = ["ArrowUp", "ArrowLeft", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowUp"].map((key) => {
      assert.ok(grid.onKey(key));
      return place();
    });
    assert.deepEqual(seen, [
      [0, 0],
      [0, 0],
      [1, 0],
      [1, 1],
      [1, 2],
      [0, 2],
      [0, 1],
    ]);
    assert.deepEqual(grid.position(grid.cursor), { x: 0, y: 1, columns: 7, rows: 5 });
  }
});
