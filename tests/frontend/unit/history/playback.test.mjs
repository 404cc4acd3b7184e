// Tests the playback of matches without a browser: the chunks in which a file is loaded, orphaned
// events, and steps between moments.
import assert from "node:assert/strict";
import { test } from "node:test";

import { applyPatch, boardHash } from "../../../../frontend-static/lib/board.js";
import { byTransaction } from "../../../../frontend-static/views/match/feed.js";
import { OrphanedEvents, orphanedBy } from "../../../../frontend-static/history/orphaned-events.js";
import { Playback } from "../../../../frontend-static/history/playback.js";
import { eventsOfTx } from "../../../../frontend-static/history/transaction-events.js";
import { FileHistory } from "../../../../frontend-static/history/match-history.js";
import { UnreadableReplay, checkReplay, parseJson } from "../../../../frontend-static/history/replay-parser.js";

const event = (seq, tx = `0x${seq}`, more = {}) => ({
  seq,
  name: "E",
  args: {},
  tx,
  block: seq,
  hash: `0xb${tx}`,
  time: seq,
  ...more,
});
/**
 * Return the events of a match, with their patches. `sizes` are the numbers of events in the
 * match's transactions.
 */
function match(...sizes) {
  let seq = 0;
  return sizes.flatMap((size, i) =>
    Array.from({ length: size }, () => ({ ...event(++seq, `0xt${i}`), patch: { n: seq, [`k${seq % 7}`]: seq } })),
  );
}

test("a file returns its boards in any order and caches few of them", () => {
  const events = match(...Array.from({ length: 3000 }, () => 1));
  const record = new FileHistory({ n: 0 }, events);
  const boards = [{ n: 0 }];
  for (const { patch } of events) boards.push(applyPatch(boards.at(-1), patch));
  for (const seq of [3000, 1, 250, 251, 2999, 1500, 500, 501, 2, 2750, 1001, 1999, 750])
    assert.equal(boardHash(record.board(seq)), boardHash(boards[seq]), `event ${seq}`);
  assert.equal(record.board(0), undefined);
  assert.equal(record.board(3001), undefined);
  assert.ok(record.cache.size <= 8);
  assert.equal(record.eventsAround(1500), record.eventsAround(1499), "neighbouring events have the same list");
  assert.ok(record.eventsAround(1500).length <= 750 && record.eventsAround(1500).some(({ seq }) => seq === 1500));
});

function looking(...sizes) {
  const moves = [];
  const past = new Playback(
    () => undefined,
    (_, seq) => moves.push(seq),
  );
  past.open("g/1", () => new FileHistory({}, match(...sizes)));
  return { past, moves };
}

test("a step is a whole transaction, and the last step leads to the present", () => {
  const { past, moves } = looking(2, 1, 3, 2);
  past.back();
  past.back();
  past.back();
  past.back();
  assert.deepEqual(moves, [6, 3, 2], "there is no step before the end of the first transaction");
  past.forward();
  past.forward();
  past.forward();
  assert.deepEqual(moves.slice(3), [3, 6, 0]);
  assert.equal(past.playhead, null);
  past.slide(4);
  assert.equal(past.playhead.seq, 6);
});

test("by event, each number is a moment, and a moment inside a transaction is shown only if it is requested exactly", () => {
  const { past, moves } = looking(2, 3);
  past.visit(3);
  assert.equal(past.playhead.seq, 3);
  assert.equal(past.stepUnit, "event");
  past.forward();
  past.forward();
  past.back();
  past.back();
  assert.deepEqual(moves, [3, 4, 0, 4, 3]);
  past.setStepUnit("tx");
  assert.equal(past.playhead, null, "the transaction ends with the last event");
});

test("a number that does not exist leads to the present, with a message", async () => {
  const { past } = looking(1, 1);
  past.visit(3);
  await past.load(3);
  assert.deepEqual(past.trouble, { key: "past.no-such-event", args: { seq: 3, last: 2 } });
  assert.equal(past.playhead, null);
});

test("a moment shows the events of its transaction up to that moment", () => {
  const events = match(2, 3);
  assert.deepEqual(
    eventsOfTx(events, { seq: 4, event: events[3] }).map(({ seq }) => seq),
    [3, 4],
  );
  assert.deepEqual(
    byTransaction(events).map((group) => group.length),
    [3, 2],
  );
});

