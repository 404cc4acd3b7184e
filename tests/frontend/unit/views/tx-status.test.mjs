// Tests the texts with which the page names a player's transactions.
import assert from "node:assert/strict";
import { test } from "node:test";

import { gameTexts } from "../../node/texts.mjs";
import { actionName } from "../../../../frontend-static/views/parts/tx-status.js";

test("a press on the enemy's sea is called a shot, although its transaction also answers the last shot", async () => {
  await gameTexts("battleship");
  assert.equal(actionName({ game: "battleship", action: "move", cell: 12 }), "Shot");
  assert.equal(actionName({ game: "battleship", action: "move" }), "Answer the shot");
  assert.equal(actionName({ game: "battleship", action: "withdraw", cell: 12 }), "Withdraw");
});
