/**
 * The limits that replay files must respect. Python applies the same limits
 * (tests/fixtures/vectors/replay_bounds.json). This module has no side effects.
 */

import { isObject } from "../lib/board.js";

/** @import { Json, Picture } from "../types.js" */

/** The maximum width and height of a board, in cells. */
export const MAX_SIDE = 64;
/** The maximum number of events in a file. Some matches have about 100,000 events. */
export const MAX_EVENTS = 200_000;
/** The maximum number of members in an object or a list. A board of 64 x 64 cells has 4,096. */
const MAX_MEMBERS = 10_000;
/** The maximum number of code points in a text or a key. */
const MAX_LETTERS = 20_000;
/** The maximum depth of nested objects and lists, in a part of the file or in an event. */
const MAX_DEPTH = 50;
/**
 * The maximum total number of object members that are copied while the patches are applied. Each
 * patch copies all members of each object that it changes.
 */
const MAX_COPIES = 50_000_000;
/** The maximum total number of pieces, fields, marks and lines in a board's picture. */
const MAX_DRAWN = 20_000;
const COLOURS = 8;

/** @param {any} side */
const isSide = (side) => Number.isInteger(side) && side >= 1 && side <= MAX_SIDE;

/**
 * Return true if a text isn't too long, counted in code points as in Python. If the number of
 * UTF-16 units is more than twice the limit, the text is always too long. @param {string} text
 */
const isShort = (text) =>
  text.length <= MAX_LETTERS || (text.length <= 2 * MAX_LETTERS && [...text].length <= MAX_LETTERS);

/**
 * Return true if a match can contain this JSON value: its numbers are whole, its texts are short,
 * and its objects and lists have few members.
 * @param {any} value @param {number} [depth] @returns {boolean}
 */
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

/** Return true if the width and height in a board or a patch are valid: missing, or from 1 to 64. @param {Json} board */
export const hasSides = (board) =>
  ["width", "height"].every((side) => !Object.hasOwn(board, side) || board[side] === null || isSide(board[side]));

/** Counts the object members that are copied while patches are applied to a board. */
export class Copies {
  constructor() {
    this.remaining = MAX_COPIES;
  }

  /** Count the members that a patch copies. Throws RangeError if the total exceeds the limit. @param {any} board @param {any} patch */
  count(board, patch) {
    if (!isObject(patch)) return;
    const inner = isObject(board) ? board : {};
    this.remaining -= Object.keys(inner).length + Object.keys(patch).length;
    if (this.remaining < 0) throw new RangeError("the events change too much to be folded");
    for (const [key, value] of Object.entries(patch))
      this.count(Object.hasOwn(inner, key) ? inner[key] : undefined, value);
  }
}

/** Return the picture. Throws RangeError if the picture is too large to draw. @param {Picture} picture @returns {Picture} */
export function drawable(picture) {
  for (const part of [picture, ...(picture.parts ?? [])]) {
    const { width, height } = part;
    if (!isSide(width) || !isSide(height))
      throw new RangeError(`boards have 1 to ${MAX_SIDE} cells each way, not ${excerpt(width)} by ${excerpt(height)}`);
    const isCell = (/** @type {any} */ cell) => Number.isInteger(cell) && cell >= 0 && cell < width * height;
    const { pieces, fields, marks, lines } = part;
    if (pieces.length + fields.length + marks.length + lines.length > MAX_DRAWN)
      throw new RangeError(`boards have at most ${MAX_DRAWN} pieces, fields, marks and lines`);
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
    if (odd) throw new RangeError(`this is outside the board or has invalid fields: ${excerpt(odd)}`);
  }
  return picture;
}

/** @param {any} value */
const excerpt = (value) => String(JSON.stringify(value) ?? "nothing").slice(0, 60);
