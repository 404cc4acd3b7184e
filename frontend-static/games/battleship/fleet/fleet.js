/**
 * Fleets of five ships on a sea of 9 by 11 tiles. This module parses fleets, computes their tiles,
 * draws random fleets, and checks layouts.
 */

import { maskOf as maskOfTiles } from "../../shared/contract-view.js";

export const WIDTH = 9;
export const HEIGHT = 11;
export const TILES = WIDTH * HEIGHT;
/** The number of tiles that the five ships of a fleet occupy. */
export const FLEET_TILES = 17;

/** @typedef {"P"|"S"|"D"|"B"|"C"} Letter A ship's letter: patrol boat, submarine, destroyer, battleship or carrier. */
/** @typedef {{letter: Letter, down: boolean, tile: number}} PlacedShip A ship of a fleet. `tile` is the ship's top or left end. The ship extends downwards if `down` is true; otherwise, to the right. */
/** @typedef {{why: "out"|"overlap", ship: Letter, other?: Letter, tile?: number}} Fault A fault in a layout, with the ships and the tile that it concerns. */

/** @type {Record<Letter, number>} */
export const LENGTHS = { P: 2, S: 3, D: 3, B: 4, C: 5 };
export const LETTERS = /** @type {Letter[]} */ (Object.keys(LENGTHS));

/** The faults of a revealed fleet, in the order of their numbers in the events. */
export const FAULTS = { none: 0, malformed: 1, notTheFive: 2, out: 3, overlap: 4, falseAnswer: 5 };

const SHIP = /^([PSDBC])([HV])(0|[1-9][0-9]?)$/;

/** @param {PlacedShip[]} ships */
export const fleetText = (ships) =>
  ships.map(({ letter, down, tile }) => `${letter}${down ? "V" : "H"}${tile}`).join(" ");

/**
 * Parse a fleet's text. Accept ships that lie outside the board or overlap. Return null if the text
 * isn't a list of exactly the five ships.
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

/**
 * Return the number of the fault in a fleet's text, as in the contract. If the text has several
 * faults, return the first of them in the order of FAULTS.
 * @param {string} text @returns {number}
 */
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

/** Return the tiles of a ship. The ship must lie inside the board. @param {PlacedShip} ship */
export const tilesOf = ({ letter, down, tile }) =>
  Array.from({ length: LENGTHS[letter] }, (_, i) => tile + i * (down ? WIDTH : 1));

/** Return all faults in the places of the ships. A legal fleet has none. @param {PlacedShip[]} ships @returns {Fault[]} */
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

/**
 * Return the ships in a fleet's text, or null if the fleet is illegal. Only a legal fleet can be
 * sealed.
 * @param {string} text @returns {PlacedShip[]|null}
 */
export const parseLegalFleet = (text) => (fleetFault(text) === FAULTS.none ? parseFleet(text) : null);

/** Return the fleet as a bit mask with one bit per tile, as in the contract. @param {PlacedShip[]} ships */
export const maskOf = (ships) => maskOfTiles(ships.flatMap(tilesOf));

/** @param {PlacedShip[]} ships @param {number} tile @returns {Letter|undefined} */
export const shipAt = (ships, tile) => ships.find((ship) => fits(ship) && tilesOf(ship).includes(tile))?.letter;

/** @typedef {(below: number) => number} RandomBelow Returns a random whole number from 0 to `below` - 1. */

/** Return all positions of a ship that lie inside the board. @param {Letter} letter @returns {PlacedShip[]} */
const positionsOf = (letter) =>
  [false, true].flatMap((down) => Array.from({ length: TILES }, (_, tile) => ({ letter, down, tile })).filter(fits));

/**
 * All positions of each ship on the board. If each ship gets a random position, the chance that no
 * ships overlap is 38.51 %.
 */
export const POSITIONS = LETTERS.map(positionsOf);

/**
 * Draw a random fleet. If any ships overlap, draw all five ships again, so that each legal fleet is
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
 * Return a random whole number from 0 to `below` - 1, from the operating system's generator. If the
 * generator's number isn't less than `limit`, try again, so that all results are equally likely.
 * @type {RandomBelow}
 */
export function secureRandomBelow(below) {
  const limit = Math.floor(2 ** 32 / below) * below;
  for (;;) {
    const [drawn] = crypto.getRandomValues(new Uint32Array(1));
    if (drawn < limit) return drawn % below;
  }
}
