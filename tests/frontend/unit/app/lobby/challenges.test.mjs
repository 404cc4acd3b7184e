// Tests which challenges (invitations to matches) the page announces to its accounts.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ANN, BOB, page, useBrowser } from "../page.mjs";
import { Turns } from "../../../../../frontend-static/app/notices/turns.js";

useBrowser();

const CAROL = `0x${"c".repeat(40)}`;
const MATCH = "tic-tac-toe/9";
const ROW = { match: MATCH, game: "tic-tac-toe", id: 9, seq: 1, status: "open", players: [CAROL], created: 1, time: 1 };

/**
 * Return the challenges that a page with Ann's and Bob's accounts announces if this row is in the
 * lobby.
 */
async function announced(row) {
  const app = await page();
  app.server.board("lobby").matches = { [MATCH]: { ...ROW, attended: true, opponent: ANN, ...row } };
  return { app, matches: app.challenges.waiting().map(({ match }) => match) };
}

test("the page announces a match that waits for one of its accounts and whose host is present", async () => {
  assert.deepEqual((await announced({})).matches, [MATCH]);
  assert.deepEqual(
    (await announced({ opponent: BOB })).matches,
    [MATCH],
    "challenges to an account that isn't in use count, too",
  );
  for (const row of [
    { attended: false },
    { attended: undefined },
    { opponent: undefined },
    { opponent: CAROL },
    { status: "playing" },
    { players: [BOB] },
    { players: [CAROL, ANN] },
  ])
    assert.deepEqual((await announced(row)).matches, [], JSON.stringify(row));
});

test("the host's presence comes from the lobby's rows and is kept when the player's own rows are loaded", async () => {
  const { app } = await announced({});
  app.myMatches.rows = [{ ...ROW, opponent: ANN }];
  assert.equal(app.challenges.waiting().length, 1);
  app.challenges.dismiss();
  assert.equal(app.challenges.waiting().length, 0);
  app.challenges.reset();
  assert.equal(app.challenges.waiting().length, 1);
});

test("the page announces a challenge when it first appears, but not a challenge from before the page was loaded", () => {
  const turns = new Turns();
  const state = { match: MATCH, game: "tic-tac-toe", mine: true, challenges: true };
  assert.deepEqual(turns.update([state], undefined), []);
  turns.forget();
  assert.deepEqual(turns.update([], undefined), []);
  assert.deepEqual(turns.update([state], undefined), [state]);
  assert.deepEqual(turns.update([state], undefined), []);
});
