// Tests the button Play, which joins the match of a host who is present. If the host leaves or
// another player is faster, the page opens a match with the computer instead.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ANN, BOB, effects, page, useBrowser } from "../page.mjs";

useBrowser();

const SLUG = "tic-tac-toe";
const MATCH = `${SLUG}/1`;
const CAROL = `0x${"c".repeat(40)}`;

/**
 * Return a page that is joining Bob's match, the page's entry for this match, and the list of sent
 * transactions.
 */
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

test("the page goes to the match and takes a seat once when the board has arrived", async () => {
  const { app, entry, sent } = await joining();
  assert.deepEqual(effects, [`go to #/match/${MATCH}`]);
  const { board } = entry;
  entry.board = null;
  app.quickPlay.advance(MATCH);
  assert.deepEqual(sent, [], "there is no board yet");
  entry.board = board;
  app.actions.why = () => ({ key: "why.filling" });
  app.quickPlay.advance(MATCH);
  assert.deepEqual(sent, [], "there is no ether yet");
  app.actions.why = () => null;
  app.quickPlay.advance(MATCH);
  app.quickPlay.advance(MATCH);
  assert.deepEqual(orders(sent), [`accept ${MATCH}`]);
  entry.board = { ...board, status: "playing", players: { ...board.players, [ANN]: { seat: 1 } } };
  app.quickPlay.advance(MATCH);
  assert.equal(app.quickPlay.joining, null);
});

test("a player who leaves the match or changes the account joins nothing", async () => {
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
  test(`if ${what}, the player plays the computer instead`, async () => {
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

test("if the opener of a match has no seat yet, the page joins the open match as often as needed", async () => {
  const { app, sent } = await joining();
  const sea = "touche-coule/1";
  const entry = app.server.socket.entries.get(sea);
  entry.board = { status: "open", players: {}, ships: {} };
  app.server.renderers.set("touche-coule", { joinAction: "register", joinCount: 2 });
  const tx = { opened: sea };
  app.quickPlay.onOpened(tx);
  assert.equal(app.quickPlay.joining.match, MATCH, "another part of the page has opened this match");
  app.quickPlay.opening = tx;
  app.quickPlay.onOpened(tx);
  app.quickPlay.advance(sea);
  app.quickPlay.advance(sea);
  app.quickPlay.advance(sea);
  assert.deepEqual(orders(sent), [`register ${sea}`, `register ${sea}`]);
  sent[1].state = "failed";
  app.quickPlay.advance(sea);
  await new Promise(setImmediate);
  assert.deepEqual([sent.length, app.quickPlay.joining], [2, null], "no further match is opened");
});

test("Play resumes an unfinished match with the weakest computer or, without computers, the player's own open match", async () => {
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
