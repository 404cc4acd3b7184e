/** Which actions the contract would refuse now, and why: its own checks, in its own order. Pure. */

import { plays, whyClaim, whyClose, whyJoin, whyPlaying, whyTurn, whyUnderWay } from "../shared/duel.js";
import { SIDE } from "./marks.js";

/** @import { Action, Json, Order, Phrase, View } from "../../types.js" */

export const join = "accept";
export const afterwards = ["rematch"];
export const confirmed = ["close", "resign"];
export const calm = ["offerRestart"];

/** @type {Record<string, (view: View, given: Json) => Phrase|null>} */
const CHECKS = { accept: whyJoin, move: whyMove, rematch: whyRematch, offerRestart: whyOffer, acceptRestart: whyRestart, close: whyClose, resign: whyPlaying, claimTimeout: whyClaim };

/** @param {View} view @param {Action} action @param {Json} given @returns {Phrase|null} */
export function why(view, action, given) {
  return CHECKS[action.name]?.(view, given ?? {}) ?? whyUnderWay(view, action.name);
}

/** A move is a press on the board; the rest has a button where it makes sense. @param {View} view @param {Action} action */
export function shown({ board, me }, action) {
  const seated = plays(board, me);
  const other = board.offer && board.offer.by !== me;
  const cases = {
    accept: board.status === "open" && !seated,
    close: board.status === "open" && board.creator === me,
    resign: board.status === "playing" && seated,
    offerRestart: board.status === "playing" && seated && !board.offer,
    acceptRestart: board.status === "playing" && seated && Boolean(other),
    rematch: board.status === "finished" && seated && !board.rematch,
  };
  return cases[/** @type {"accept"} */ (action.name)] ?? false;
}

/** @param {View} _view @param {number} cell @returns {Order} */
export function press(_view, cell) {
  return { action: "move", args: { row: Math.floor(cell / SIDE), column: cell % SIDE } };
}

/** What depends on the position names the ply that it answers. @param {View} view @param {Action} action @returns {Json} */
export const args = ({ board }, action) => (["move", "acceptRestart"].includes(action.name) ? { ply: board.ply } : {});

/** @param {View} view @param {Json} given @returns {Phrase|null} */
function whyMove(view, { row, column }) {
  const stopped = whyTurn(view, "move");
  if (stopped) return stopped;
  return row !== undefined && view.board.cells[row * SIDE + column] ? { key: "tic-tac-toe.why.taken" } : null;
}

/** @param {View} view @returns {Phrase|null} */
function whyRematch({ board, me }) {
  if (board.status === "cancelled") return { key: "tic-tac-toe.why.cancelled" };
  if (!plays(board, me)) return { key: "why.not-a-player" };
  return board.rematch ? { key: "tic-tac-toe.why.rematch", args: { rematch: board.rematch } } : null;
}

/** @param {View} view @returns {Phrase|null} */
function whyOffer(view) {
  return whyPlaying(view) ?? (view.board.offer ? { key: "tic-tac-toe.why.offered" } : null);
}

/** @param {View} view @returns {Phrase|null} */
function whyRestart(view) {
  const { offer } = view.board;
  return whyPlaying(view) ?? (offer && offer.by !== view.me ? null : { key: "tic-tac-toe.why.no-offer" });
}
