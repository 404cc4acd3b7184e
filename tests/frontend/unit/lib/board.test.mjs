// Tests the functions for boards: merge patches (with the examples in RFC 7396), canonical JSON,
// and following a match event by event.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  applyPatch,
  boardHash,
  canonical,
  columnName,
  coordinate,
  eventsOf,
  fromDeltas,
  fromReset,
  mergeBySeq,
  movedPieces,
} from "../../../../frontend-static/lib/board.js";

// The examples of merge patches in appendix A of https://www.rfc-editor.org/rfc/rfc7396
const TABLE = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

for (const [target, patch, result] of TABLE) {
  test(`${JSON.stringify(target)} patched with ${JSON.stringify(patch)} is ${JSON.stringify(result)}`, () => {
    const before = structuredClone(target);
    assert.deepEqual(applyPatch(target, patch), result);
    assert.deepEqual(target, before, "the target is not changed");
  });
}

test("a patch can't reach a prototype", () => {
  const result = applyPatch({}, JSON.parse('{"__proto__": {"owned": true}}'));
  assert.equal({}.owned, undefined);
  assert.equal(Object.getPrototypeOf(result), Object.prototype);
  assert.deepEqual(Object.keys(result), ["__proto__"]);
});

test("a patched board shares the parts that the patch does not touch", () => {
  const board = { ships: { 1: { x: 1 }, 2: { x: 2 } } };
  assert.equal(applyPatch(board, { ships: { 2: { x: 3 } } }).ships[1], board.ships[1]);
});

test("canonical JSON has its keys in code point order, no spaces, and is UTF-8", () => {
  assert.equal(
    canonical({ b: [1, { d: true, c: "é" }], a: {}, "😀": 1, ﬀ: 2 }),
    '{"a":{},"b":[1,{"c":"é","d":true}],"ﬀ":2,"😀":1}',
  );
});

test("the hash is the same as the server's, which is SHA-256 of the canonical JSON", () => {
  // The expected hash is the result of this call in Python:
  // indexer.gamekit.game.board_hash({"status": "open", "ply": 0, "ships": {"10": {"x": 1}, "2": {"x": 0}}})
  const board = { ply: 0, ships: { 2: { x: 0 }, 10: { x: 1 } }, status: "open" };
  assert.equal(boardHash(board), "0xb0a3c042cc11716389035b8deb92e648a8f18085762aa45f7815f81045347a27");
});

const block = { height: 7, hash: "0xaa", time: 100 };
const reset = { t: "reset", match: "g/1", seq: 2, block, board: { n: 2 }, why: "watch" };
const deltas = (...seqs) => ({
  t: "deltas",
  match: "g/1",
  block,
  items: seqs.map((seq) => ({ seq, tx: "0x1", event: { name: "E", args: {} }, patch: { n: seq } })),
});

test("deltas without a gap are applied together, and each step is stored", () => {
  const entry = fromDeltas(fromReset(reset), deltas(3, 4));
  assert.equal(entry.seq, 4);
  assert.deepEqual(
    [...entry.recentBoards],
    [
      [2, { n: 2 }],
      [3, { n: 3 }],
      [4, { n: 4 }],
    ],
  );
});

for (const seqs of [[4], [2], [3, 5], [3, 3]]) {
  test(`after event 2, the deltas ${seqs} have a gap, so none is applied`, () => {
    const entry = fromReset(reset);
    assert.equal(fromDeltas(entry, deltas(...seqs)), null);
    assert.deepEqual([entry.seq, entry.board], [2, { n: 2 }]);
  });
}

test("the number of stored boards is limited", () => {
  let entry = fromReset(reset);
  for (let seq = 3; seq < 1200; seq++) entry = fromDeltas(entry, deltas(seq));
  assert.equal(entry.recentBoards.size, 512);
  assert.deepEqual(entry.recentBoards.get(1199), { n: 1199 });
});

test("events are in chain order, not grouped by type (sheet defect 16)", () => {
  const event = (seq, name) => ({ seq, name, args: {}, tx: `0x${seq}`, block: seq, hash: "0xaa", time: 0 });
  const byType = [event(1, "Registered"), event(4, "Registered"), event(3, "Touched"), event(2, "Moved")];
  assert.deepEqual(
    mergeBySeq(byType, []).map(({ name }) => name),
    ["Registered", "Moved", "Touched", "Registered"],
  );
});

test("a ship that moved and was then sunk does not come back (sheet defect 16)", () => {
  const ship = { x: 1, y: 1, afloat: true };
  const entry = fromReset({ ...reset, board: { ships: { 1: ship } } });
  const sail = { seq: 3, tx: "0x1", event: { name: "Moved", args: {} }, patch: { ships: { 1: { x: 5, y: 2 } } } };
  const sink = { seq: 4, tx: "0x2", event: { name: "Touched", args: {} }, patch: { ships: { 1: { afloat: false } } } };
  const message = { t: "deltas", match: "g/1", block, items: [sail, sink] };
  assert.deepEqual(fromDeltas(entry, message).board.ships[1], { x: 5, y: 2, afloat: false });
  assert.equal(
    fromDeltas(entry, { ...message, items: [sink, sail] }),
    null,
    "grouped by type, the events would be out of order and would be rejected",
  );
});

test("a repeated event replaces the earlier copy", () => {
  const [event] = eventsOf(deltas(3));
  assert.deepEqual(
    mergeBySeq([event], [{ ...event, hash: "0xbb" }]).map(({ hash }) => hash),
    ["0xbb"],
  );
});

test("motion is the difference between two pictures", () => {
  const before = [
    { id: "a", cell: 1 },
    { id: "b", cell: 2 },
    { id: "c", cell: 3 },
  ];
  const after = [
    { id: "b", cell: 9 },
    { id: "c", cell: 3 },
    { id: "d", cell: 4 },
  ];
  assert.deepEqual(movedPieces(before, after), [{ id: "b", from: 2, to: 9 }]);
});

test("coordinates have column letters and row numbers", () => {
  assert.deepEqual([0, 25, 26, 63].map(columnName), ["A", "Z", "AA", "BL"]);
  assert.deepEqual([coordinate(0, 12), coordinate(77, 12), coordinate(7, 7)], ["A1", "F7", "A2"]);
});
