// Tests that a cell's label says that a move to the cell is pending, even if the transaction names
// no cell.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ANN, HOME, SECOND, player, playing } from "../games/conquest-boards.mjs";
import * as conquest from "../../../../frontend-static/games/conquest/renderer.js";
import { worldOf } from "../../../../frontend-static/games/conquest/world.js";
import { describe } from "../../../../frontend-static/views/parts/board-host.js";
import "../../node/texts.mjs";

test("a land of Conquest shows that a command there is pending", () => {
  const { view, press } = player(conquest, playing({ [HOME]: { owner: 0, soldiers: 60 } }));
  const cellOf = (land) => worldOf(view.board).centres[land];
  press(cellOf(HOME));
  press(cellOf(SECOND));
  const page = { board: () => view.board, renderContext: () => view };
  const description = (land) => describe(page, "conquest/1", conquest, cellOf(land));
  assert.doesNotMatch(description(SECOND), /on its way/, "planned only");
  view.pending = [{ id: "1", state: "sent", match: "conquest/1", account: ANN, action: "capture" }];
  assert.match(description(SECOND), /; sending your move$/);
  assert.doesNotMatch(description(HOME), /on its way/);
});
