/** Which actions the contract would refuse now, and why: its own checks, in its own order. Pure. */

import { short, t } from "../../words.js";
import { SIDE, markBy } from "./marks.js";

/** @import { Action, Json, Order, Phrase, View } from "../../types.js" */

export const join = "accept";
export const afterwards = ["rematch"];
export const confirmed = ["resign"];
export const calm = ["offerRestart", "close"];

/** @type {Record<string, (view: View, given: Json) => Phrase|null>} */
const CHECKS = { accept: whyAccept, move: whyMove, rematch: whyRematch, offerRestart: whyOffer, acceptRestart: whyRestart, close: whyClose, resign: whyPlaying, claimTimeout: whyClaim };

/** @param {View} view @param {Action} action @param {Json} given @returns {Phrase|null} */
export function why(view, action, given) {
  const under = view.pending.some((tx) => tx.action === action.name && tx.account === view.me);
  return CHECKS[action.name]?.(view, given ?? {}) ?? (view.match && under ? { key: "why.on-its-way" } : null);
}

/** A move is a press on the board; the rest has a button where it makes sense. @param {View} view @param {Action} action */
export function shown({ board, me }, action) {
  const plays = Boolean(board.players?.[me]);
  const other = board.offer && board.offer.by !== me;
  const cases = {
    accept: board.status === "open" && !plays,
    close: board.status === "open" && board.creator === me,
    resign: board.status === "playing" && plays,
    offerRestart: board.status === "playing" && plays && !board.offer,
    acceptRestart: board.status === "playing" && plays && Boolean(other),
    rematch: board.status === "finished" && plays && !board.rematch,
  };
  return cases[/** @type {"accept"} */ (action.name)] ?? false;
}

/** @param {View} _view @param {number} cell @returns {Order} */
export function press(_view, cell) {
  return { action: "move", args: { row: Math.floor(cell / SIDE), column: cell % SIDE } };
}

/** What depends on the position names the ply that it answers. @param {View} view @param {Action} action @returns {Json} */
export const args = ({ board }, action) => (["move", "acceptRestart"].includes(action.name) ? { ply: board.ply } : {});

/** @param {View} view @returns {Phrase|null} */
function whyAccept({ board, me }) {
  if (board.status !== "open") return { key: "tic-tac-toe.why.begun" };
  if (board.players[me]) return { key: "tic-tac-toe.why.own-match" };
  return board.opponent && board.opponent !== me ? { key: "tic-tac-toe.why.not-invited", args: { name: short(board.opponent) } } : null;
}

/** Of what only a player may do while it is played. @param {View} view @returns {Phrase|null} */
function whyPlaying({ board, me }) {
  if (board.status === "open") return { key: "tic-tac-toe.why.not-begun" };
  return board.players[me] ? null : { key: "tic-tac-toe.why.not-a-player" };
}

/** @param {View} view @param {Json} given @returns {Phrase|null} */
function whyMove(view, { row, column }) {
  const { board, me, pending } = view;
  const stopped = whyPlaying(view);
  if (stopped) return stopped;
  if (pending.some((tx) => tx.action === "move" && tx.account === me)) return { key: "why.on-its-way" };
  if (board.mover !== me) return { key: "tic-tac-toe.why.not-your-turn", args: { mark: t(`tic-tac-toe.mark.${markBy(board, board.mover)}`), name: short(board.mover) } };
  return row !== undefined && board.cells[row * SIDE + column] ? { key: "tic-tac-toe.why.taken" } : null;
}

/** @param {View} view @returns {Phrase|null} */
function whyRematch({ board, me }) {
  if (board.status === "cancelled") return { key: "tic-tac-toe.why.cancelled" };
  if (!board.players[me]) return { key: "tic-tac-toe.why.not-a-player" };
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

/** @param {View} view @returns {Phrase|null} */
function whyClose({ board, me }) {
  if (board.status !== "open") return { key: "tic-tac-toe.why.begun" };
  return board.creator === me ? null : { key: "tic-tac-toe.why.not-opener" };
}

/** Anybody may claim it. @param {View} view @returns {Phrase|null} */
function whyClaim({ board, now }) {
  if (board.status === "open") return { key: "tic-tac-toe.why.not-begun" };
  if (!board.deadline) return { key: "tic-tac-toe.why.no-clock" };
  return now < board.deadline ? { key: "tic-tac-toe.why.not-expired" } : null;
}
