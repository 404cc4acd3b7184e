/**
 * The arrows on a map. An arrow bends around the numbers on the lands. Its label is placed where
 * the label covers as little as possible. This module has no side effects.
 */

import { h } from "../../lib/dom.js";
import { middle } from "../geometry.js";

/** @import { Line, Picture, RegionMap } from "../../types.js" */
/** @import { Geometry } from "../geometry.js" */

/** The sizes of an arrow's parts, in CSS pixels. */
const SHAFT_WIDTH = 4;
const THIN_SHAFT_WIDTH = 3;
const HEAD_LENGTH = 11;
const LETTER_WIDTH = 7.1;
const PILL_HEIGHT = 18;
const SMALL_CELL = 8;
/**
 * The cost of each square pixel of a number that an arrow's label covers. In comparison, each pixel
 * of the distance between the label and its arrow costs 1.
 */
const OVERLAP_COST = 4;

/**
 * The possible positions of a label, relative to a point on its arrow, the nearest position first.
 */
const LABEL_OFFSETS = [0, 14, 28, 42, 60, 80, 105].flatMap((off) =>
  Array.from({ length: off ? 12 : 1 }, (_, i) => {
    const angle = (Math.PI * i) / 6;
    return { x: off * Math.cos(angle), y: off * Math.sin(angle), off };
  }),
);

/** @typedef {{x: number, y: number}} MapPoint */
/** @typedef {{left: number, top: number, right: number, bottom: number}} LabelBox */
/** @typedef {{key: string, line: Line, way: MapPoint[], width: number, pill: MapPoint|null, text: string}} Arrow An arrow and the position of its label. `way`: the points at which the arrow starts, bends and ends. */

/** @param {MapPoint} centre @param {number} halfWidth @param {number} halfHeight @returns {LabelBox} */
const boxAt = ({ x, y }, halfWidth, halfHeight) => ({
  left: x - halfWidth,
  right: x + halfWidth,
  top: y - halfHeight,
  bottom: y + halfHeight,
});

/** @param {LabelBox} a @param {LabelBox} b */
const overlap = (a, b) =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/**
 * Return the box around a region's number. If the region has a second number (`noted`), the box is
 * taller.
 * @param {MapPoint} centre @param {number} half @param {boolean} noted @returns {LabelBox}
 */
function labelBox(centre, half, noted) {
  const box = boxAt(centre, half, half);
  return noted ? { ...box, bottom: box.bottom + half * 0.9 } : box;
}

/** @param {Picture} picture @param {Geometry} g @returns {Arrow[]} */
export function arrowsOf({ lines, map }, g) {
  if (!lines.length) return [];
  const half = Math.min(19, Math.max(12, g.cell * 1.3)) * 1.05;
  const labels = /** @type {RegionMap} */ (map).regions
    .filter(({ label }) => label)
    .map(({ cell, note }) => ({ cell, box: labelBox(middle(g, cell), half, note !== "") }));
  /** @type {LabelBox[]} */
  const pills = [];
  return lines.map((line) => {
    const boxes = labels.filter(({ cell }) => cell !== line.from && cell !== line.to).map(({ box }) => box);
    const way = bestWay(middle(g, line.from), middle(g, line.to), boxes, half);
    const text = (g.cell < SMALL_CELL ? line.short : undefined) ?? line.label ?? "";
    const pill = text ? bestPill(way, text, [...labels.map(({ box }) => box), ...pills], g) : null;
    if (pill) pills.push(boxAt(pill, widthOf(text) / 2, PILL_HEIGHT / 2));
    return {
      key: `${line.kind}-${line.from}-${line.to}-${line.press ?? ""}`,
      ...{ line, way, pill, text, width: g.cell < SMALL_CELL ? THIN_SHAFT_WIDTH : SHAFT_WIDTH },
    };
  });
}

/** @param {MapPoint[]} way @param {number} share */
function along([a, b, c], share) {
  const rest = 1 - share;
  return {
    x: rest * rest * a.x + 2 * rest * share * b.x + share * share * c.x,
    y: rest * rest * a.y + 2 * rest * share * b.y + share * share * c.y,
  };
}

/**
 * Return a path from the edge of one number to the edge of another number. The path bends so that
 * it covers as little as possible of the numbers in between.
 * @param {MapPoint} from @param {MapPoint} to @param {LabelBox[]} boxes @param {number} gap
 */
