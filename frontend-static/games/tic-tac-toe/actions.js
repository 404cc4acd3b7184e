/**
 * The buttons, the moves that a click on the board sends, and the arguments that the page adds.
 * This module has no side effects.
 */

import { computers } from "../../names/computers.js";
import { plays } from "../shared/duel.js";
import { SIDE } from "./marks.js";

/** @import { Action, I18nText, Json, Move, RenderContext } from "../../types.js" */

export const joinAction = "accept";
export const closeAction = "close";
export const pressAction = "move";
export const afterEnd = ["rematch"];
export const rematchAction = "rematch";
export const opensAnother = ["offerRestart", "acceptRestart"];
export const needsSecondPress = ["close", "resign"];
export const secondary = ["offerRestart"];

/**
 * Return the texts of a button. The hint on the join button mentions the clock only if the match
 * has a clock.
 * @param {RenderContext} context @param {string} actionId @returns {{hint?: I18nText}}
 */
export const buttonText = ({ board }, actionId) =>
  actionId === joinAction && !board.clock ? { hint: { key: "tic-tac-toe.hint.accept-untimed" } } : {};

/**
 * Return true if an action has a button. A move has no button, because the player clicks the board
 * instead. Every other action has a button when it makes sense.
 * @param {RenderContext} context @param {Action} action
 */
export function isOffered({ board, me }, action) {
  const seated = plays(board, me);
  const other = board.offer && board.offer.by !== me;
  const cases = {
    accept: board.status === "open" && !seated,
    close: board.status === "open" && board.creator === me,
    resign: board.status === "playing" && seated,
    offerRestart: board.status === "playing" && seated && !board.offer && !isAgainstComputer(board),
    acceptRestart: board.status === "playing" && seated && Boolean(other),
    rematch: board.status === "finished" && seated && !board.rematch,
  };
  return cases[/** @type {"accept"} */ (action.name)] ?? false;
}

/** Return true if a computer player takes part. Computer players never answer offers to restart. @param {Json} board */
const isAgainstComputer = ({ players }) => Object.keys(players).some((account) => computers.has(account));

/** @param {RenderContext} _context @param {number} cell @returns {Move} */
export function press(_context, cell) {
  return { action: pressAction, args: { row: Math.floor(cell / SIDE), column: cell % SIDE } };
}

/**
 * Return the argument that the player doesn't enter: `ply`, which identifies the position in which
 * the player acts. The contract can then reject the action if the position has changed.
 * @param {RenderContext} context @param {Action} action @returns {Json}
 */
export const args = ({ board }, action) => (["move", "acceptRestart"].includes(action.name) ? { ply: board.ply } : {});
