/** Nim's renderer. It exports the members of the page's type Renderer (types.js). */

import { plays, seatsOf as seats } from "../shared/duel.js";
import { matchSentences } from "../shared/event-texts.js";
import { duelFromBoard, duelFromContract } from "../shared/contract-view.js";
import { t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";

/** @import { Action, ChainEvent, I18nText, Json, Move, Picture, RenderContext, Sentence } from "../../types.js" */

export { rules } from "./rules.js";
export { seats };
/** The contract's functions that the page calls. */
export const functions = [
  "create(address opponent, uint24 clock)",
  "join(uint48 matchId)",
  "take(uint48 matchId, uint32 ply, uint8 stones)",
  "close(uint48 matchId)",
  "resign(uint48 matchId)",
  "claimTimeout(uint48 matchId)",
];
/** The action that joins a match. */
export const joinAction = "join";
/** The action that cancels a match that nobody has joined. */
export const closeAction = "close";
/** The actions whose buttons the player must press twice, to prevent accidents. */
export const needsSecondPress = ["close", "resign"];

/** Draw the heap with one stone per cell. @param {RenderContext} context @returns {Picture} */
export function picture({ board }) {
  const { width = 7, height = 3, stones = 0, ply } = board;
  const room = width * height; // a replay file can claim any number of stones
  const pieces = Array.from({ length: Math.min(stones, room + 1) }, (_, cell) => {
    return {
      id: `stone-${cell}`,
      cell,
      colour: 4,
      shape: 0,
      label: "",
      mine: false,
      sunk: false,
      selected: false,
      pending: false,
    };
  });
  const taken = Array.from({ length: Math.min(board.last ?? 0, room + 1) }, (_, i) => ({
    cell: stones + i,
    kind: "taken",
  }));
  return { width, height, pieces, fields: taken, marks: [], lines: [], stamp: String(ply) };
}

/** Return the move for a click on a stone. The move takes this stone and all stones after it. */
export const press = ({ board }, cell) => ({ action: "take", args: { stones: Math.max(0, board.stones - cell) } });

/** @param {RenderContext} context @param {number} cell */
export function describe({ board }, cell) {
  return t(cell < board.stones ? "nim.cell.stone" : "nim.cell.empty", { cell: cell + 1 });
}

/** Return the contract's `board` view in a form that can be compared with `fromBoard`'s result. @param {Json} contractView @returns {Json} */
export const fromContract = (contractView) => ({
  ...duelFromContract(contractView, contractView.players),
  stones: contractView.stones,
});

/** Return the board in a form that can be compared with `fromContract`'s result. @param {Json} board @returns {Json} */
export const fromBoard = (board) => ({ ...duelFromBoard(board), stones: board.stones });

/** @param {Json} board @returns {I18nText} */
export function turnText({ status, mover, stones }) {
  if (status === "playing") return { key: "nim.whose.playing", args: { player: nameOf(mover), stones } };
  return { key: status === "open" ? "nim.whose.open" : "nim.whose.over" };
}

/** True if the action has a button. Players move by clicks on the board, so moves need no button. @param {RenderContext} context @param {Action} action */
export function isOffered({ board: { status, creator, players }, me }, { name }) {
  const seated = plays({ players }, me);
  const cases = {
    join: status === "open" && !seated,
    close: status === "open" && creator === me,
    resign: status === "playing" && seated,
  };
  return cases[/** @type {"join"} */ (name)] ?? false;
}

/** Return the arguments that players don't enter. `ply` is the number of earlier moves. @param {RenderContext} context */
export const args = ({ board }) => ({ ply: board.ply });

/** @param {ChainEvent} event @returns {Sentence[]} */
export function sentences(event) {
  if (event.name !== "Taken") return matchSentences("nim", event);
  const { by, stones, left } = event.args;
  return [{ text: t("nim.feed.Taken", { player: nameOf(by), stones, left }), tone: "plain" }];
}
