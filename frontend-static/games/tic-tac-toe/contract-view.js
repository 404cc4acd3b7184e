/**
 * Converts the index's board and the contract's view of a match to the same form, so that the page
 * can compare them. from_board and from_contract in indexer/games/tic_tac_toe.py do the same.
 */

import { NOBODY, bits, duelFromBoard, duelFromContract } from "../shared/contract-view.js";

/** @import { Json } from "../../types.js" */

/** @param {Json} contractView @returns {Json} */
export function fromContract(contractView) {
  const marks = [contractView.hostCells, contractView.challengerCells].flatMap((mask, side) =>
    bits(mask).map((cell) => [cell, side + 1]),
  );
  const offered = contractView.offeredBy === NOBODY ? {} : { offeredBy: contractView.offeredBy };
  const repeated = contractView.rematch ? { rematch: contractView.rematch } : {};
  return {
    ...duelFromContract(contractView, [contractView.host, contractView.challenger]),
    cells: Object.fromEntries(marks),
    ...offered,
    ...repeated,
  };
}

/** @param {Json} board @returns {Json} */
export function fromBoard(board) {
  const offered = board.offer ? { offeredBy: board.offer.by } : {};
  const repeated = board.rematch ? { rematch: board.rematch } : {};
  return { ...duelFromBoard(board), cells: board.cells, ...offered, ...repeated };
}
