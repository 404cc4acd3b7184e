// Tests that a rematch has the settings of the first match, and that the page invites the opponent
// to the rematch.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ANN, BOB, page, useBrowser } from "./page.mjs";
import {
  isSameAgain,
  nextMatch,
  offeredRematch,
  openedBy,
  rematch,
  rematchesOf,
  resolveDuplicateRematch,
  settingsOf,
} from "../../../../frontend-static/app/lobby/rematch.js";
import { fromReset } from "../../../../frontend-static/lib/board.js";
import { rematchDraft } from "../../../../frontend-static/games/conquest/draft/rematch.js";
import { settingsOf as ofDeblockle } from "../../../../frontend-static/games/deblockle/renderer.js";

useBrowser();

const EVE = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const input = (name, kind) => ({ name, kind, label: name, minimum: 0, maximum: 100, default: null });
const players = { [ANN]: { seat: 0 }, [BOB]: { seat: 1 } };

test("a rematch has the settings and the players of the match", async () => {
  const app = await page();
  const game = app.server.games.get("tic-tac-toe");
  const create = { inputs: [input("challenger", "opponent"), input("clock", "clock"), input("stake", "amount")] };
  const board = { players, clock: 300, stake: "1500000000000000000" };
  assert.deepEqual(settingsOf(app, game, create, board), { challenger: BOB, clock: 300, stake: "1.5" });
  const sea = { inputs: [input("width", "int"), input("height", "int"), input("captains", "bool")] };
  const size = { players, width: 9, height: 5, captains: false };
  assert.deepEqual(settingsOf(app, game, sea, size), { width: 9, height: 5, captains: false });
  assert.deepEqual(ofDeblockle({ setup: 3, ruleset: "near" }), { cubes: 3, ruleset: 0 });
});

test("if a rematch needs a fleet or a stake, the page fills in its form first", async () => {
  const app = await page();
  const game = app.server.games.get("battleship");
  rematch(app, game, "battleship/3", { ...app.server.board("battleship/3"), clock: 60, stake: "0" });
  assert.equal(app.ui.typed["battleship.clock"], 60);
  assert.equal(app.ui.typed["battleship.stake"], "0");
  assert.notEqual(app.ui.typed["battleship.opponent"], undefined);
  assert.equal(app.ui.openingTx, null);
});

test("a rematch of Conquest seats all players again", () => {
  const computer = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
  const opponents = [{ game: "conquest", name: "dumb", strength: 1, accounts: [{ address: computer, rating: null }] }];
  const board = { map: { grain: 50 }, seatCount: 3, players: { ...players, [computer]: { seat: 2 } } };
  const { grain, players: n, seats } = rematchDraft(board, ANN, opponents);
  assert.deepEqual([grain, n, seats.length], [50, 3, 5]);
  assert.deepEqual(seats.slice(0, 3), [
    { who: "address", address: BOB },
    { who: "dumb", address: "" },
    { who: "anyone", address: "" },
  ]);
});

/** Add an open match to the page, as a row in the lobby and as a board. */
function invite(app, match, by, to, board = {}) {
  const [game, id] = match.split("/");
  app.server.board("lobby").matches[match] = {
    ...{ match, game, id: Number(id), status: "open", opponent: to, players: [by] },
    ...{ attended: true, created: 1_800_000_100, time: 1_800_000_100 },
  };
  const open = { status: "open", creator: by, opponent: to, players: { [by]: { seat: 0 } }, stake: "0", ...board };
  app.server.socket.entries.set(match, fromReset({ seq: 1, block: app.server.head, board: open }));
}

test("an invitation by the opponent is the rematch, but an earlier invitation or another player's is not", async () => {
  const app = await page();
  const { me } = app.accounts;
  const board = { players: { [me]: { seat: 0 }, [BOB]: { seat: 1 } } };
  assert.equal(offeredRematch(app, "deblockle/5", board), undefined);
  invite(app, "deblockle/8", EVE, me);
  invite(app, "deblockle/4", BOB, me);
  assert.equal(offeredRematch(app, "deblockle/5", board), undefined);
  invite(app, "deblockle/9", BOB, me); // match 4 is still open, but it is older than match 5
  assert.equal(offeredRematch(app, "deblockle/5", board)?.id, 9);
  assert.equal(offeredRematch(app, "deblockle/5", { players: { [BOB]: {} } }), undefined);
});

test("a rematch by the contract itself is the opponent's wish, a match to go to, or nothing if it was closed", async () => {
  const app = await page();
  const { me } = app.accounts;
  const board = { players: { [me]: { seat: 0 }, [BOB]: { seat: 1 } }, status: "finished" };
  const next = () => nextMatch(app, "tic-tac-toe/3", { ...board, rematch: 7 });
  assert.equal(nextMatch(app, "tic-tac-toe/3", board), null);
  assert.deepEqual(next(), { match: "tic-tac-toe/7", by: "" });
  invite(app, "tic-tac-toe/7", BOB, me);
  assert.deepEqual(next(), { match: "tic-tac-toe/7", by: BOB });
  delete app.server.board("lobby").matches["tic-tac-toe/7"]; // if the lobby's list is long, it leaves out some matches
  assert.deepEqual(next(), { match: "tic-tac-toe/7", by: BOB });
  app.server.board("tic-tac-toe/7").status = "playing";
  assert.deepEqual(next(), { match: "tic-tac-toe/7", by: "" });
  app.server.board("tic-tac-toe/7").status = "cancelled";
  assert.equal(next(), null);
  invite(app, "tic-tac-toe/9", me, BOB);
  assert.deepEqual(next(), { match: "tic-tac-toe/9", by: "" });
});

