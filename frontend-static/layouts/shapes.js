/** The outlines of pieces, so that an owner is never told by colour alone. Around (0, 0), for a radius. Pure. */

/** @param {number} corners @param {number} turn in radians @param {number} stretch @returns {(r: number) => string} */
const polygon = (corners, turn, stretch = 1) => (r) => {
  const points = Array.from({ length: corners }, (_, i) => {
    const angle = turn + (2 * Math.PI * i) / corners;
    return `${(r * stretch * Math.cos(angle)).toFixed(2)},${(r * stretch * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${points.join("L")}Z`;
};

/** @param {number} r */
const circle = (r) => `M${-r},0A${r},${r} 0 1 1 ${r},0A${r},${r} 0 1 1 ${-r},0Z`;

/** @type {((r: number) => string)[]} */
const OUTLINES = [
  circle,
  polygon(4, Math.PI / 4, 1.18),
  polygon(4, 0, 1.18),
  polygon(6, 0, 1.06),
  polygon(3, -Math.PI / 2, 1.22),
  polygon(5, -Math.PI / 2, 1.12),
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
