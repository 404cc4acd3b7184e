/** Which actions the contract would refuse now, and why: its own checks, in its own order. Pure. */

import { plays, whyClaim, whyClose, whyJoin, whyPlaying, whyTurn, whyUnderWay } from "../shared/duel.js";
import { SIDE } from "./marks.js";

/** @import { Action, I18nText, Json, Move, RenderContext } from "../../types.js" */

export const joinAction = "accept";
export const afterEnd = ["rematch"];
export const needsSecondPress = ["close", "resign"];
export const secondary = ["offerRestart"];

/** @type {Record<string, (context: RenderContext, given: Json) => I18nText|null>} */
const CHECKS = {
  accept: whyJoin,
  move: whyMove,
  rematch: whyRematch,
  offerRestart: whyOffer,
  acceptRestart: whyRestart,
  close: whyClose,
  resign: whyPlaying,
  claimTimeout: whyClaim,
};

/** @param {RenderContext} context @param {Action} action @param {Json} given @returns {I18nText|null} */
export function why(context, action, given) {
  return CHECKS[action.name]?.(context, given ?? {}) ?? whyUnderWay(context, action.name);
}

/** A move is a press on the board; the rest has a button where it makes sense. @param {RenderContext} context @param {Action} action */
export function isOffered({ board, me }, action) {
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

/** @param {RenderContext} _context @param {number} cell @returns {Move} */
export function press(_context, cell) {
  return { action: "move", args: { row: Math.floor(cell / SIDE), column: cell % SIDE } };
}

/** What depends on the position names the ply that it answers. @param {RenderContext} context @param {Action} action @returns {Json} */
export const args = ({ board }, action) => (["move", "acceptRestart"].includes(action.name) ? { ply: board.ply } : {});

/** @param {RenderContext} context @param {Json} given @returns {I18nText|null} */
function whyMove(context, { row, column }) {
  const stopped = whyTurn(context, "move");
  if (stopped) return stopped;
  return row !== undefined && context.board.cells[row * SIDE + column] ? { key: "tic-tac-toe.why.taken" } : null;
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyRematch({ board, me }) {
  if (board.status === "cancelled") return { key: "tic-tac-toe.why.cancelled" };
  if (!plays(board, me)) return { key: "why.not-a-player" };
  return board.rematch ? { key: "tic-tac-toe.why.rematch", args: { rematch: board.rematch } } : null;
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyOffer(context) {
  return whyPlaying(context) ?? (context.board.offer ? { key: "tic-tac-toe.why.offered" } : null);
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyRestart(context) {
  const { offer } = context.board;
  return whyPlaying(context) ?? (offer && offer.by !== context.me ? null : { key: "tic-tac-toe.why.no-offer" });
}