test("a press takes a seat in the rematch if the terms are unchanged", async () => {
  const app = await page();
  const { me } = app.accounts;
  const game = app.server.games.get("tic-tac-toe");
  const board = { players: { [me]: { seat: 0 }, [BOB]: { seat: 1 } }, status: "finished", clock: 300, stake: "0" };
  const next = { match: "tic-tac-toe/7", by: BOB };
  assert.equal(isSameAgain(app, game, board, next), false); // the page hasn't loaded the rematch's board yet
  for (const [terms, same] of [
    [{ clock: 300 }, true],
    [{ clock: 60 }, false],
    [{ clock: 300, stake: "5" }, false],
  ]) {
    invite(app, next.match, BOB, me, terms);
    assert.equal(isSameAgain(app, game, board, next), same);
  }
  invite(app, next.match, BOB, me, { clock: 300 });
  rematch(app, game, "tic-tac-toe/3", board);
  assert.equal(app.quickPlay.joining?.match, next.match);
  assert.equal(app.ui.openingTx, null);
});

test("a rematch by the contract itself leads to the match that the transaction opened, joined or named", async () => {
  const app = await page();
  const tx = { match: "tic-tac-toe/3", game: "tic-tac-toe", action: "rematch", state: "sent" };
  const board = app.server.board("tic-tac-toe/3");
  delete board.rematch;
  assert.equal(openedBy(app, { ...tx, state: "mined" }), undefined); // the board doesn't contain the rematch's number yet
  const named = { sentence: { key: "tic-tac-toe.error.RematchExists", args: { rematch: 8 } }, small: "" };
  assert.equal(openedBy(app, { ...tx, state: "refused", reason: named }), "tic-tac-toe/8");
  board.rematch = 7;
  assert.equal(openedBy(app, tx), undefined);
  assert.equal(openedBy(app, { ...tx, state: "mined" }), "tic-tac-toe/7");
  assert.equal(
    openedBy(app, { ...tx, match: "", action: "create", state: "mined", opened: "tic-tac-toe/9" }),
    "tic-tac-toe/9",
  );
});

test("if two invitations cross, the later match is closed, and its host goes to the earlier match", async () => {
  const app = await page({ own: [ANN] });
  const terms = { clock: 300 };
  invite(app, "tic-tac-toe/7", BOB, ANN, terms);
  invite(app, "tic-tac-toe/8", ANN, BOB, terms);
  assert.deepEqual(rematchesOf(app, "tic-tac-toe/8"), ["tic-tac-toe/7"]);
  resolveDuplicateRematch(app, "tic-tac-toe/8");
  assert.equal(app.quickPlay.joining, null); // this browser didn't open match 8, so it doesn't join match 7
  app.transactions.list.push({ id: "1", match: "", game: "tic-tac-toe", state: "mined", opened: "tic-tac-toe/8" });
  const earlier = app.server.board("lobby").matches["tic-tac-toe/7"];
  earlier.attended = false; // the host of match 7 has left, so the page doesn't join
  resolveDuplicateRematch(app, "tic-tac-toe/8");
  assert.equal(app.quickPlay.joining, null);
  earlier.attended = true;
  resolveDuplicateRematch(app, "tic-tac-toe/8");
  assert.equal(app.quickPlay.joining?.match, "tic-tac-toe/7");
  assert.deepEqual(app.pairing.unjoined.matches(), ["tic-tac-toe/8"]);
});

test("a challenge soon after a match between the two is a rematch, and the page does not announce its own rematches", async () => {
  const app = await page({ own: [ANN] });
  const { matches } = app.server.board("lobby");
  Object.assign(matches["tic-tac-toe/3"], { players: [ANN, BOB] });
  invite(app, "tic-tac-toe/7", BOB, ANN);
  const [challenge] = app.challenges.waiting();
  assert.equal(challenge.match, "tic-tac-toe/7");
  assert.equal(app.challenges.isRematch(challenge), true);
  assert.equal(app.challenges.isRematch({ ...challenge, created: matches["tic-tac-toe/3"].time - 5 }), true); // after the challenge, a payout updated match 3
  assert.equal(app.challenges.isRematch({ ...challenge, id: 2 }), false);
  assert.equal(app.challenges.isRematch({ ...challenge, created: challenge.created + 86_400 }), false);
  assert.equal(app.challenges.isRematch({ ...challenge, players: [EVE] }), false);
  invite(app, "tic-tac-toe/6", ANN, BOB);
  assert.deepEqual(app.challenges.waiting(), []);
  matches["tic-tac-toe/6"].attended = false; // the host of match 6 is not present
  assert.equal(app.challenges.waiting()[0]?.match, "tic-tac-toe/7");
});
