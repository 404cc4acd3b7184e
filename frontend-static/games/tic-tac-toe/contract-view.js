/** What the board and the contract's view of a match both tell: the twin of indexer/games/tic_tac_toe.py's `viewed` and `shown`. */

import { NOBODY, bits, duelTold, duelViewed } from "../shared/contract-view.js";

/** @import { Json } from "../../types.js" */

/** @param {Json} view @returns {Json} */
export function viewed(view) {
  const marks = [view.hostCells, view.challengerCells].flatMap((held, side) => bits(held).map((cell) => [cell, side + 1]));
  const offered = view.offeredBy === NOBODY ? {} : { offeredBy: view.offeredBy };
  const repeated = view.rematch ? { rematch: view.rematch } : {};
  return { ...duelViewed(view, [view.host, view.challenger]), cells: Object.fromEntries(marks), ...offered, ...repeated };
}

/** @param {Json} board @returns {Json} */
export function told(board) {
  const offered = board.offer ? { offeredBy: board.offer.by } : {};
  const repeated = board.rematch ? { rematch: board.rematch } : {};
  return { ...duelTold(board), cells: board.cells, ...offered, ...repeated };
}
