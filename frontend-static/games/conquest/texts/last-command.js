/**
 * Decodes the last command into the lands that it mentions and the arrows between these lands. This
 * module has no side effects.
 */

/** @import { Json, Line, RenderContext } from "../../../types.js" */
/** @import { World } from "../world.js" */

export const KINDS = ["capital", "reinforce", "port", "pass", "surrender", "attack", "move", "item"];
const FROM_TO = ["attack", "move"];

/** @param {string} hex @returns {number[]} */
export const bytesOf = (hex) =>
  Array.from({ length: Math.max(0, (hex.length - 2) / 2) }, (_, i) => parseInt(hex.slice(2 + 2 * i, 4 + 2 * i), 16));

/** Return the last command on the board: its kind, its seat and its bytes. @param {Json} board @returns {{kind: string, seat: number, data: number[]}|null} */
export function lastOf({ last }) {
  if (!last) return null;
  const kind = typeof last.kind === "number" ? KINDS[last.kind] : last.kind;
  return { kind, seat: last.seat, data: typeof last.data === "string" ? bytesOf(last.data) : last.data };
}

/**
 * Return the pairs of lands in an attack, a capture or a transfer. In each pair, the soldiers go
 * from the first land to the second.
 * @param {number[]} data @param {string} kind @returns {[number, number][]}
 */
export const pairsOf = (data, kind) =>
  kind === "move"
    ? [[data[0], data[1]]]
    : Array.from({ length: data.length >> 1 }, (_, i) => [data[2 * i], data[2 * i + 1]]);

/** @param {RenderContext} context @param {World} world @returns {Line[]} */
export function lastArrows({ board }, { centres }) {
  const last = lastOf(board);
  if (!last || !FROM_TO.includes(last.kind)) return [];
  return pairsOf(last.data, last.kind)
    .filter(([from, to]) => centres[from] !== undefined && centres[to] !== undefined)
    .map(([from, to]) => ({ from: centres[from], to: centres[to], kind: "last" }));
}
