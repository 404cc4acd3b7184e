/** The outlines of pieces, so that an owner is never marked by colour alone. Around (0, 0), for a radius. Pure. */

/** @param {number} corners @param {number} turn in radians @param {number} stretch @returns {(r: number) => string} */
const polygon =
  (corners, turn, stretch = 1) =>
  (r) => {
    const points = Array.from({ length: corners }, (_, i) => {
      const angle = turn + (2 * Math.PI * i) / corners;
      return `${(r * stretch * Math.cos(angle)).toFixed(2)},${(r * stretch * Math.sin(angle)).toFixed(2)}`;
    });
    return `M${points.join("L")}Z`;
  };

/** @param {number} r */
const circle = (r) => `M${-r},0A${r},${r} 0 1 1 ${r},0A${r},${r} 0 1 1 ${-r},0Z`;

/** Four arms, as thick as the ring below. @param {number} r */
function cross(r) {
  const [far, near] = [r * 0.95, r * 0.2];
  const corner = (/** @type {number} */ a, /** @type {number} */ b) =>
    `${((a - b) * Math.SQRT1_2).toFixed(2)},${((a + b) * Math.SQRT1_2).toFixed(2)}`;
  const points = [
    [far, -near],
    [far, near],
    [near, near],
    [near, far],
    [-near, far],
    [-near, near],
    [-far, near],
    [-far, -near],
    [-near, -near],
    [-near, -far],
    [near, -far],
    [near, -near],
  ];
  return `M${points.map(([a, b]) => corner(a, b)).join("L")}Z`;
}

/** The inner circle runs the other way round, so that it is a hole. @param {number} r */
function ring(r) {
  const inner = r * 0.58;
  return `${circle(r)}M${inner},0A${inner},${inner} 0 1 0 ${-inner},0A${inner},${inner} 0 1 0 ${inner},0Z`;
}

/** How many outlines there are for owners; the named ones below come after them. */
export const OWNERS = 6;
export const CROSS = 6;
export const RING = 7;

/** @type {((r: number) => string)[]} */
const OUTLINES = [
  circle,
  polygon(4, Math.PI / 4, 1.18),
  polygon(4, 0, 1.18),
  polygon(6, 0, 1.06),
  polygon(3, -Math.PI / 2, 1.22),
  polygon(5, -Math.PI / 2, 1.12),
  cross,
  ring,
];

/** @param {number} shape @param {number} r */
export const outline = (shape, r) => OUTLINES[shape % OUTLINES.length](r);

/** A burst of eight rays, for a hit. @param {number} r */
export function burst(r) {
  const points = Array.from({ length: 16 }, (_, i) => {
    const radius = i % 2 ? r * 0.55 : r;
    const angle = (Math.PI * i) / 8;
    return `${(radius * Math.cos(angle)).toFixed(2)},${(radius * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${points.join("L")}Z`;
}
