// A rematch: what the same match once more begins with, and the invitation to one.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ANN, BOB, page, useBrowser } from "./page.mjs";
import { offeredRematch, rematch, settingsOf } from "../../../../frontend-static/app/lobby/rematch.js";
import { rematchDraft } from "../../../../frontend-static/games/conquest/draft/rematch.js";
import { settingsOf as ofDeblockle } from "../../../../frontend-static/games/deblockle/renderer.js";

useBrowser();

const EVE = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const input = (name, kind) => ({ name, kind, label: name, minimum: 0, maximum: 100, default: null });
const players = { [ANN]: { seat: 0 }, [BOB]: { seat: 1 } };

test("the settings are those of the match, for who played it", async () => {
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

test("where a fleet is laid or a stake is put in, its page is filled in first", async () => {
  const app = await page();
  const game = app.server.games.get("battleship");
  rematch(app, game, "battleship/3", { ...app.server.board("battleship/3"), clock: 60, stake: "0" });
  assert.equal(app.ui.typed["battleship.clock"], 60);
  assert.equal(app.ui.typed["battleship.stake"], "0");
  assert.notEqual(app.ui.typed["battleship.opponent"], undefined);
  assert.equal(app.ui.openingTx, null);
});

test("Conquest seats all that played again", () => {
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

test("an invitation of the other is the rematch; another's is not", async () => {
  const app = await page();
  const board = { players: { [app.accounts.me]: { seat: 0 }, [BOB]: { seat: 1 } } };
  const rows = app.server.board("lobby").matches;
  const row = { game: "deblockle", id: 9, status: "open", opponent: app.accounts.me };
  assert.equal(offeredRematch(app, "deblockle", board), undefined);
  rows["deblockle/8"] = { ...row, id: 8, match: "deblockle/8", players: [EVE] };
  assert.equal(offeredRematch(app, "deblockle", board), undefined);
  rows["deblockle/9"] = { ...row, match: "deblockle/9", players: [BOB] };
  assert.equal(offeredRematch(app, "deblockle", board)?.id, 9);
});
