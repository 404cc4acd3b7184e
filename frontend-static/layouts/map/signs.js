/**
 * The signs on a map: the textures of the ground, and the things on a land. Each sign is a filled
 * outline with its centre at (0, 0), for a given radius. This module has no side effects.
 */

import { corners, polygon, radial } from "../shapes.js";

/** Return the outline of a wavy line, which has the same thickness everywhere. @param {number} y */
function wave(y) {
  const line = [-1, -0.5, 0, 0.5, 1].map((x, i) => [x, y + (i % 2 ? -0.28 : 0.2)]);
  return [...line.map(([x, top]) => [x, top - 0.17]), ...line.reverse().map(([x, top]) => [x, top + 0.17])];
}

/**
 * The signs. The key is the sign's name. A sign is made of polygons (lists of corners) and discs
 * (`[x, y, radius]`). @type {Record<string, (number[][]|[number, number, number])[]>}
 */
const SIGNS = {
  tree: [corners("0,-1 0.75,0.4 0.16,0.4 0.16,0.95 -0.16,0.95 -0.16,0.4 -0.75,0.4")],
  peak: [corners("-1,0.8 -0.25,-0.85 0.1,-0.15 0.35,-0.5 1,0.8")],
  dune: [
    [-0.6, 0.4, 0.24],
    [0.55, 0.4, 0.24],
    [0, -0.45, 0.24],
  ],
  wave: [wave(-0.4), wave(0.45)],
  grass: [corners("-0.7,-0.5 -0.12,0.75 0.12,0.75 0.7,-0.5 0.08,0.15 0,-0.85 -0.08,0.15")],
  crown: [corners("-0.95,0.75 -1,-0.6 -0.45,0.05 0,-0.9 0.45,0.05 1,-0.6 0.95,0.75")],
  fort: [
    corners(
      "-0.9,0.85 -0.9,-0.8 -0.45,-0.8 -0.45,-0.3 -0.22,-0.3 -0.22,-0.8 0.22,-0.8 0.22,-0.3 0.45,-0.3 0.45,-0.8 0.9,-0.8 0.9,0.85 0.28,0.85 0.28,0.2 -0.28,0.2 -0.28,0.85",
    ),
  ],
  hero: [[0, -0.52, 0.42], corners("-0.85,0.95 -0.55,0.1 0.55,0.1 0.85,0.95")],
  gift: [
    corners("-0.85,-0.25 0.85,-0.25 0.85,0.9 -0.85,0.9"),
    corners("0,-0.35 -0.75,-0.95 -0.75,-0.45"),
    corners("0,-0.35 0.75,-0.95 0.75,-0.45"),
  ],
  star: [radial(10, -Math.PI / 2, (i) => (i % 2 ? 0.45 : 1.1))],
  shield: [corners("-0.8,-0.85 0.8,-0.85 0.8,0.1 0.5,0.6 0,0.95 -0.5,0.6 -0.8,0.1")],
};

/** @param {number[]} disc @param {number} r */
function circle([x, y, radius], r) {
  const [left, top, size] = [((x - radius) * r).toFixed(1), (y * r).toFixed(1), (radius * r).toFixed(1)];
  const wide = (2 * radius * r).toFixed(1);
  return `M${left},${top}a${size},${size} 0 1 0 ${wide},0a${size},${size} 0 1 0 -${wide},0Z`;
}

/** @param {string} name @param {number} r */
export const sign = (name, r) =>
  (SIGNS[name] ?? [])
    .map((one) =>
      Array.isArray(one[0]) ? polygon(/** @type {number[][]} */ (one), r, 1) : circle(/** @type {number[]} */ (one), r),
    )
    .join("");

/** Return a path that draws the same sign at several points. @param {string} name @param {number} r @param {{x: number, y: number}[]} points in CSS pixels */
export function signs(name, r, points) {
  const path = sign(name, r);
  return points.map(({ x, y }) => shifted(path, x, y)).join("");
}

/** Move a path by shifting its absolute points. Relative arcs need no change. @param {string} path @param {number} x @param {number} y */
const shifted = (path, x, y) =>
  path.replace(/([ML])(-?[\d.]+),(-?[\d.]+)/g, (_, letter, left, top) => {
    return `${letter}${(Number(left) + x).toFixed(1)},${(Number(top) + y).toFixed(1)}`;
  });
