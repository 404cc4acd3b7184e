// Play joins a host who is here; where the host leaves, or another player is faster, the computer plays instead.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ANN, BOB, effects, page, useBrowser } from "../page.mjs";

useBrowser();

const SLUG = "tic-tac-toe";
const MATCH = `${SLUG}/1`;
const CAROL = `0x${"c".repeat(40)}`;

/** A page that joins a match of Bob's: what is sent, and what the board is. */
async function joining(board = {}) {
  const app = await page();
  const sent = [];
  app.actions.why = () => null;
  app.actions.submit = (slug, action, match) => {
    const tx = { game: slug, action: action.name, match, state: "sent" };
    sent.push(tx);
    return tx;
  };
  app.opponents.list = [{ game: SLUG, name: "careful", accounts: [{ address: CAROL }] }];
  const entry = app.server.socket.entries.get(MATCH);
  entry.board = { status: "open", players: { [BOB]: { seat: 0 } }, ...board };
  effects.length = 0;
  app.quickPlay.join(MATCH);
  return { app, entry, sent };
}

const orders = (sent) => sent.map(({ action, match }) => `${action} ${match}`.trim());

test("it goes to the match, and takes a seat once the board is there, once", async () => {
  const { app, entry, sent } = await joining();
  assert.deepEqual(effects, [`go to #/match/${MATCH}`]);
  const { board } = entry;
  entry.board = null;
  app.quickPlay.advance(MATCH);
  assert.deepEqual(sent, [], "no board yet");
  entry.board = board;
  app.actions.why = () => ({ key: "why.filling" });
  app.quickPlay.advance(MATCH);
  assert.deepEqual(sent, [], "no ether yet");
  app.actions.why = () => null;
  app.quickPlay.advance(MATCH);
  app.quickPlay.advance(MATCH);
  assert.deepEqual(orders(sent), [`accept ${MATCH}`]);
  entry.board = { ...board, status: "playing", players: { ...board.players, [ANN]: { seat: 1 } } };
  app.quickPlay.advance(MATCH);
  assert.equal(app.quickPlay.joining, null);
});

test("who leaves the match, or changes the account, joins nothing", async () => {
  for (const leave of [(app) => app.quickPlay.advance("tic-tac-toe/2"), (app) => app.quickPlay.advance(undefined)]) {
    const { app, sent } = await joining();
    leave(app);
    app.quickPlay.advance(MATCH);
    assert.deepEqual(sent, []);
  }
  const { app, sent } = await joining();
  app.quickPlay.joining.account = BOB;
  app.quickPlay.advance(MATCH);
  assert.deepEqual(sent, []);
});

const GONE = {
  "the host has cancelled": { board: { status: "cancelled" } },
  "another player was faster": { board: { status: "playing" } },
  "the transaction failed": { state: "failed" },
  "the transaction was refused": { state: "refused" },
};
for (const [what, { board, state }] of Object.entries(GONE))
  test(`where ${what}, the computer plays instead`, async () => {
    const { app, entry, sent } = await joining();
    app.quickPlay.advance(MATCH);
    if (state) sent[0].state = state;
    entry.board = { ...entry.board, ...board };
    app.quickPlay.advance(MATCH);
    await new Promise(setImmediate);
    assert.deepEqual(orders(sent), [`accept ${MATCH}`, "create"]);
    assert.equal(app.ui.openingTx, sent[1]);
    assert.equal(app.quickPlay.joining, null);
  });

test("a game without a seat for its opener is joined as soon as it is open, as often as it takes", async () => {
  const { app, sent } = await joining();
  const sea = "touche-coule/1";
  const entry = app.server.socket.entries.get(sea);
  entry.board = { status: "open", players: {}, ships: {} };
  app.server.renderers.set("touche-coule", { joinAction: "register", joinCount: 2 });
  const tx = { opened: sea };
  app.quickPlay.onOpened(tx);
  assert.equal(app.quickPlay.joining.match, MATCH, "opened by something else");
  app.quickPlay.opening = tx;
  app.quickPlay.onOpened(tx);
  app.quickPlay.advance(sea);
  app.quickPlay.advance(sea);
  app.quickPlay.advance(sea);
  assert.deepEqual(orders(sent), [`register ${sea}`, `register ${sea}`]);
  sent[1].state = "failed";
  app.quickPlay.advance(sea);
  await new Promise(setImmediate);
  assert.deepEqual([sent.length, app.quickPlay.joining], [2, null], "no other one is opened");
});

test("an unfinished match with the weakest computer is gone on with; without computers, one's own that waits", async () => {
  const app = await page();
  const game = app.server.games.get(SLUG);
  const create = app.actions.of(SLUG, "create");
  create.inputs = [{ name: "challenger", kind: "opponent" }];
  app.opponents.list = [{ game: SLUG, name: "careful", accounts: [{ address: BOB }] }];
  assert.equal(app.quickPlay.unfinished(game), `${SLUG}/2`);
  assert.equal(app.quickPlay.whyNot(game), null);
  app.opponents.list = [{ game: SLUG, name: "careful", accounts: [{ address: CAROL }] }];
  assert.equal(app.quickPlay.unfinished(game), undefined);
  app.opponents.list = [];
  assert.equal(app.quickPlay.unfinished(game), MATCH);
});
