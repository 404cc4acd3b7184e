/**
 * Fleets of five ships on 9 by 11 tiles. This module converts fleets from text and to tiles, draws
 * random fleets, and checks layouts.
 */

import { maskOf as maskOfTiles } from "../../shared/contract-view.js";

export const WIDTH = 9;
export const HEIGHT = 11;
export const TILES = WIDTH * HEIGHT;
/** The number of tiles that a fleet occupies. */
export const AFLOAT = 17;

/** @typedef {"P"|"S"|"D"|"B"|"C"} Letter The patrol boat, submarine, destroyer, battleship or carrier. */
/** @typedef {{letter: Letter, down: boolean, tile: number}} Boat `tile` is the ship's top or left end. If `down` is false, the ship extends to the right. */
/** @typedef {{why: "out"|"overlap", boat: Letter, other?: Letter, tile?: number}} Fault A fault in a layout. */

/** @type {Record<Letter, number>} */
export const LENGTHS = { P: 2, S: 3, D: 3, B: 4, C: 5 };
export const LETTERS = /** @type {Letter[]} */ (Object.keys(LENGTHS));

/** The faults of a revealed fleet, numbered as in the events. */
export const FAULTS = { none: 0, malformed: 1, boats: 2, out: 3, overlap: 4, falseAnswer: 5 };

const BOAT = /^([PSDBC])([HV])(0|[1-9][0-9]?)$/;

/** @param {Boat[]} boats */
export const shipsOf = (boats) =>
  boats.map(({ letter, down, tile }) => `${letter}${down ? "V" : "H"}${tile}`).join(" ");

/**
 * Parse a fleet's text. The ships can lie outside the board or overlap. Return null if a word isn't
 * a ship or if the text doesn't have exactly the five ships.
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

/**
 * Return the fault of a fleet's text, numbered as in the contract: the first of FAULTS that
 * applies.
 * @param {string} ships @returns {number}
 */
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

/** Return the tiles of a ship. The ship must fit on the board. @param {Boat} boat */
export const tilesOf = ({ letter, down, tile }) =>
  Array.from({ length: LENGTHS[letter] }, (_, i) => tile + i * (down ? WIDTH : 1));

/** Return all faults in the ships' places. A legal fleet has none. @param {Boat[]} boats @returns {Fault[]} */
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

/**
 * Return the ships in a fleet's text if the fleet is legal; otherwise, return null. Only a legal
 * fleet can be sealed.
 * @param {string} ships @returns {Boat[]|null}
 */
export const legal = (ships) => (judge(ships) === FAULTS.none ? boatsOf(ships) : null);

/** Return the fleet as a bit mask with one bit per tile, as in the contract. @param {Boat[]} boats */
export const maskOf = (boats) => maskOfTiles(boats.flatMap(tilesOf));

/** @param {Boat[]} boats @param {number} tile @returns {Letter|undefined} */
export const boatAt = (boats, tile) => boats.find((boat) => fits(boat) && tilesOf(boat).includes(tile))?.letter;

/** @typedef {(below: number) => number} Dice Returns a random whole number from 0 to `below`, exclusive. */

/** Return all positions of a ship on the board. @param {Letter} letter @returns {Boat[]} */
const positionsOf = (letter) =>
  [false, true].flatMap((down) => Array.from({ length: TILES }, (_, tile) => ({ letter, down, tile })).filter(fits));

/** All positions of each ship. A random fleet takes about a dozen draws until no ships overlap. */
export const POSITIONS = LETTERS.map(positionsOf);

/**
 * Draw a random fleet. If any two ships overlap, all five are redrawn, so that each legal fleet is
 * equally likely.
 * @param {Dice} dice @returns {Boat[]}
 */
export function randomFleet(dice = secureDice) {
  for (;;) {
    const boats = POSITIONS.map((all) => ({ ...all[dice(all.length)] }));
    if (faultsOf(boats).length === 0) return boats;
  }
}

/**
 * Return a number from the system's random generator. Numbers at or above the last whole multiple
 * of `below` are redrawn, so that all results are equally likely.
 * @type {Dice}
 */
export function secureDice(below) {
  const limit = Math.floor(2 ** 32 / below) * below;
  for (;;) {
    const [drawn] = crypto.getRandomValues(new Uint32Array(1));
    if (drawn < limit) return drawn % below;
  }
}
