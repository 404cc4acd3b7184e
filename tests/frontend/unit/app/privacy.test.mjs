// Tests that the page hides a player's secrets if two players of a match share a browser, until the
// player confirms that they are at the screen.
import assert from "node:assert/strict";
import { test } from "node:test";

import { isCovered, noteSeen } from "../../../../frontend-static/app/match/privacy.js";

const [ANN, BOB, EVE] = ["0xA", "0xB", "0xE"];
const SEA = "sea/1";
const both = { players: { [ANN]: {}, [BOB]: {} } };

/**
 * Return a page with these boards and accounts. Ann's account was in use when the page was loaded.
 * All games on the page have secrets.
 */
function browser(boards, addresses = [ANN, BOB]) {
  const hasSecret = ({ board, me }) => Boolean(board.players[me]);
  const app = {
    accounts: { me: ANN, list: addresses.map((address) => ({ address })) },
    ui: { loadedBy: ANN, lastSeenBy: new Map() },
    server: { renderer: () => ({ hasSecret }), board: (match) => app.boards[match] },
    live: { renderContext: (match) => ({ board: app.boards[match], me: app.accounts.me }) },
    boards,
  };
  return app;
}

test("a match is covered from the other player in this browser, and from nobody else", () => {
  const app = browser({ [SEA]: both });
  assert.equal(isCovered(app, SEA), false, "Ann loaded the page");
  app.accounts.me = BOB;
  assert.equal(isCovered(app, SEA), true);
  app.ui.lastSeenBy.set(SEA, BOB);
  assert.equal(isCovered(app, SEA), false, "this player has confirmed");
  app.accounts.me = EVE;
  assert.equal(isCovered(app, SEA), false, "this account has no secret in the match");
  assert.equal(isCovered(browser({ [SEA]: both }, [ANN]), SEA), false, "the opponent doesn't use this browser");
});

test("a missing board does not remove the cover once the board has arrived", () => {
  const app = browser({});
  app.accounts.me = BOB;
  noteSeen(app, SEA);
  assert.equal(isCovered(app, SEA), false, "nothing is drawn");
  app.boards = { [SEA]: both };
  noteSeen(app, SEA);
  assert.equal(isCovered(app, SEA), true);
});

test("finding out if a match is covered records nothing", () => {
  for (const boards of [{}, { [SEA]: both }, { [SEA]: { players: { [ANN]: {} } } }]) {
    const app = browser(boards);
    isCovered(app, SEA);
    assert.equal(app.ui.lastSeenBy.size, 0);
  }
});

test("a player who uses the page while nobody else in this browser plays a match has seen that match", () => {
  const app = browser({ [SEA]: { players: { [BOB]: {} } } });
  app.accounts.me = BOB;
  noteSeen(app, SEA);
  app.boards = { [SEA]: both };
  assert.equal(isCovered(app, SEA), false);
  app.accounts.me = ANN;
  noteSeen(app, SEA);
  assert.equal(isCovered(app, SEA), true);
});
