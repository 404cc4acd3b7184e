/** Boats being laid: turned, moved a tile, put somewhere. Pure: each gives new boats. */

import { HEIGHT, LENGTHS, WIDTH } from "./fleet.js";

/** @import { Boat, Letter } from "./fleet.js" */

const within = (/** @type {number} */ value, /** @type {number} */ below) => Math.max(0, Math.min(below - 1, value));

/** The nearest position of a boat within the board. @param {Boat} boat @returns {Boat} */
export function inside(boat) {
  const [x, y] = [boat.tile % WIDTH, Math.floor(boat.tile / WIDTH)];
  const more = LENGTHS[boat.letter] - 1;
  return {
    ...boat,
    tile: within(y, HEIGHT - (boat.down ? more : 0)) * WIDTH + within(x, WIDTH - (boat.down ? 0 : more)),
  };
}

/** @param {Boat[]} boats @param {Letter} letter @param {(boat: Boat) => Boat} change */
const changed = (boats, letter, change) => boats.map((boat) => (boat.letter === letter ? change(boat) : boat));

/** @param {Boat[]} boats @param {Letter} letter */
export const turned = (boats, letter) => changed(boats, letter, (boat) => inside({ ...boat, down: !boat.down }));

/** By so many tiles; not over the edge. @param {Boat[]} boats @param {Letter} letter @param {number} right @param {number} down */
export function nudged(boats, letter, right, down) {
  return changed(boats, letter, (boat) => {
    const more = LENGTHS[letter] - 1;
    const x = within((boat.tile % WIDTH) + right, WIDTH - (boat.down ? 0 : more));
    const y = within(Math.floor(boat.tile / WIDTH) + down, HEIGHT - (boat.down ? more : 0));
    return { ...boat, tile: y * WIDTH + x };
  });
}

/** Its first tile there, though it may stick out then. @param {Boat[]} boats @param {Letter} letter @param {number} x @param {number} y */
export const put = (boats, letter, x, y) =>
  changed(boats, letter, (boat) => ({ ...boat, tile: within(y, HEIGHT) * WIDTH + within(x, WIDTH) }));

/** @param {Boat[]} boats @param {Letter} letter */
export const dropped = (boats, letter) => changed(boats, letter, inside);
