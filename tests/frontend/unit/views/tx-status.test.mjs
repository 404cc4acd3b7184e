// What a player's transactions are called.
import assert from "node:assert/strict";
import { test } from "node:test";

import { texts } from "../../../../frontend-static/games/battleship/texts/texts.js";
import { addGameTexts } from "../../../../frontend-static/i18n/translate.js";
import { actionName } from "../../../../frontend-static/views/parts/tx-status.js";

test("a press on the enemy's sea is a shot, though its transaction answers the last one as well", () => {
  addGameTexts("battleship", texts);
  assert.equal(actionName({ game: "battleship", action: "move", cell: 12 }), "Shot");
  assert.equal(actionName({ game: "battleship", action: "move" }), "Answer the last shot");
  assert.equal(actionName({ game: "battleship", action: "withdraw", cell: 12 }), "Withdraw");
});
