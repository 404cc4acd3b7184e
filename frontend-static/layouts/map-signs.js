/** The signs on a map: textures of the ground, and what stands on a land. Filled outlines about (0, 0), for a radius. Pure. */

/** @param {number[][]} points @param {number} r */
const filled = (points, r) => `M${points.map(([x, y]) => `${(x * r).toFixed(1)},${(y * r).toFixed(1)}`).join("L")}Z`;

/** @param {number} x @param {number} y @param {number} radius @param {number} r */
const disc = (x, y, radius, r) => {
  const [left, top, size] = [((x - radius) * r).toFixed(1), (y * r).toFixed(1), (radius * r).toFixed(1)];
  const wide = (2 * radius * r).toFixed(1);
  return `M${left},${top}a${size},${size} 0 1 0 ${wide},0a${size},${size} 0 1 0 -${wide},0Z`;
};

/** A band of even thickness along points. @param {number[][]} points @param {number} thick @param {number} r */
const band = (points, thick, r) =>
  filled([...points.map(([x, y]) => [x, y - thick]), ...[...points].reverse().map(([x, y]) => [x, y + thick])], r);

/** @param {number} y @param {number} r */
const wave = (y, r) =>
  band(
    [-1, -0.5, 0, 0.5, 1].map((x, i) => [x, y + (i % 2 ? -0.28 : 0.2)]),
    0.17,
    r,
  );

/** @type {Record<string, (r: number) => string>} */
const SIGNS = {
  tree: (r) =>
    filled(
      [
        [0, -1],
        [0.75, 0.4],
        [0.16, 0.4],
        [0.16, 0.95],
        [-0.16, 0.95],
        [-0.16, 0.4],
        [-0.75, 0.4],
      ],
      r,
    ),
  peak: (r) =>
    filled(
      [
        [-1, 0.8],
        [-0.25, -0.85],
        [0.1, -0.15],
        [0.35, -0.5],
        [1, 0.8],
      ],
      r,
    ),
  dune: (r) => disc(-0.6, 0.4, 0.24, r) + disc(0.55, 0.4, 0.24, r) + disc(0, -0.45, 0.24, r),
  wave: (r) => wave(-0.4, r) + wave(0.45, r),
  grass: (r) =>
    filled(
      [
        [-0.7, -0.5],
        [-0.12, 0.75],
        [0.12, 0.75],
        [0.7, -0.5],
        [0.08, 0.15],
        [0, -0.85],
        [-0.08, 0.15],
      ],
      r,
    ),
  crown: (r) =>
    filled(
      [
        [-0.95, 0.75],
        [-1, -0.6],
        [-0.45, 0.05],
        [0, -0.9],
        [0.45, 0.05],
        [1, -0.6],
        [0.95, 0.75],
      ],
      r,
    ),
  fort: (r) =>
    filled(
      [
        [-0.9, 0.85],
        [-0.9, -0.8],
        [-0.45, -0.8],
        [-0.45, -0.3],
        [-0.22, -0.3],
        [-0.22, -0.8],
        [0.22, -0.8],
        [0.22, -0.3],
        [0.45, -0.3],
        [0.45, -0.8],
        [0.9, -0.8],
        [0.9, 0.85],
        [0.28, 0.85],
        [0.28, 0.2],
        [-0.28, 0.2],
        [-0.28, 0.85],
      ],
      r,
    ),
  hero: (r) =>
    disc(0, -0.52, 0.42, r) +
    filled(
      [
        [-0.85, 0.95],
        [-0.55, 0.1],
        [0.55, 0.1],
        [0.85, 0.95],
      ],
      r,
    ),
  gift: (r) =>
    filled(
      [
        [-0.85, -0.25],
        [0.85, -0.25],
        [0.85, 0.9],
        [-0.85, 0.9],
      ],
      r,
    ) +
    filled(
      [
        [0, -0.35],
        [-0.75, -0.95],
        [-0.75, -0.45],
      ],
      r,
    ) +
    filled(
      [
        [0, -0.35],
        [0.75, -0.95],
        [0.75, -0.45],
      ],
      r,
    ),
  star: (r) =>
    filled(
      Array.from({ length: 10 }, (_, i) => {
        const angle = -Math.PI / 2 + (Math.PI * i) / 5;
        const far = i % 2 ? 0.45 : 1.1;
        return [far * Math.cos(angle), far * Math.sin(angle)];
      }),
      r,
    ),
  shield: (r) =>
    filled(
      [
        [-0.8, -0.85],
        [0.8, -0.85],
        [0.8, 0.1],
        [0.5, 0.6],
        [0, 0.95],
        [-0.5, 0.6],
        [-0.8, 0.1],
      ],
      r,
    ),
};

/** @param {string} name @param {number} r */
export const sign = (name, r) => SIGNS[name]?.(r) ?? "";

/** The same at several points, as one path. @param {string} name @param {number} r @param {{x: number, y: number}[]} points in CSS pixels */
export function signs(name, r, points) {
  const path = sign(name, r);
  return points.map(({ x, y }) => shifted(path, x, y)).join("");
}

/** Absolute points are moved, relative arcs stay. @param {string} path @param {number} x @param {number} y */
const shifted = (path, x, y) =>
  path.replace(/([ML])(-?[\d.]+),(-?[\d.]+)/g, (_, letter, left, top) => {
    return `${letter}${(Number(left) + x).toFixed(1)},${(Number(top) + y).toFixed(1)}`;
  });
