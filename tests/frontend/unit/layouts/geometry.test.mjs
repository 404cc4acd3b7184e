// Where cells are: what is drawn in a cell is what is clicked there, on any shape of board.
import assert from "node:assert/strict";
import { test } from "node:test";

import { EDGE, cellAt, fit, labels, middle } from "../../../../frontend-static/layouts/geometry.js";

for (const [width, height] of [
  [2, 2],
  [7, 4],
  [4, 7],
  [12, 12],
  [64, 64],
  [64, 2],
]) {
  test(`${width} by ${height}: the middle of each cell is in that cell, and the board fits`, () => {
    const g = fit({ width, height }, { width: 366, height: 366 });
    for (let cell = 0; cell < width * height; cell++) {
      const { x, y } = middle(g, cell);
      assert.equal(cellAt(g, x, y), cell);
    }
    assert.ok(g.right <= 366 && g.bottom <= 366);
    assert.deepEqual([cellAt(g, 1, 1), cellAt(g, g.right + 1, g.bottom - 1)], [-1, -1]);
  });
}

test("coordinates do not overlap: where cells are small, some are left out", () => {
  const g = fit({ width: 64, height: 64 }, { width: 366, height: 366 });
  const row = labels(g).filter(({ key }) => key.startsWith("c"));
  assert.ok(row.length < 64);
  assert.ok(row[1].x - row[0].x >= 21);
  assert.deepEqual(
    row.slice(0, 2).map(({ text }) => text),
    ["A", "E"],
  );
});

test("a small board to look at has none", () =>
  assert.deepEqual(labels(fit({ width: 3, height: 3 }, { width: 90, height: 90 }, EDGE - 19)), []));
