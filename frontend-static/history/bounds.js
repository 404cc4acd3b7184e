/** Limits of a replay file, so that a hostile one costs bounded time and memory. The twin of replay/bounds.py: both judge tests/fixtures/vectors/replay_bounds.json. Pure. */

import { isObject } from "../lib/board.js";

/** @import { Json, Picture } from "../types.js" */

/** Cells each way. */
export const MAX_SIDE = 64;
/** A match of some hundred thousand events is known to be played to its end. */
export const MAX_EVENTS = 200_000;
/** Of an object or a list: a board of 64 x 64 has 4,096 cells. */
const MAX_MEMBERS = 10_000;
/** Code points of a text or a key. */
const MAX_LETTERS = 20_000;
/** Objects and lists inside of each other, in one part of the file or one event. */
const MAX_DEPTH = 50;
/** Members that are copied while the events are folded; each is copied where a patch touches its object. */
const MAX_COPIES = 50_000_000;
/** Pieces, fields, marks and lines in one board. */
const MAX_DRAWN = 20_000;
const COLOURS = 8;

/** @param {any} side */
const isSide = (side) => Number.isInteger(side) && side >= 1 && side <= MAX_SIDE;

/** By code points, as Python counts; what is too long by UTF-16 units twice over is not taken apart. @param {string} text */
const isShort = (text) =>
  text.length <= MAX_LETTERS || (text.length <= 2 * MAX_LETTERS && [...text].length <= MAX_LETTERS);

/** Whether a JSON value is no larger than a match's can be: whole numbers, short texts, few members. @param {any} value @param {number} [depth] @returns {boolean} */
export function isBounded(value, depth = MAX_DEPTH) {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value === "string") return isShort(value);
  if (typeof value !== "object" || value === null) return true;
  const members = Object.entries(value);
  return (
    depth > 0 &&
    members.length <= MAX_MEMBERS &&
    members.every(([key, one]) => isShort(key) && isBounded(one, depth - 1))
  );
}

/** Whether what a board, or a patch of one, says of its size can be: nothing, or 1 to 64 each way. @param {Json} board */
export const hasSides = (board) =>
  ["width", "height"].every((side) => !Object.hasOwn(board, side) || board[side] === null || isSide(board[side]));

/** Counts what folding copies. */
export class Copies {
  constructor() {
    this.remaining = MAX_COPIES;
  }

  /** Throws RangeError when it is too much. @param {any} board @param {any} patch */
  count(board, patch) {
    if (!isObject(patch)) return;
    const inner = isObject(board) ? board : {};
    this.remaining -= Object.keys(inner).length + Object.keys(patch).length;
    if (this.remaining < 0) throw new RangeError("too much to fold");
    for (const [key, value] of Object.entries(patch))
      this.count(Object.hasOwn(inner, key) ? inner[key] : undefined, value);
  }
}

/** A picture that can be drawn. Throws RangeError for any other. @param {Picture} picture @returns {Picture} */
export function drawable(picture) {
  for (const part of [picture, ...(picture.parts ?? [])]) {
    const { width, height } = part;
    if (!isSide(width) || !isSide(height))
      throw new RangeError(`a board is 1 to ${MAX_SIDE} cells each way, not ${excerpt(width)} by ${excerpt(height)}`);
    const isCell = (/** @type {any} */ cell) => Number.isInteger(cell) && cell >= 0 && cell < width * height;
    const { pieces, fields, marks, lines } = part;
    if (pieces.length + fields.length + marks.length + lines.length > MAX_DRAWN)
      throw new RangeError(`a board shows at most ${MAX_DRAWN} things`);
    const odd =
      [...pieces, ...fields, ...marks].find(({ cell }) => !isCell(cell)) ??
      lines.find(({ from, to }) => !isCell(from) || !isCell(to)) ??
      pieces.find(
        ({ colour, shape, label }) =>
          !Number.isInteger(colour) ||
          colour < 0 ||
          colour >= COLOURS ||
          !Number.isInteger(shape) ||
          shape < 0 ||
          typeof label !== "string",
      );
    if (odd) throw new RangeError(`something stands outside of the board: ${excerpt(odd)}`);
  }
  return picture;
}

/** @param {any} value */
const excerpt = (value) => String(JSON.stringify(value) ?? "nothing").slice(0, 60);
