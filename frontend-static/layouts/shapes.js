/**
 * The outlines of pieces, and the symbols on the pieces' faces. Players recognize the owner of a
 * piece by its outline even if they can't distinguish the colours. All shapes have their centre at
 * (0, 0) and a given radius. This module has no side effects.
 */

/** Convert the text of an SVG polygon's `points` attribute to a list of corners. @param {string} points */
export const corners = (points) => points.split(" ").map((point) => point.split(",").map(Number));

/** @param {number} count @param {number} turn in radians @param {(i: number) => number} length returns the distance of a corner from the middle */
export const radial = (count, turn, length) =>
  Array.from({ length: count }, (_, i) => {
    const angle = turn + (2 * Math.PI * i) / count;
    return [length(i) * Math.cos(angle), length(i) * Math.sin(angle)];
  });

/** Return a closed path through these points. @param {number[][]} points the corners, for a radius of 1 @param {number} r @param {number} [digits] */
export const polygon = (points, r, digits = 2) =>
  `M${points.map(([x, y]) => `${(x * r).toFixed(digits)},${(y * r).toFixed(digits)}`).join("L")}Z`;

/** @param {number} count @param {number} turn in radians @param {number} stretch @returns {(r: number) => string} */
function regular(count, turn, stretch) {
  const points = radial(count, turn, () => stretch);
  return (r) => polygon(points, r);
}

/** @param {number} r */
const circle = (r) => `M${-r},0A${r},${r} 0 1 1 ${r},0A${r},${r} 0 1 1 ${-r},0Z`;

/**
 * A plus whose arms are as thick as the line of `ring`. DIAGONAL is the same shape, rotated by an
 * eighth of a turn.
 */
const PLUS =
  "0.95,-0.2 0.95,0.2 0.2,0.2 0.2,0.95 -0.2,0.95 -0.2,0.2 -0.95,0.2 -0.95,-0.2 -0.2,-0.2 -0.2,-0.95 0.2,-0.95 0.2,-0.2";
const DIAGONAL = corners(PLUS).map(([x, y]) => [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2]);

/** Return a ring. Its two circles are drawn in opposite directions, so the inner one is a hole. @param {number} r */
function ring(r) {
  const inner = r * 0.58;
  return `${circle(r)}M${inner},0A${inner},${inner} 0 1 0 ${-inner},0A${inner},${inner} 0 1 0 ${inner},0Z`;
}

/** The number of outlines that mark owners. They come first in OUTLINES. */
export const OWNER_SHAPES = 6;
export const CROSS = 6;
export const RING = 7;

/** @type {((r: number) => string)[]} */
const OUTLINES = [
  circle,
  regular(4, Math.PI / 4, 1.18),
  regular(4, 0, 1.18),
  regular(6, 0, 1.06),
  regular(3, -Math.PI / 2, 1.22),
  regular(5, -Math.PI / 2, 1.12),
  (r) => polygon(DIAGONAL, r),
  ring,
];

/** @param {number} shape @param {number} r */
export const outline = (shape, r) => OUTLINES[shape % OUTLINES.length](r);

const RAYS = radial(16, 0, (i) => (i % 2 ? 0.55 : 1));

/** Return a burst of eight rays, which marks a hit. @param {number} r */
export const burst = (r) => polygon(RAYS, r);

const STAR = radial(10, -Math.PI / 2, (i) => (i % 2 ? 0.45 : 1.12));
const OCTAGON = radial(8, Math.PI / 8, () => 1.04);
/** A bar-shaped hole in OCTAGON. Its corners are in the opposite order to those of OCTAGON. */
const BAR = corners("-0.6,-0.2 -0.6,0.2 0.6,0.2 0.6,-0.2");
const ARROWS = corners(
  "-1.1,0 -0.45,-0.66 -0.45,-0.22 0.45,-0.22 0.45,-0.66 1.1,0 0.45,0.66 0.45,0.22 -0.45,0.22 -0.45,0.66",
);
const LETTER_T = corners("-0.9,-0.95 0.9,-0.95 0.9,-0.4 0.28,-0.4 0.28,0.95 -0.28,0.95 -0.28,-0.4 -0.9,-0.4");

/** The symbols on the faces of a cube, each with a shape of its own. @type {Record<string, (r: number) => string>} */
const SYMBOLS = {
  star: (r) => polygon(STAR, r),
  times: (r) => outline(CROSS, r * 1.1),
  arrows: (r) => polygon(ARROWS, r),
  ring: (r) => outline(RING, r * 0.98),
  tee: (r) => polygon(LETTER_T, r),
  stop: (r) => polygon(OCTAGON, r) + polygon(BAR, r),
};

/** Return the path of a cube's symbol, or "" if no symbol has this name. @param {string} name @param {number} r */
export const symbol = (name, r) => SYMBOLS[name]?.(r) ?? "";