const keeper = () => {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
};

test("events that the chain has lost are orphaned, but a move in another block is the same move", () => {
  const [before, now] = [
    [event(1), event(2), event(3)],
    [event(1), { ...event(2), block: 9, hash: "0xother" }],
  ];
  assert.deepEqual(
    orphanedBy(before, now, 1).map(({ seq }) => seq),
    [3],
  );
  assert.deepEqual(
    orphanedBy(before, [], 3).map(({ seq }) => seq),
    [3],
    "an event that was not requested again is not orphaned",
  );
});

test("orphaned events survive a reload but not another chain, and disappear when their transaction is mined again", () => {
  const place = keeper();
  const ghosts = new OrphanedEvents(place);
  ghosts.restore("1 0xa");
  ghosts.add("g/1", [event(4), event(3)], new Map([[3, { n: 3 }]]));
  ghosts.add("g/1", [event(3)], new Map());
  assert.deepEqual(
    ghosts.of("g/1").map(({ seq, board }) => [seq, board]),
    [
      [3, { n: 3 }],
      [4, undefined],
    ],
  );
  const again = new OrphanedEvents(place);
  again.restore("1 0xa");
  assert.deepEqual(
    again.of("g/1").map(({ seq }) => seq),
    [3, 4],
  );
  again.dropMined("g/2", [event(3)]);
  again.dropMined("g/1", [event(3)]);
  assert.deepEqual(
    again.of("g/1").map(({ seq }) => seq),
    [4],
  );
  const other = new OrphanedEvents(place);
  other.restore("1 0xb");
  assert.deepEqual(other.of("g/1"), []);
});

test("the number of orphaned events is limited, and a browser without storage causes no error", () => {
  const place = {
    getItem: () => "{",
    setItem: () => {
      throw new Error("full");
    },
    removeItem: () => undefined,
  };
  const ghosts = new OrphanedEvents(place);
  ghosts.restore("1 0xa");
  for (let seq = 1; seq <= 100; seq++) ghosts.add("g/1", [event(seq)], new Map());
  assert.equal(ghosts.of("g/1").length, 64);
  assert.equal(ghosts.of("g/1")[0].seq, 37);
  const kept = keeper();
  const heavy = new OrphanedEvents(kept);
  heavy.restore("1 0xa");
  for (let seq = 1; seq <= 5; seq++) heavy.add("g/1", [event(seq)], new Map([[seq, { text: "x".repeat(300_000) }]]));
  const { ghosts: written } = JSON.parse(kept.getItem("chainboard.ghosts"));
  assert.deepEqual(
    written.map(({ board }) => board !== undefined),
    [false, false, true, true, true],
    "the newest events keep their boards",
  );
});

test("parts of a file that no reader knows are checked, too", () => {
  const board = {};
  const file = {
    format: "chainboard-replay",
    version: 1,
    match: "g/1",
    game: { slug: "g", title: "G", layout: "grid" },
    chain: { chainId: 1, genesis: "0x" },
    deployment: { address: "0x" },
    start: board,
    board,
    boardHash: boardHash(board),
    events: [{ ...event(1), name: "N", args: {}, block: 1, time: 1, hash: "0x", tx: "0x", patch: {} }],
  };
  assert.deepEqual(checkReplay({ ...file, note: "x" }).replay.note, "x");
  const titled = (title) => ({ game: { ...file.game, title } });
  assert.ok(checkReplay({ ...file, ...titled("𝔊".repeat(60)) }));
  for (const odd of [{ note: 0.5 }, { ["x".repeat(20_001)]: 1 }, titled(""), titled("G".repeat(61))])
    assert.throws(
      () => checkReplay({ ...file, ...odd }),
      (error) => error.text.key === "replay.broken" && error.text.args.part.length <= 20,
    );
});

test("endless nesting is rejected without a crash", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`);
  const file = {
    format: "chainboard-replay",
    version: 1,
    match: "g/1",
    game: { slug: "g", title: "G", layout: "grid" },
    chain: { chainId: 1, genesis: "0x" },
    deployment: { address: "0x" },
    start: deep,
    board: deep,
    boardHash: "0x",
    events: [{ ...event(1), patch: {} }],
  };
  assert.throws(() => checkReplay(file), UnreadableReplay);
  assert.throws(
    () => parseJson("{"),
    (error) => error.text.key === "replay.cut-short",
  );
});
