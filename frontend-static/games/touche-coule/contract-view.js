/**
 * Converts the index's board and the contract's view of a match to the same form, so that the page
 * can compare them. The ships' maps are left out, because the contract returns them in a different
 * view. from_board and from_contract in indexer/games/touche_coule.py do the same.
 */

import { NOBODY, matchFromBoard, matchFromContract, pick, seatsOf } from "../shared/contract-view.js";

/** @import { Json } from "../../types.js" */

const BOTH = ["width", "height", "captains", "anchor"];
const SHIP = ["owner", "x", "y", "afloat", "ready", "captain"];

/** @param {Json} contractView @returns {Json} */
export function fromContract(contractView) {
  const { ships, width } = contractView;
  return {
    ...matchFromContract(contractView),
    ...pick(contractView, BOTH),
    afloat: ships.filter((/** @type {Json} */ ship) => ship.afloat).length,
    owners: [...new Set(ships.map((/** @type {Json} */ ship) => ship.owner))],
    ships: Object.fromEntries(
      ships.map((/** @type {Json} */ ship, /** @type {number} */ i) => [i + 1, shipOf(ship, width)]),
    ),
  };
}

/** @param {Json} ship @param {number} width */
function shipOf({ owner, cell, afloat, readyAt, captain }, width) {
  const found = { owner, x: cell % width, y: Math.floor(cell / width), afloat, ready: readyAt };
  return captain === NOBODY ? found : { ...found, captain };
}

/** @param {Json} board @returns {Json} */
export function fromBoard(board) {
  const ships = Object.entries(board.ships).map(([number, ship]) => [number, pick(ship, SHIP)]);
  return {
    ...matchFromBoard(board),
    ...pick(board, [...BOTH, "afloat"]),
    owners: seatsOf(board),
    ships: Object.fromEntries(ships),
  };
}
