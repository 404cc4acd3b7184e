// Tests that repeated presses open only one match, and that the player can open another match
// afterwards.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ANN, BOB, at, page, useBrowser } from "../app/page.mjs";
import { find, textOf } from "./tree.mjs";
import { lobbyPage } from "../../../../frontend-static/views/lobby/page.js";
import { newPage } from "../../../../frontend-static/views/new-match.js";
import { playAgain } from "../../../../frontend-static/views/parts/new-match-form.js";

useBrowser();

const SLUG = "tic-tac-toe";
const ON_ITS_WAY = { key: "why.on-its-way" };

/** Return a page with a transaction that opens a match. */
async function opening(state, more = {}) {
  const app = await page();
  const { journal, list } = app.transactions;
  const tx = { id: "1", match: "", game: SLUG, action: "create", account: ANN, at: Date.now(), tab: journal.tab };
  list.push({ ...tx, hashes: [], state, ...more });
  const create = app.server.games.get(SLUG).actions.find(({ name }) => name === "create");
  return { app, why: (me = ANN, slug = SLUG) => app.actions.why("", create, {}, me, slug) };
}

for (const state of ["waiting", "simulated", "signed", "sent"])
  test(`while a match is ${state}, no second match is opened`, async () => {
    const { why } = await opening(state);
    assert.deepEqual(why(), ON_ITS_WAY);
    assert.equal(why(BOB), null, "another account");
  });

for (const state of ["mined", "failed", "refused", "cancelled"])
  test(`after a match that is ${state}, the next match can be opened`, async () => {
    assert.equal((await opening(state)).why(), null);
  });

test("a press in another tab counts separately, but a pending press from a page that was left does not", async () => {
  assert.equal((await opening("sent", { tab: "other" })).why(), null);
  assert.deepEqual((await opening("sent", { tab: "gone", at: 1 })).why(), ON_ITS_WAY);
  assert.deepEqual(
    (await opening("sent", { seat: BOB })).why(BOB),
    ON_ITS_WAY,
    "the match is being opened by a session key",
  );
});

test("the form for a new match shows that a match is being opened, and reserves the space for the cost", async () => {
  const { app } = await opening("sent");
  app.server.price = 10n ** 9n;
  at(app, `#/new/${SLUG}`);
  const tree = newPage(app, SLUG);
  const [button] = find(tree, ({ id }) => id === `new-match-${SLUG}`);
  assert.deepEqual([button.props.disabled, button.props["data-pending"]], [true, true]);
  assert.equal(textOf(find(tree, ({ id }) => id === `why-new-match-${SLUG}`)), "This is already being sent.");
  assert.equal(find(tree, (props) => props["data-tx"] === "1").length, 1);
});

test("the rematch button shows the reason, too", async () => {
  const { app } = await opening("sent");
  const tree = playAgain(app, SLUG);
  assert.equal(find(tree, ({ id }) => id === "again")[0].props.disabled, true);
  assert.match(textOf(tree), /This is already being sent\.$/);
});

test("a match against a computer can't be opened a second time, either", async () => {
  const { app } = await opening("sent", { game: "battleship", action: "invite" });
  const game = app.server.games.get("battleship");
  const invite = game.actions.find(({ name }) => name === "invite");
  const [one] = app.opponents.of("battleship");
  assert.deepEqual(
    app.opponents.whyNot(game, invite, one),
    ON_ITS_WAY,
    "a game that needs preparation is blocked, too",
  );
});

/** Return the game's card in a lobby without matches. */
function card(app) {
  app.server.board("lobby").matches = {};
  at(app, "#/");
  const tree = find(lobbyPage(app), ({ id }) => id === `game-${SLUG}`);
  const [play] = find(tree, ({ id }) => id === `play-${SLUG}`);
  return { play, tree, note: find(tree, ({ id }) => id === play.props["aria-describedby"]) };
}

test("the card shows that a match is being opened, too, and a press does nothing", async () => {
  const { app } = await opening("sent");
  const { play, note } = card(app);
  assert.deepEqual([play.props.disabled, play.props["data-pending"]], [true, true]);
  assert.match(textOf(note), /^This is already being sent\.pending$/);
  app.actions.submit = () => assert.fail("sent");
  play.props.onclick();
});

test("a new account counts as being funded until the faucet has answered", async () => {
  const app = await page();
  const note = () => textOf(card(app).note);
  app.accounts.balances.set(ANN, 0n);
  app.accounts.fundRequests.clear();
  assert.equal(note(), "Adding funds to your new wallet. One moment…", "the balance can be known first");
  app.accounts.filling.set(ANN, Promise.resolve());
  app.accounts.fundRequests.add(ANN);
  assert.equal(note(), "Adding funds to your new wallet. One moment…");
  app.accounts.unfunded = { sentence: { key: "problem.faucet-too-often" }, small: "" };
  assert.equal(note(), "The faucet is busy. Retrying in a moment…");
  app.accounts.filling.delete(ANN);
  assert.equal(note(), "Your wallet has no ETH to pay for moves.");
});

test("without ether, a card shows once why nothing can be played", async () => {
  const app = await page();
  app.accounts.balances.set(ANN, 0n);
  const { play, note, tree } = card(app);
  assert.equal(play.props.disabled, true);
  assert.equal(textOf(note), "Your wallet has no ETH to pay for moves.");
  assert.equal(textOf(tree).split("Your wallet has").length, 2);
});

test("a card shows why the last match was not opened", async () => {
  const { app } = await opening("refused", { reason: { sentence: { key: "node.funds" }, small: "" } });
  app.opponents.opening = { tx: app.transactions.list.at(-1), computer: "" }; // the match was meant for the computer
  const { play, note } = card(app);
  assert.equal(play.props.disabled, false);
  assert.equal(find(note, (props) => props.class === "trouble").length, 1);
});
