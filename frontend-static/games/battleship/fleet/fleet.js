/**
 * Fleets of five ships on 9 by 11 tiles: converts them from text and to tiles, and checks their
 * layout. Pure functions.
 */

import { maskOf as maskOfTiles } from "../../shared/contract-view.js";

export const WIDTH = 9;
export const HEIGHT = 11;
export const TILES = WIDTH * HEIGHT;
/** The number of tiles that a fleet occupies. */
export const FLEET_TILES = 17;

/** @typedef {"P"|"S"|"D"|"B"|"C"} Letter Patrol, submarine, destroyer, battleship, carrier. */
/** @typedef {{letter: Letter, down: boolean, tile: number}} PlacedShip A ship of a fleet. `tile` is its top or left end. If `down` is false, the ship extends to the right. */
/** @typedef {{why: "out"|"overlap", ship: Letter, other?: Letter, tile?: number}} Fault A fault of a layout. */

/** @type {Record<Letter, number>} */
export const LENGTHS = { P: 2, S: 3, D: 3, B: 4, C: 5 };
export const LETTERS = /** @type {Letter[]} */ (Object.keys(LENGTHS));

/** The faults of a revealed fleet. The numbers are those in the events. */
export const FAULTS = { none: 0, malformed: 1, notTheFive: 2, out: 3, overlap: 4, falseAnswer: 5 };

const SHIP = /^([PSDBC])([HV])(0|[1-9][0-9]?)$/;

/** @param {PlacedShip[]} ships */
export const fleetText = (ships) =>
  ships.map(({ letter, down, tile }) => `${letter}${down ? "V" : "H"}${tile}`).join(" ");

/**
 * Parse the text of a fleet. The ships may lie outside the board or overlap. Null if a word isn't a
 * ship or if the text doesn't have exactly the five ships.
 * @param {string} text @returns {PlacedShip[]|null}
 */
export function parseFleet(text) {
  const ships = parseShips(text);
  return ships && isCompleteFleet(ships) ? ships : null;
}

/** @param {string} text @returns {PlacedShip[]|null} */
function parseShips(text) {
  const ships = text.split(" ").map((word) => {
    const [matched, letter, direction, tile] = SHIP.exec(word) ?? [];
    return matched === word && Number(tile) < TILES
      ? { letter: /** @type {Letter} */ (letter), down: direction === "V", tile: Number(tile) }
      : null;
  });
  return ships.every((ship) => ship !== null) ? ships : null;
}

/** @param {PlacedShip[]} ships */
const isCompleteFleet = (ships) =>
  ships.length === LETTERS.length && new Set(ships.map(({ letter }) => letter)).size === LETTERS.length;

/** The fault of a text, numbered as in the contract: the first of FAULTS that applies. @param {string} text @returns {number} */
export function fleetFault(text) {
  const ships = parseShips(text);
  if (!ships) return FAULTS.malformed;
  if (!isCompleteFleet(ships)) return FAULTS.notTheFive;
  if (!ships.every(fits)) return FAULTS.out;
  return faultsOf(ships).length ? FAULTS.overlap : FAULTS.none;
}

/** @param {PlacedShip} ship */
export function fits({ letter, down, tile }) {
  const [x, y] = [tile % WIDTH, Math.floor(tile / WIDTH)];
  return tile >= 0 && (down ? x < WIDTH && y + LENGTHS[letter] <= HEIGHT : y < HEIGHT && x + LENGTHS[letter] <= WIDTH);
}

/** The tiles of a ship. The ship must fit on the board. @param {PlacedShip} ship */
export const tilesOf = ({ letter, down, tile }) =>
  Array.from({ length: LENGTHS[letter] }, (_, i) => tile + i * (down ? WIDTH : 1));

/** All faults in the ships' places; empty for a legal fleet. @param {PlacedShip[]} ships @returns {Fault[]} */
export function faultsOf(ships) {
  /** @type {Fault[]} */
  const faults = ships.filter((ship) => !fits(ship)).map(({ letter }) => ({ why: "out", ship: letter }));
  ships.filter(fits).forEach((ship, i, inside) => {
    for (const other of inside.slice(i + 1)) {
      const tile = tilesOf(ship).find((one) => tilesOf(other).includes(one));
      if (tile !== undefined) faults.push({ why: "overlap", ship: ship.letter, other: other.letter, tile });
    }
  });
  return faults;
}

/** The ships of a text if the fleet is legal and so may be sealed; otherwise null. @param {string} text @returns {PlacedShip[]|null} */
export const parseLegalFleet = (text) => (fleetFault(text) === FAULTS.none ? parseFleet(text) : null);

/** The fleet as a bit mask, one bit per tile, as in the contract. @param {PlacedShip[]} ships */
export const maskOf = (ships) => maskOfTiles(ships.flatMap(tilesOf));

/** @param {PlacedShip[]} ships @param {number} tile @returns {Letter|undefined} */
export const shipAt = (ships, tile) => ships.find((ship) => fits(ship) && tilesOf(ship).includes(tile))?.letter;

/** @typedef {(below: number) => number} RandomBelow A whole number from 0 to `below`, exclusive. */

/** All positions of a ship on the board. @param {Letter} letter @returns {PlacedShip[]} */
const positionsOf = (letter) =>
  [false, true].flatMap((down) => Array.from({ length: TILES }, (_, tile) => ({ letter, down, tile })).filter(fits));

/** All positions of each ship. On average, it takes a dozen draws until no ships overlap. */
export const POSITIONS = LETTERS.map(positionsOf);

/**
 * Draw a random fleet. All five ships are redrawn if any two overlap, so each legal fleet is
 * equally likely.
 * @param {RandomBelow} randomBelow @returns {PlacedShip[]}
 */
export function randomFleet(randomBelow = secureRandomBelow) {
  for (;;) {
    const ships = POSITIONS.map((all) => ({ ...all[randomBelow(all.length)] }));
    if (faultsOf(ships).length === 0) return ships;
  }
}

/**
 * Return a number from the system's random generator. Redraw numbers above the last whole multiple
 * of `below`, so that all results are equally likely.
 * @type {RandomBelow}
 */
export function secureRandomBelow(below) {
  const limit = Math.floor(2 ** 32 / below) * below;
  for (;;) {
    const [drawn] = crypto.getRandomValues(new Uint32Array(1));
    if (drawn < limit) return drawn % below;
  }
}
