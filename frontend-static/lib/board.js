/**
 * Helpers for boards. They apply merge patches, write canonical JSON, compute hashes and find the
 * pieces that have moved. This module has no side effects.
 */

import { toUtf8Bytes } from "./ethereum/bytes.js";
import { sha256 } from "./ethereum/hash.js";

/** @import { ChainEvent, Entry, Json } from "../types.js" */

const RECENT_BOARDS = 512;

/** Return true if a match has ended. `match` is the match's board or its summary. @param {Json} match */
export const hasEnded = ({ status }) => status === "finished" || status === "cancelled";

/** @param {any} value @returns {value is Json} */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Return the result of applying a merge patch (RFC 7396) to `target`. `target` stays unchanged, but
 * the result can share objects with it. @param {any} target @param {any} patch @returns {any}
 */
export function applyPatch(target, patch) {
  if (!isObject(patch)) return patch;
  const result = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else set(result, key, applyPatch(Object.hasOwn(result, key) ? result[key] : undefined, value));
  }
  return result;
}

/** Set a property of an object itself, even if the key is `__proto__`. @param {Json} object @param {string} key @param {any} value */
const set = (object, key, value) =>
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });

/**
 * Compare two texts by their code points, which gives the order of their UTF-8 bytes. The default
 * order of sort() is that of UTF-16 code units. @param {string} a @param {string} b
 */
function byCodePoint(a, b) {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const gap = Number(left[i].codePointAt(0)) - Number(right[i].codePointAt(0));
    if (gap) return gap;
  }
  return left.length - right.length;
}

/** @param {string[]} keys */
const sorted = (keys) => (keys.some((key) => /[\ud800-\udfff]/.test(key)) ? keys.sort(byCodePoint) : keys.sort());

/** Return a value as canonical JSON, with sorted keys and without spaces. @param {any} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = sorted(Object.keys(value)).map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(",")}}`;
}

/** Return the SHA-256 hash of a board's canonical JSON, as 0x hex. @param {any} board */
export const boardHash = (board) => sha256(toUtf8Bytes(canonical(board)));

/** @param {Json} message the gateway's `reset` message, which contains a whole board @returns {Entry} */
export const fromReset = ({ seq, block, board }) => ({ seq, block, board, recentBoards: new Map([[seq, board]]) });

/**
 * Apply the patches in a `deltas` message to an entry, and return the new entry. If an event is
 * missing between the entry and the message, return null.
 * @param {Entry} entry @param {Json} message @returns {Entry|null}
 */
export function fromDeltas(entry, message) {
  const history = new Map(entry.recentBoards);
  let { seq, board } = entry;
  for (const item of message.items) {
    if (item.seq !== seq + 1) return null;
    seq = item.seq;
    board = applyPatch(board, item.patch);
    history.set(seq, board);
  }
  for (const old of history.keys()) {
    if (history.size <= RECENT_BOARDS) break;
    history.delete(old);
  }
  return { seq, block: message.block ?? entry.block, board, recentBoards: history };
}

/** Return the events in a `deltas` message, in the format that the REST API uses for events. @param {Json} message @returns {ChainEvent[]} */
export function eventsOf(message) {
  const { height: block, hash, time } = message.block;
  return message.items.map((/** @type {Json} */ { seq, tx, event: { name, args } }) => {
    return { seq, name, args, tx, block, hash, time };
  });
}

/**
 * Merge two lists of a match's events, and sort the events in chain order. If an event is in both
 * lists, use the copy from `more`.
 * @param {ChainEvent[]} known @param {ChainEvent[]} more @returns {ChainEvent[]}
 */
export function mergeBySeq(known, more) {
  const bySeq = new Map([...known, ...more].map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

/**
 * Return the pieces that have moved from one picture to the next. They are in both pictures, but on
 * different cells.
 * @param {{id: string, cell: number}[]} before @param {{id: string, cell: number}[]} after
 */
export function movedPieces(before, after) {
  const cells = new Map(before.map((piece) => [piece.id, piece.cell]));
  return after.flatMap(({ id, cell }) => {
    const from = cells.get(id);
    return from === undefined || from === cell ? [] : [{ id, from, to: cell }];
  });
}

/**
 * Return the name of a cell: the letters of its column and the number of its row. Cell 0 is A1. The
 * column after Z is AA. @param {number} cell @param {number} width
 */
export function coordinate(cell, width) {
  return columnName(cell % width) + (Math.floor(cell / width) + 1);
}

/** @param {number} column @returns {string} */
export function columnName(column) {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnName(Math.floor(column / 26) - 1) + last;
}
