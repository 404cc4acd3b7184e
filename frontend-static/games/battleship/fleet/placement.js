/**
 * Turns, nudges and places ships in a layout. The functions have no side effects, because they
 * return new ships.
 */

import { HEIGHT, LENGTHS, WIDTH } from "./fleet.js";

/** @import { Letter, PlacedShip } from "./fleet.js" */

const clamp = (/** @type {number} */ value, /** @type {number} */ below) => Math.max(0, Math.min(below - 1, value));

/** Return the ship at the nearest position inside the board. @param {PlacedShip} ship @returns {PlacedShip} */
export function movedInside(ship) {
  const [x, y] = [ship.tile % WIDTH, Math.floor(ship.tile / WIDTH)];
  const more = LENGTHS[ship.letter] - 1;
  return {
    ...ship,
    tile: clamp(y, HEIGHT - (ship.down ? more : 0)) * WIDTH + clamp(x, WIDTH - (ship.down ? 0 : more)),
  };
}

/**
 * Move a ship's first tile to column `x` and row `y`. If the ship would leave the board, move it to
 * the nearest position inside the board.
 * @param {PlacedShip} ship @param {number} x @param {number} y @returns {PlacedShip}
 */
const movedTo = (ship, x, y) => ({ ...ship, tile: clamp(y, HEIGHT) * WIDTH + clamp(x, WIDTH) });

/** @param {PlacedShip[]} ships @param {Letter} letter @param {(ship: PlacedShip) => PlacedShip} change */
const changed = (ships, letter, change) => ships.map((ship) => (ship.letter === letter ? change(ship) : ship));

/** @param {PlacedShip[]} ships @param {Letter} letter */
export const turned = (ships, letter) => changed(ships, letter, (ship) => movedInside({ ...ship, down: !ship.down }));

/** Move a ship by a number of tiles, but stop at the board's edge. @param {PlacedShip[]} ships @param {Letter} letter @param {number} right @param {number} down */
export const nudged = (ships, letter, right, down) =>
  changed(ships, letter, (ship) =>
    movedInside(movedTo(ship, (ship.tile % WIDTH) + right, Math.floor(ship.tile / WIDTH) + down)),
  );

/** Move a ship's first tile to column `x`, row `y`. The ship can stick out over the edge. @param {PlacedShip[]} ships @param {Letter} letter @param {number} x @param {number} y */
export const put = (ships, letter, x, y) => changed(ships, letter, (ship) => movedTo(ship, x, y));

/** @param {PlacedShip[]} ships @param {Letter} letter */
export const dropped = (ships, letter) => changed(ships, letter, movedInside);
