/** The symbols on the faces of a cube, each of a shape of its own: filled outlines around (0, 0), for a radius. Pure. */

import { CROSS, RING, outline } from "./shapes.js";

/** @param {number[][]} points @param {number} r */
const filled = (points, r) => `M${points.map(([x, y]) => `${(x * r).toFixed(2)},${(y * r).toFixed(2)}`).join("L")}Z`;

/** @param {number} corners @param {number} turn in radians @param {(i: number) => number} [length] of each corner */
const radial = (corners, turn, length = () => 1) =>
  Array.from({ length: corners }, (_, i) => {
    const angle = turn + (2 * Math.PI * i) / corners;
    return [length(i) * Math.cos(angle), length(i) * Math.sin(angle)];
  });

const STAR = radial(10, -Math.PI / 2, (i) => (i % 2 ? 0.45 : 1.12));
const OCTAGON = radial(8, Math.PI / 8, () => 1.04);
/** The other way round than the octagon: a hole in it. */
const BAR = [
  [-0.6, -0.2],
  [-0.6, 0.2],
  [0.6, 0.2],
  [0.6, -0.2],
];
const ARROWS = [
  [-1.1, 0],
  [-0.45, -0.66],
  [-0.45, -0.22],
  [0.45, -0.22],
  [0.45, -0.66],
  [1.1, 0],
  [0.45, 0.66],
  [0.45, 0.22],
  [-0.45, 0.22],
  [-0.45, 0.66],
];
const LETTER_T = [
  [-0.9, -0.95],
  [0.9, -0.95],
  [0.9, -0.4],
  [0.28, -0.4],
  [0.28, 0.95],
  [-0.28, 0.95],
  [-0.28, -0.4],
  [-0.9, -0.4],
];

/** @type {Record<string, (r: number) => string>} */
const SYMBOLS = {
  star: (r) => filled(STAR, r),
  times: (r) => outline(CROSS, r * 1.1),
  arrows: (r) => filled(ARROWS, r),
  ring: (r) => outline(RING, r * 0.98),
  tee: (r) => filled(LETTER_T, r),
  stop: (r) => filled(OCTAGON, r) + filled(BAR, r),
};

/** @param {string} name @param {number} r */
export const symbol = (name, r) => SYMBOLS[name]?.(r) ?? "";
