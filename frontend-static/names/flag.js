/**
 * Draws an address's flag, which helps players recognise accounts. Each flag has one of 16 designs
 * and two colours of different lightness. This module has no side effects.
 */

import { h } from "../lib/dom.js";
import { hashOf } from "./hash.js";

/** @import { Tree } from "../lib/dom.js" */
/**
 * A flag. `ground` and `charge`: the numbers of the colours of the background and of the shape on
 * it. The style sheet defines the colour `n` as `--flag-<n>`. @typedef {{shape: string, ground: number, charge: number}} Flag
 */

/** The width and the height of a flag in CSS pixels, without its outline. */
export const WIDTH = 18;
export const HEIGHT = 12;

const CLOTH = "M0 0H18V12H0Z";
/**
 * The flag designs. The key is the design's name. Each design has the outline of its charge, which
 * is the shape on the flag. If the flag isn't a rectangle, the outline of the flag follows. The
 * order must not change, because the position in this list decides which account gets which design. @type {Record<string, [charge: string, cloth?: string]>}
 */
export const SHAPES = {
  halves: ["M9 0H18V12H9Z"],
  fess: ["M0 6H18V12H0Z"],
  quarters: ["M9 0H18V6H9ZM0 6H9V12H0Z"],
  cross: ["M7.2 0H10.8V4.2H18V7.8H10.8V12H7.2V7.8H0V4.2H7.2Z"],
  saltire: ["M0 0H3.2L9 3.9 14.8 0H18V2L12 6 18 10V12H14.8L9 8.1 3.2 12H0V10L6 6 0 2Z"],
  disc: ["M9 2.2A3.8 3.8 0 0 1 9 9.8 3.8 3.8 0 0 1 9 2.2Z"],
  border: ["M0 0H18V12H0ZM3.6 3.2V8.8H14.4V3.2Z"],
  pale: ["M6 0H12V12H6Z"],
  bars: ["M0 2.4H18V4.8H0ZM0 7.2H18V9.6H0Z"],
  triangle: ["M0 0 11 6 0 12Z"],
  lozenge: ["M9 1 17 6 9 11 1 6Z"],
  chequers: ["M0 0H4.5V4H0ZM9 0H13.5V4H9ZM4.5 4H9V8H4.5ZM13.5 4H18V8H13.5ZM0 8H4.5V12H0ZM9 8H13.5V12H9Z"],
  bend: ["M18 0V12H0Z"],
  canton: ["M0 0H9V6.6H0Z"],
  swallowtail: ["M9 0H18L13 6 18 12H9Z", "M0 0H18L13 6 18 12H0Z"],
  pennant: ["M0 0 8 2.7V9.3L0 12Z", "M0 0 18 6 0 12Z"],
};
const NAMES = Object.keys(SHAPES);

/**
 * For each background colour, the colours that a charge on it can have. Colours 0 to 8 are orange,
 * sky, green, yellow, blue, vermilion, purple, white and ink. The contrast is at least 2.9:1.
 */
export const PARTNERS = [
  [8],
  [8],
  [7, 8],
  [4, 5, 8],
  [3, 7, 8],
  [3, 7, 8],
  [7, 8],
  [2, 4, 5, 6, 8],
  [0, 1, 2, 3, 4, 5, 6, 7],
];

/** @param {string} address @returns {Flag} */
export function flagOf(address) {
  const [, , shape, first, second] = hashOf(address);
  const ground = first % PARTNERS.length;
  const partners = PARTNERS[ground];
  return { shape: NAMES[shape % NAMES.length], ground, charge: partners[second % partners.length] };
}

/** Return a flag's SVG shapes. They fill the area from 0,0 to WIDTH,HEIGHT. @param {Flag} flag @returns {Tree[]} */
export function flagTrees({ shape, ground, charge }) {
  const [mark, cloth = CLOTH] = SHAPES[shape];
  return [
    h("path", { d: cloth, fill: `var(--flag-${ground})` }),
    h("path", { d: mark, fill: `var(--flag-${charge})`, "fill-rule": "evenodd" }),
    h("path", { d: cloth, fill: "none", stroke: "var(--ink)", "stroke-width": 0.8, "stroke-linejoin": "round" }),
  ];
}