function bestWay(from, to, boxes, gap) {
  const far = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const cut = Math.min(gap, far * 0.34);
  const [ux, uy] = [(to.x - from.x) / far, (to.y - from.y) / far];
  const ways = [0.12, -0.12, 0.3, -0.3, 0.5, -0.5].map((bend) => {
    const control = {
      x: (from.x + to.x) / 2 - uy * far * bend,
      y: (from.y + to.y) / 2 + ux * far * bend,
    };
    const start = toward(from, control, cut);
    const end = toward(to, control, cut);
    const way = [start, control, end];
    const hits = Array.from({ length: 17 }, (_, i) => boxAt(along(way, i / 16), 3, 3)).reduce(
      (sum, dot) => sum + boxes.reduce((area, box) => area + overlap(dot, box), 0),
      0,
    );
    return { way, cost: hits + Math.abs(bend) * 40 };
  });
  return ways.reduce((best, one) => (one.cost < best.cost ? one : best)).way;
}

/** @param {MapPoint} from @param {MapPoint} to @param {number} length */
function toward(from, to, length) {
  const far = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: from.x + ((to.x - from.x) / far) * length, y: from.y + ((to.y - from.y) / far) * length };
}

/** @param {string} label */
const widthOf = (label) => label.length * LETTER_WIDTH + 12;

/**
 * Return the position near an arrow where the arrow's label covers as little as possible of the
 * numbers and of other labels.
 * @param {MapPoint[]} way @param {string} label @param {LabelBox[]} boxes @param {Geometry} g
 */
function bestPill(way, label, boxes, g) {
  const halfWidth = widthOf(label) / 2;
  const inside = (/** @type {MapPoint} */ { x, y }) => ({
    x: Math.min(g.right - halfWidth, Math.max(g.edge + halfWidth, x)),
    y: Math.min(g.bottom - PILL_HEIGHT / 2, Math.max(g.edge + PILL_HEIGHT / 2, y)),
  });
  const candidates = [0.5, 0.35, 0.65].flatMap((share) =>
    LABEL_OFFSETS.map(({ x, y, off }) => {
      const on = along(way, share);
      const centre = inside({ x: on.x + x, y: on.y + y });
      const own = boxAt(centre, halfWidth, PILL_HEIGHT / 2);
      const cost =
        boxes.reduce((sum, box) => sum + OVERLAP_COST * overlap(own, box), 0) + off + Math.abs(share - 0.5) * 20;
      return { centre, cost };
    }),
  );
  return candidates.reduce((best, one) => (one.cost < best.cost ? one : best)).centre;
}

/** @param {number} value */
const round = (value) => value.toFixed(1);

/**
 * Return an arrow. If `label` is true, return the arrow's label instead. They are drawn separately:
 * arrows below the numbers, and labels above them.
 * @param {Arrow} arrow @param {boolean} label
 */
export function arrowTree({ key, line, way, width, pill, text }, label) {
  const { kind, press } = line;
  const props = {
    class: `arrow ${kind}`,
    vars: { "--kind": `var(--line-${kind}, var(--accent))` },
    "data-line": kind,
    "data-press": press,
  };
  if (label) return pill ? pillTree(key, text, pill, props) : null;
  const [a, b, c] = way;
  const angle = Math.atan2(c.y - b.y, c.x - b.x);
  const head = Math.min(HEAD_LENGTH, 0.6 * Math.hypot(c.x - a.x, c.y - a.y) + 4);
  const neck = { x: c.x - Math.cos(angle) * head * 0.8, y: c.y - Math.sin(angle) * head * 0.8 };
  const shaft = `M${round(a.x)},${round(a.y)}Q${round(b.x)},${round(b.y)} ${round(neck.x)},${round(neck.y)}`;
  const wing = (/** @type {number} */ turn) =>
    `${round(c.x - Math.cos(angle + turn) * head)},${round(c.y - Math.sin(angle + turn) * head)}`;
  const tip = `M${round(c.x)},${round(c.y)}L${wing(0.5)}L${wing(-0.5)}Z`;
  return h(
    "g",
    { key: `arrow-${key}`, ...props },
    h("path", { class: "arrow-foam", d: shaft + tip, "stroke-width": width + 3.5 }),
    h("path", { class: "arrow-shaft", d: shaft, "stroke-width": width }),
    h("path", { class: "arrow-head", d: tip }),
    press !== undefined && h("path", { class: "arrow-touch", d: shaft, "stroke-width": 22 }),
  );
}

/** @param {string} key @param {string} label @param {MapPoint} centre @param {Record<string, any>} props */
function pillTree(key, label, { x, y }, props) {
  const width = widthOf(label);
  return h(
    "g",
    { key: `pill-${key}`, ...props, transform: `translate(${round(x)},${round(y)})` },
    h("rect", {
      class: "arrow-pill",
      x: round(-width / 2),
      y: -PILL_HEIGHT / 2,
      width: round(width),
      height: PILL_HEIGHT,
      rx: PILL_HEIGHT / 2,
    }),
    h("text", { class: "pill-text", x: 0, y: 0, "font-size": 12 }, label),
  );
}
