/**
 * Turns, nudges and places ships. The functions have no side effects, because they return new
 * ships.
 */

import { HEIGHT, LENGTHS, WIDTH } from "./fleet.js";

/** @import { Boat, Letter } from "./fleet.js" */

const within = (/** @type {number} */ value, /** @type {number} */ below) => Math.max(0, Math.min(below - 1, value));

/** Return the ship after moving it to the nearest position inside the board. @param {Boat} boat @returns {Boat} */
export function inside(boat) {
  const [x, y] = [boat.tile % WIDTH, Math.floor(boat.tile / WIDTH)];
  const more = LENGTHS[boat.letter] - 1;
  return {
    ...boat,
    tile: within(y, HEIGHT - (boat.down ? more : 0)) * WIDTH + within(x, WIDTH - (boat.down ? 0 : more)),
  };
}

/**
 * Return the ship after moving its first tile to this place or, outside the board, to the nearest
 * edge.
 * @param {Boat} boat @param {number} x @param {number} y @returns {Boat}
 */
const movedTo = (boat, x, y) => ({ ...boat, tile: within(y, HEIGHT) * WIDTH + within(x, WIDTH) });

/** @param {Boat[]} boats @param {Letter} letter @param {(boat: Boat) => Boat} change */
const changed = (boats, letter, change) => boats.map((boat) => (boat.letter === letter ? change(boat) : boat));

/** @param {Boat[]} boats @param {Letter} letter */
export const turned = (boats, letter) => changed(boats, letter, (boat) => inside({ ...boat, down: !boat.down }));

/** Move a ship by a number of tiles, but not over the edge. @param {Boat[]} boats @param {Letter} letter @param {number} right @param {number} down */
export const nudged = (boats, letter, right, down) =>
  changed(boats, letter, (boat) =>
    inside(movedTo(boat, (boat.tile % WIDTH) + right, Math.floor(boat.tile / WIDTH) + down)),
  );

/** Move a ship's first tile to this place. The ship can stick out over the board's edge. @param {Boat[]} boats @param {Letter} letter @param {number} x @param {number} y */
export const put = (boats, letter, x, y) => changed(boats, letter, (boat) => movedTo(boat, x, y));

/** @param {Boat[]} boats @param {Letter} letter */
export const dropped = (boats, letter) => changed(boats, letter, inside);
