// Tests that the page closes a player's own open matches when the player returns after a while,
// unless an opponent might still come.
import assert from "node:assert/strict";
import { test } from "node:test";

import { AbandonedMatches } from "../../../../../frontend-static/app/lobby/abandoned.js";
import { replaceGlobals, storageOf } from "../../../node/globals.mjs";
import { ANN, BOB, page, useBrowser } from "../page.mjs";

useBrowser();

const MATCH = "tic-tac-toe/1";
const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;

/** Return Ann's page after her absence, its sent transactions, and its storage. @param {number} away milliseconds */
async function returning(context, away, change = () => undefined) {
  context.mock.timers.enable({ apis: ["Date"], now: NOW });
  const stored = new Map([["chainboard.seen", String(NOW - away)]]);
  context.after(replaceGlobals({ localStorage: storageOf(stored) }));
  const app = await page({ own: [ANN] });
  const sent = [];
  app.accounts.list = [{ address: ANN, kind: "browser", key: "0x1" }];
  app.actions.why = () => null;
  app.actions.submit = (slug, action, match, _values, account) => {
    sent.push(`${action.name} ${match} ${account === ANN}`);
    return { state: "sent" };
  };
  app.autoMoves.locked.add(ANN);
  app.autoMoves.requested.add(ANN);
  const row = app.server.board("lobby").matches[MATCH];
  Object.assign(row, { players: [ANN], stake: "0", status: "open" });
  delete row.opponent;
  const opening = { match: "", opened: MATCH, at: NOW - 2 * HOUR, state: "mined" };
  app.transactions.list.push(opening);
  const board = { ...app.server.board(MATCH), status: "open", players: { [ANN]: { seat: 0 } } };
  app.server.socket.entries.get(MATCH).board = board;
  app.abandoned = new AbandonedMatches(app);
  change({ app, row, opening, board });
  return { app, sent, stored };
}

test("in the lobby, the page closes a match that was opened before the absence, once", async (context) => {
  const { app, sent } = await returning(context, HOUR);
  app.abandoned.advance("tic-tac-toe/2");
  assert.deepEqual(sent, [], "nothing is closed while the player looks at something else");
  app.abandoned.advance(undefined, true);
  app.abandoned.advance(undefined, true);
  assert.deepEqual(sent, [`close ${MATCH} true`]);
});

const STAYS = {
  "the absence was short": [9 * 60_000],
  "it was opened since": [HOUR, ({ opening }) => (opening.at = NOW - HOUR)],
  "another browser opened it": [HOUR, ({ opening }) => (opening.opened = undefined)],
  "somebody is invited": [HOUR, ({ row }) => (row.opponent = BOB)],
  "a seat is reserved": [HOUR, ({ row }) => (row.invited = { 1: BOB })],
  "it is for more than two": [HOUR, ({ row }) => (row.seatCount = 3)],
  "somebody has come": [HOUR, ({ row }) => row.players.push(BOB)],
  "somebody has come since it was listed": [HOUR, ({ board }) => (board.players[BOB] = { seat: 1 })],
  "it has begun since it was listed": [HOUR, ({ board }) => (board.status = "playing")],
  "its board is not known": [HOUR, ({ app }) => app.server.socket.entries.delete(MATCH)],
  "something is at stake": [HOUR, ({ row }) => (row.stake = "5")],
  "it is another's": [HOUR, ({ row }) => (row.players = [BOB])],
  "a wallet would be asked": [HOUR, ({ app }) => delete app.accounts.list[0].key],
  "moves cost something": [HOUR, ({ app }) => (app.server.health.development = false)],
  "a sponsor pays": [HOUR, ({ app }) => Object.assign(app.server.health, { development: false, sponsor: true })],
  "its link was passed on": [HOUR, ({ app }) => app.abandoned.keepOpen(MATCH)],
  "its host has gone back to it": [HOUR, ({ app }) => app.abandoned.advance(MATCH)],
  "another tab acts for the account": [HOUR, ({ app }) => app.autoMoves.locked.clear()],
  "it can't be sent now": [HOUR, ({ app }) => (app.actions.why = () => ({ key: "why.filling" }))],
};
for (const [what, [away, change]] of Object.entries(STAYS))
  test(`a match stays open if ${what}`, async (context) => {
    const { app, sent } = await returning(context, away, change);
    app.abandoned.advance(undefined, true);
    assert.deepEqual(sent, []);
  });

test("a browser on its first visit has nothing to close", async (context) => {
  const { app, sent } = await returning(context, NOW, ({ opening }) => (opening.at = 0));
  app.abandoned.advance(undefined, true);
  assert.deepEqual(sent, []);
});

test("a player with an open page counts as present, and matches that stay open are stored for this chain", async (context) => {
  const { app, stored } = await returning(context, HOUR);
  app.abandoned.noteSeen();
  assert.equal(stored.get("chainboard.seen"), String(NOW));
  context.mock.timers.setTime(NOW + 5000);
  app.abandoned.noteSeen();
  assert.equal(stored.get("chainboard.seen"), String(NOW), "the time is not written at each tick");
  app.abandoned.noteSeen(true);
  assert.equal(stored.get("chainboard.seen"), String(NOW + 5000), "the time is written when the player leaves");
  context.mock.timers.setTime(NOW + 20_000);
  app.abandoned.noteSeen();
  assert.equal(stored.get("chainboard.seen"), String(NOW + 20_000));
  for (const match of [MATCH, MATCH, ...Array.from({ length: 60 }, (_, i) => `nim/${i}`)])
    app.abandoned.keepOpen(match);
  const shared = JSON.parse(stored.get("chainboard.kept-open"));
  assert.deepEqual([shared.length, shared[0], new Set(shared).size], [50, `${app.server.identity} nim/59`, 50]);
});
