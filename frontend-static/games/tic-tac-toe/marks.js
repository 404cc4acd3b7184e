/** The players' marks (cross and ring), and the winning lines. This module has no side effects. */

import { inSeat } from "../shared/duel.js";

/** @import { Json } from "../../types.js" */

export const SIDE = 3;
/** The winning lines, as lists of cells. A cell's number is row * 3 + column. */
export const LINES = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
];

/** Return the mark of a seat. Seat 0, which begins, has mark 1, the cross. @param {number} seat */
export const markOf = (seat) => seat + 1;

/** Return the mark of an account, or 0 if the account isn't playing. @param {Json} board @param {string} address */
export const markBy = (board, address) => (board.players?.[address] ? markOf(board.players[address].seat) : 0);

/** @param {Json} board @param {number} mark */
export const ownerOf = (board, mark) => inSeat(board, mark - 1);

/**
 * Return the winning lines in a finished match. The list has two lines if the last mark completed
 * two at once.
 * @param {Json} board
 */
export const won = (board) => LINES.filter((line) => board.line && line.every((cell) => board.line.includes(cell)));
