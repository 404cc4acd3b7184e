/**
 * Draws a cube seen from above. The upper face is a square in the middle, and the four sides are
 * bevels around this square. While the cube rolls, the side behind it turns into the square, and
 * the upper face turns into the side ahead. This module has no side effects.
 */

import { h } from "../lib/dom.js";
import { outline, symbol } from "./shapes.js";

/** @import { Tree } from "../lib/dom.js" */
/** @import { Faces, Piece } from "../types.js" */
/** @typedef {"front"|"right"|"back"|"left"} Side */
/** @typedef {{faces: Faces, ahead: Side, progress: number}} Turning A roll that starts with these faces and ends with the piece's own faces. `progress`: from 0 at the start to 1 at the end. */

/**
 * Half the width of the cube, and half the width of its upper face, as fractions of a cell's width.
 */
const HALF = 0.47;
const HALF_UP = 0.235;
/**
 * The cell size, in CSS pixels, below which only the upper face is legible. On smaller cells, the
 * upper face is drawn larger.
 */
const SMALL_CELL = 34;
const HALF_UP_SMALL = 0.36;

/**
 * The direction of each side on the board. The x-axis points to the right, and the y-axis points
 * down.
 * @type {Record<Side, [number, number]>}
 */
export const SIDES = { front: [0, -1], right: [1, 0], back: [0, 1], left: [-1, 0] };
/** @type {Record<Side, Side>} */
export const OPPOSITE = { front: "back", right: "left", back: "front", left: "right" };
/** The darkness of each side, with light from the upper left. @type {Record<Side, number>} */
const SHADES = { front: 0, left: 0.08, right: 0.16, back: 0.24 };

/** Return a cube's faces as they appear on a board that is rotated by half a turn. @param {Faces} faces @returns {Faces} */
const halfTurned = ({ up, front, right, back, left }) => ({ up, front: back, right: left, back: front, left: right });

/** Draw a cube. Its symbols are upright, even if the board is rotated. @param {Piece} piece a piece with faces @param {number} cell the side of a cell in CSS pixels @param {Turning} [turning] @param {boolean} [turned] @returns {Tree[]} */
export function cube(piece, cell, turning, turned = false) {
  const seen = (/** @type {Faces} */ each) => (turned ? halfTurned(each) : each);
  const faces = seen(/** @type {Faces} */ (piece.faces));
  const far = cell * HALF;
  const near = cell * (cell < SMALL_CELL ? HALF_UP_SMALL : HALF_UP);
  const ahead = turning ? (turned ? OPPOSITE[turning.ahead] : turning.ahead) : "right";
  const [progress, old] = turning ? [turning.progress, seen(turning.faces)] : [0, faces];
  const still = /** @type {Side[]} */ (Object.keys(SIDES)).filter(
    (side) => SIDES[side][0] * SIDES[ahead][0] + SIDES[side][1] * SIDES[ahead][1] === 0,
  );
  const behind = OPPOSITE[ahead];
  const [a, b, c] = [between(-far, -near, progress), between(-near, near, progress), between(near, far, progress)];
  const bands = [
    { from: -far, to: a, face: turning ? faces[behind] : "", upper: 0, shade: SHADES[behind] },
    { from: a, to: b, face: old[behind], upper: progress, shade: SHADES[behind] * (1 - progress) },
    { from: b, to: c, face: old.up, upper: 1 - progress, shade: SHADES[ahead] * progress },
    { from: c, to: far, face: old[ahead], upper: 0, shade: SHADES[ahead] },
  ].filter(({ from, to }) => to - from > 0.5);
  return [
    h("rect", { key: "cube", class: "cube", x: -far, y: -far, width: 2 * far, height: 2 * far, rx: far * 0.1 }),
    ...still.map((side) => {
      const faceOf = progress < 0.5 ? old : faces;
      return bandTree(
        { from: near, to: far, face: faceOf[side], upper: 0, shade: SHADES[side] },
        side,
        near,
        piece,
        cell,
      );
    }),
    ...bands.map((band) => bandTree(band, ahead, near, piece, cell)),
    h("rect", { key: "rim", class: "rim", x: -far, y: -far, width: 2 * far, height: 2 * far, rx: far * 0.1 }),
  ];
}

/** @param {number} a @param {number} b @param {number} share */
const between = (a, b, share) => a + (b - a) * share;

/** @typedef {{from: number, to: number, face: string, upper: number, shade: number}} Band A visible face of a rolling cube. It covers `from` to `to` along the direction of the roll. `upper`: how far the face has turned towards the top, from 0 to 1. */

/** @param {Band} band @param {Side} side the direction in which `from` and `to` are measured @param {number} near @param {Piece} piece @param {number} cell */
function bandTree({ from, to, face, upper, shade }, side, near, piece, cell) {
  const [dx, dy] = SIDES[side];
  const at = (/** @type {number} */ along, /** @type {number} */ across) =>
    `${(dx * along + Math.abs(dy) * across).toFixed(2)},${(dy * along + Math.abs(dx) * across).toFixed(2)}`;
  const cuts = [from, ...[-near, near].filter((cut) => cut > from && cut < to), to];
  const wide = (/** @type {number} */ along) => Math.max(near, Math.abs(along));
  const edge = [...cuts.map((cut) => at(cut, -wide(cut))), ...cuts.toReversed().map((cut) => at(cut, wide(cut)))];
  const middle = (from + to) / 2;
  const depth = to - from;
  const scale = Math.min(1, depth / (2 * near));
  const isUpper = upper >= 0.5;
  const readable = isUpper || cell >= SMALL_CELL;
  return h(
    "g",
    { key: `${side}-${from.toFixed(1)}-${face}`, class: isUpper ? "face upper" : "face" },
    h("path", { class: "bevel", d: `M${edge.join("L")}Z` }),
    h("path", { class: "shade", d: `M${edge.join("L")}Z`, "fill-opacity": shade.toFixed(3) }),
    readable &&
      h(
        "g",
        { transform: `translate(${at(middle, 0)})` },
        isUpper && h("path", { class: "plate", d: outline(piece.shape, near * scale) }),
        h("path", { class: "symbol", d: symbol(face, isUpper ? near * scale * 0.62 : depth * 0.37) }),
      ),
  );
}
