// Tests series of moves. After one press, the page repeats a move until something stops the series.
// The page sends one move at a time and observes the limits.
import assert from "node:assert/strict";
import { test } from "node:test";

import { MAX_FEES, MoveSeries } from "../../../../../frontend-static/app/match/series.js";
import { repeats } from "../../../../../frontend-static/games/touche-coule/keep-firing.js";

const [ANN, BOB, COM] = ["0xAnn", "0xBob", "0xCom"];
const MATCH = "touche-coule/1";
const ship = (owner, afloat = true) => ({ owner, x: 0, y: 0, afloat, ready: 5 });
const boardOf = (sunk = [], more = {}) => ({
  status: "playing",
  ply: 1,
  afloat: 4 - sunk.length,
  players: { [ANN]: { ships: [1, 2] }, [BOB]: { ships: [3, 4] } },
  ships: Object.fromEntries([1, 2, 3, 4].map((n) => [n, ship(n < 3 ? ANN : BOB, !sunk.includes(n))])),
  ...more,
});

/** Return a stand-in for the page, with only the parts that a series uses. */
function page({ board = boardOf(), why = null, fee = 1n, silent = true } = {}) {
  const app = {
    sent: [],
    drawn: 0,
    reason: why,
    events: [],
    accounts: { me: ANN },
    autoMoves: { signsSilently: () => silent },
    redraw: () => app.drawn++,
    actions: {
      of: (_, kind) =>
        kind === "turn" ? { name: "turn", gas: { base: 60_000, each: 60_000, of: "afloat" } } : undefined,
      why: () => app.reason,
      submit: () => {
        app.sent.push({ state: "sent", at: Date.now() - 5000 });
        return app.sent.at(-1);
      },
    },
    live: {
      renderContext: () => ({
        board: app.entry.board,
        me: ANN,
        events: app.events,
        opponents: [{ accounts: [{ address: COM }] }],
      }),
    },
    server: {
      fee,
      renderer: () => ({ repeats }),
      board: () => app.entry?.board ?? null,
      socket: { entries: { get: () => app.entry } },
    },
  };
  app.entry = { seq: 7, board };
  app.series = new MoveSeries(app);
  return app;
}

/** Mine the last transaction of the series and update the board. */
function played(app, board = app.entry.board) {
  app.sent.at(-1).state = "mined";
  app.entry = { seq: app.entry.seq + 2, board: { ...board, ply: app.entry.board.ply + 1 } };
  app.series.advance();
}
const end = (app) => app.series.of(MATCH).end?.key;

test("the page sends the next move when the previous move is done", () => {
  const app = page();
  app.series.begin(MATCH);
  app.series.advance();
  assert.equal(app.sent.length, 1);
  played(app);
  assert.equal(app.sent.length, 2);
  assert.equal(end(app), undefined);
});

test("a series ends when anybody's ship sinks, at the end of the match, and when the player stops it", () => {
  const ends = [
    [boardOf([3]), "touche-coule.series.sunk"],
    [boardOf([1]), "touche-coule.series.last-ship"],
    [boardOf([1, 2]), "touche-coule.series.all-sunk"],
    [boardOf([3, 4], { status: "finished" }), "series.over"],
  ];
  for (const [board, key] of ends) {
    const app = page();
    app.series.begin(MATCH);
    played(app, board);
    assert.equal(end(app), key);
    app.series.advance();
    assert.equal(app.sent.length, 1);
  }
  const app = page();
  app.series.begin(MATCH);
  app.series.stop({ key: "series.stopped" });
  played(app);
  assert.deepEqual([end(app), app.sent.length], ["series.stopped", 1]);
});

test("a series ends when somebody's ships share their maps, unless they are a computer's or the player's own", () => {
  for (const [owner, key] of [
    [BOB, "touche-coule.series.message"],
    [ANN, undefined],
    [COM, undefined],
  ]) {
    const app = page();
    app.series.begin(MATCH);
    app.events = [{ name: "Communicated", seq: 8, args: { owner } }];
    played(app);
    assert.equal(end(app), key);
  }
});

test("a rejection ends a series with its reason, unless another player's turn came first", () => {
  const refused = (key) => {
    const app = page();
    app.series.begin(MATCH);
    Object.assign(app.sent[0], { state: "refused", reason: { sentence: { key }, small: "" } });
    app.series.advance();
    return [end(app), app.sent.length];
  };
  assert.deepEqual(refused("error.Paused"), ["error.Paused", 1]);
  assert.deepEqual(refused("touche-coule.error.StaleMove"), [undefined, 2]);
  const app = page();
  app.series.begin(MATCH);
  Object.assign(app.sent[0], { state: "refused", at: Date.now(), reason: { sentence: { key: repeats.harmless[0] } } });
  app.series.advance();
  assert.equal(app.sent.length, 1, "the page does not retry immediately");
});

test("a series waits if the reason is temporary, and ends otherwise", () => {
  const app = page({ why: { key: "touche-coule.why.too-soon" } });
  app.series.begin(MATCH);
  assert.deepEqual([end(app), app.sent.length], [undefined, 0]);
  app.reason = { key: "why.no-funds" };
  app.series.advance();
  assert.deepEqual([end(app), app.sent.length], ["why.no-funds", 0]);
});

test("a series is limited by its number of moves and by its fees", () => {
  const app = page();
  app.series.begin(MATCH);
  for (let n = 0; n < repeats.maximum; n++) played(app);
  assert.deepEqual([end(app), app.sent.length], ["series.count", repeats.maximum]);
  const dear = page({ fee: MAX_FEES / 700_000n });
  dear.series.begin(MATCH);
  played(dear);
  played(dear);
  assert.deepEqual([end(dear), dear.sent.length], ["series.fees", 2]);
});

test("a series ends when the account or the chain changes or the player leaves, and never begins with a wallet that prompts", () => {
  const app = page();
  app.series.begin(MATCH);
  app.accounts.me = BOB;
  app.series.advance();
  assert.equal(app.series.current.end.key, "series.left");
  const left = page();
  left.series.begin(MATCH);
  left.entry = null;
  left.series.advance();
  assert.equal(end(left), "series.left");
  left.series.reset();
  assert.equal(left.series.of(MATCH), null);
  const asking = page({ silent: false });
  asking.series.begin(MATCH);
  assert.equal(asking.series.current, null);
});
