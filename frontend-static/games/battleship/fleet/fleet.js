/** A fleet: five boats on 9 by 11 tiles, as text, as tiles, and what is wrong with it. Pure. */

import { maskOf as maskOfTiles } from "../../shared/contract-view.js";

export const WIDTH = 9;
export const HEIGHT = 11;
export const TILES = WIDTH * HEIGHT;
/** Tiles that a fleet holds. */
export const AFLOAT = 17;

/** @typedef {"P"|"S"|"D"|"B"|"C"} Letter Patrol, submarine, destroyer, battleship, carrier. */
/** @typedef {{letter: Letter, down: boolean, tile: number}} Boat `tile` is its top or left end; a boat that does not go down goes right. */
/** @typedef {{why: "out"|"overlap", boat: Letter, other?: Letter, tile?: number}} Fault What is wrong with a layout. */

/** @type {Record<Letter, number>} */
export const LENGTHS = { P: 2, S: 3, D: 3, B: 4, C: 5 };
export const LETTERS = /** @type {Letter[]} */ (Object.keys(LENGTHS));

/** As in the events: what a revealed fleet can be found guilty of. */
export const FAULTS = { none: 0, malformed: 1, boats: 2, out: 3, overlap: 4, falseAnswer: 5 };

const BOAT = /^([PSDBC])([HV])(0|[1-9][0-9]?)$/;

/** @param {Boat[]} boats */
export const shipsOf = (boats) =>
  boats.map(({ letter, down, tile }) => `${letter}${down ? "V" : "H"}${tile}`).join(" ");

/**
 * The boats of a ships text, wherever they lie; null when a word of it is no boat or when they are not the five.
 * @param {string} ships @returns {Boat[]|null}
 */
export function boatsOf(ships) {
  const boats = words(ships);
  return boats && areTheFive(boats) ? boats : null;
}

/** @param {string} ships @returns {Boat[]|null} */
function words(ships) {
  const boats = ships.split(" ").map((word) => {
    const [matched, letter, direction, tile] = BOAT.exec(word) ?? [];
    return matched === word && Number(tile) < TILES
      ? { letter: /** @type {Letter} */ (letter), down: direction === "V", tile: Number(tile) }
      : null;
  });
  return boats.every((boat) => boat !== null) ? boats : null;
}

/** @param {Boat[]} boats */
const areTheFive = (boats) =>
  boats.length === LETTERS.length && new Set(boats.map(({ letter }) => letter)).size === LETTERS.length;

/** The fault of a fleet's text as contracts number it: the first of FAULTS that applies. @param {string} ships @returns {number} */
export function judge(ships) {
  const boats = words(ships);
  if (!boats) return FAULTS.malformed;
  if (!areTheFive(boats)) return FAULTS.boats;
  if (!boats.every(fits)) return FAULTS.out;
  return faultsOf(boats).length ? FAULTS.overlap : FAULTS.none;
}

/** @param {Boat} boat */
export function fits({ letter, down, tile }) {
  const [x, y] = [tile % WIDTH, Math.floor(tile / WIDTH)];
  return tile >= 0 && (down ? x < WIDTH && y + LENGTHS[letter] <= HEIGHT : y < HEIGHT && x + LENGTHS[letter] <= WIDTH);
}

/** The tiles of a boat that fits. @param {Boat} boat */
export const tilesOf = ({ letter, down, tile }) =>
  Array.from({ length: LENGTHS[letter] }, (_, i) => tile + i * (down ? WIDTH : 1));

/** All that is wrong with where boats lie; empty for a legal fleet. @param {Boat[]} boats @returns {Fault[]} */
export function faultsOf(boats) {
  /** @type {Fault[]} */
  const faults = boats.filter((boat) => !fits(boat)).map(({ letter }) => ({ why: "out", boat: letter }));
  boats.filter(fits).forEach((boat, i, inside) => {
    for (const other of inside.slice(i + 1)) {
      const tile = tilesOf(boat).find((one) => tilesOf(other).includes(one));
      if (tile !== undefined) faults.push({ why: "overlap", boat: boat.letter, other: other.letter, tile });
    }
  });
  return faults;
}

/** The boats of a text that may be sealed. @param {string} ships @returns {Boat[]|null} */
export const legal = (ships) => (judge(ships) === FAULTS.none ? boatsOf(ships) : null);

/** Bit by tile, as contracts keep it. @param {Boat[]} boats */
export const maskOf = (boats) => maskOfTiles(boats.flatMap(tilesOf));

/** @param {Boat[]} boats @param {number} tile @returns {Letter|undefined} */
export const boatAt = (boats, tile) => boats.find((boat) => fits(boat) && tilesOf(boat).includes(tile))?.letter;

/** @typedef {(below: number) => number} Dice A whole number from 0 to `below`, exclusive. */

/** All positions of one boat within the board. @param {Letter} letter @returns {Boat[]} */
const positionsOf = (letter) =>
  [false, true].flatMap((down) => Array.from({ length: TILES }, (_, tile) => ({ letter, down, tile })).filter(fits));

/** A fleet is drawn a dozen times until its boats lie apart. */
export const POSITIONS = LETTERS.map(positionsOf);

/** Each legal fleet is equally likely: all five are drawn again when two touch. @param {Dice} dice @returns {Boat[]} */
export function randomFleet(dice = secureDice) {
  for (;;) {
    const boats = POSITIONS.map((all) => ({ ...all[dice(all.length)] }));
    if (faultsOf(boats).length === 0) return boats;
  }
}

/** From the system's generator; numbers above the last whole multiple are drawn again, so that none is likelier. @type {Dice} */
export function secureDice(below) {
  const limit = Math.floor(2 ** 32 / below) * below;
  for (;;) {
    const [drawn] = crypto.getRandomValues(new Uint32Array(1));
    if (drawn < limit) return drawn % below;
  }
}
