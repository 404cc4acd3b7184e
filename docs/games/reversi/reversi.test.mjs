// Tests of the pictures and texts that Reversi's renderer makes from boards in the indexer's
// format.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  badge,
  describe,
  fromContract,
  picture,
  seats,
  sentences,
} from "../../../../frontend-static/games/reversi/renderer.js";
import { gameTexts } from "../../node/texts.mjs";

await gameTexts("reversi");

const [ANN, BOB] = ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"];
const board = {
  status: "playing",
  ply: 1,
  players: { [ANN]: { seat: 0 }, [BOB]: { seat: 1 } },
  mover: BOB,
  width: 8,
  height: 8,
  cells: { 9: 0, 10: 1 },
};

test("discs have their side's colour; the last disc and the turned discs are marked", () => {
  const drawn = picture({ board: { ...board, last: 9, turned: [10] }, me: ANN, pending: [] });
  assert.deepEqual(
    drawn.pieces.map(({ cell, colour, shape }) => [cell, colour, shape]),
    [
      [9, 7, 0],
      [10, 6, 0],
    ],
  );
  assert.deepEqual(drawn.fields, [
    { cell: 10, kind: "turned" },
    { cell: 9, kind: "last" },
  ]);
  assert.notDeepEqual(badge(0), badge(1));
});

test("cells in words", () => {
  assert.equal(describe({ board, me: ANN }, 9), "B2, Able Dotterel’s black disc");
  assert.equal(describe({ board, me: ANN }, 0), "A1, empty");
  assert.deepEqual(
    seats(board).map(({ note }) => note),
    ["black, 1 disc", "white, 1 disc"],
  );
});

test("moves and passes in words", () => {
  const texts = (name, args) => sentences({ name, args }, board).map(({ text }) => text);
  assert.deepEqual(texts("Moved", { by: ANN, cell: 19, turned: String(2n ** 63n + 1n) }), [
    "Able Dotterel took D3, 2 discs turned",
  ]);
  assert.deepEqual(texts("Passed", { by: BOB }), ["Lucid Dunlin can’t move and passes"]);
});

test("the contract's masks are the board's cells", () => {
  const view = { status: 2, reason: 0, players: [ANN, BOB], winner: `0x${"0".repeat(40)}`, mover: BOB };
  const { cells } = fromContract({ ...view, ply: 1, deadline: 0, clock: 0, discs: [String(2n ** 63n), "1"] });
  assert.deepEqual(cells, { 63: 0, 0: 1 });
});
