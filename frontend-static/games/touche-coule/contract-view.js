/**
 * What the board and the contract's view of a match both tell: the twin of indexer/games/touche_coule.py's `viewed` and `shown`.
 * Without the ships' maps, which the contract shows elsewhere.
 */

import { NOBODY, lifeTold, lifeViewed, only, seatsOf } from "../shared/contract-view.js";

/** @import { Json } from "../../types.js" */

const BOTH = ["width", "height", "captains", "anchor"];
const SHIP = ["owner", "x", "y", "afloat", "ready", "captain"];

/** @param {Json} view @returns {Json} */
export function viewed(view) {
  const { ships, width } = view;
  return {
    ...lifeViewed(view),
    ...only(view, BOTH),
    afloat: ships.filter((/** @type {Json} */ ship) => ship.afloat).length,
    owners: [...new Set(ships.map((/** @type {Json} */ ship) => ship.owner))],
    ships: Object.fromEntries(ships.map((/** @type {Json} */ ship, /** @type {number} */ i) => [i + 1, shipOf(ship, width)])),
  };
}

/** @param {Json} ship @param {number} width */
function shipOf({ owner, cell, afloat, readyAt, captain }, width) {
  const found = { owner, x: cell % width, y: Math.floor(cell / width), afloat, ready: readyAt };
  return captain === NOBODY ? found : { ...found, captain };
}

/** @param {Json} board @returns {Json} */
export function told(board) {
  const ships = Object.entries(board.ships).map(([number, ship]) => [number, only(ship, SHIP)]);
  return { ...lifeTold(board), ...only(board, [...BOTH, "afloat"]), owners: seatsOf(board), ships: Object.fromEntries(ships) };
}
