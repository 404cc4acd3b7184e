/**
 * The ships on a board: their owners, their places, and what each built-in ship knows. This module
 * has no side effects.
 */

/** @import { Json } from "../../types.js" */

/** The number of 256-bit words with one bit for each cell of the largest board, 64 x 64. */
const WORDS = 16;

export const CODE = { unknown: 0, own: 1, fired: 2, ally: 3 };

/** @typedef {{owner: string, x: number, y: number, afloat: boolean, ready: number, captain?: string, ally?: number, fired?: Json}} Ship */

/** @param {Json} board @param {number} number @returns {Ship|undefined} */
export const shipOf = (board, number) => board.ships[number];

/** @param {Json} board @param {string} owner @returns {[number, Ship][]} */
export function fleet(board, owner) {
  const numbers = board.players[owner]?.ships ?? [];
  return numbers.map((/** @type {number} */ number) => [number, board.ships[number]]);
}

/** @param {Json} board @param {string} owner */
export const afloat = (board, owner) => fleet(board, owner).filter(([, ship]) => ship.afloat);

/** @param {Json} board @param {{x: number, y: number}} ship */
export const cellOf = (board, { x, y }) => y * board.width + x;

/** Return a bit mask of the cells at which a ship has fired, with one bit per cell. @param {Ship} ship @returns {bigint} */
export function firedBits(ship) {
  const words = Object.entries(ship.fired ?? {}).filter(([word]) => Number(word) < WORDS); // in a replay file, `fired` can contain invalid keys
  return words.reduce((bits, [word, value]) => bits | (BigInt(value) << (256n * BigInt(word))), 0n);
}

/** Return a built-in ship's private map, with one code per cell. The codes are in CODE. @param {Json} board @param {number} number @returns {Uint8Array} */
export function mapOf(board, number) {
  const ship = board.ships[number];
  const codes = new Uint8Array(board.width * board.height);
  const bits = firedBits(ship);
  for (let cell = 0; cell < codes.length; cell++) if ((bits >> BigInt(cell)) & 1n) codes[cell] = CODE.fired;
  const ally = ship.ally && board.ships[ship.ally];
  if (ally?.afloat) codes[cellOf(board, ally)] = CODE.ally;
  if (ship.afloat) codes[cellOf(board, ship)] = CODE.own;
  return codes;
}
