/**
 * Traces the outlines of a map's regions from the map's cells. An outline is a closed loop, which
 * is smoothed at borders between two regions. This module's only side effect is its cache.
 */

import { LruMap } from "../../lib/lru-map.js";

/** @import { RegionMap } from "../../types.js" */

/** The smallest value of a water cell. Smaller values are region numbers. See RegionMap. */
export const WATER = 128;
const OUTSIDE = -1;
const SMOOTHING_ROUNDS = 3;
const MAX_CACHED = 12;
/** The width of a region's label, relative to the label's height. */
const LABEL_STRETCH = 1.5;

/**
 * @typedef {object} MapShape The shape of a map. Vertices are the cells' corners. They are numbered
 *   row by row, and a row has one more vertex than it has cells. `x` and `y` are in cells.
 * @property {Float64Array} x
 * @property {Float64Array} y
 * @property {number[][][]} loops for each region, the closed loops of vertices around it
 * @property {{a: number, b: number, way: number[]}[]} borders the borders between a region `a` and
 * a region `b`; `b` is -1 if `a` borders on water or on the map's edge
 * @property {number[]} centres for each region, the cell with the most space for a label
 * @property {number[][]} textures for each region, the cells where the small signs of its texture
 * are drawn, away from the label
 */

/** @type {LruMap<string, MapShape>} */
const shapes = new LruMap(MAX_CACHED);

/** Return the shape of a map. The shape is cached, so each map is traced only once. @param {Pick<RegionMap, "id"|"cells">} map @param {number} width @param {number} height @returns {MapShape} */
export function shapeOf({ id, cells }, width, height) {
  const known = shapes.get(id);
  if (known) return known;
  const shape = traced(cells, width, height);
  shapes.set(id, shape);
  return shape;
}

/** @param {number[]} cells @param {number} width @param {number} height @returns {MapShape} */
function traced(cells, width, height) {
  const count = 1 + Math.max(OUTSIDE, ...cells.filter((cell) => cell < WATER));
  const at = (/** @type {number} */ x, /** @type {number} */ y) =>
    x < 0 || y < 0 || x >= width || y >= height ? OUTSIDE : cells[width * y + x];
  const edges = edgesOf(at, width, height);
  /** @type {Edge[][]} */
  const edgesOfRegion = Array.from({ length: count }, () => []);
  for (const edge of edges) edgesOfRegion[edge.region].push(edge);
  const loops = Array.from({ length: count }, (_, region) => loopsOf(edgesOfRegion[region], width + 1));
  const { x, y } = smoothed(edges, width, height);
  /** @type {number[][]} */
  const cellsOf = Array.from({ length: count }, () => []);
  cells.forEach((region, cell) => cellsOf[region]?.push(cell));
  const centres = cellsOf.map((own, region) => centreOf(own, region, width, at));
  return {
    ...{ x, y, loops, centres, borders: bordersOf(edges) },
    textures: centres.map((centre, region) => textureOf(cellsOf[region], region, centre, width, at)),
  };
}

/** @typedef {{from: number, to: number, region: number, other: number}} Edge A directed edge between two neighbouring cells. `region` is on the edge's right-hand side, and `other` is on its left-hand side. */

/** @param {(x: number, y: number) => number} at @param {number} width @param {number} height */
function edgesOf(at, width, height) {
  /** @type {Edge[]} */
  const edges = [];
  const row = width + 1;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const region = at(x, y);
      if (region >= WATER) continue;
      const corner = row * y + x;
      const sides = [
        [at(x, y - 1), corner, corner + 1],
        [at(x + 1, y), corner + 1, corner + 1 + row],
        [at(x, y + 1), corner + 1 + row, corner + row],
        [at(x - 1, y), corner + row, corner],
      ];
      for (const [other, from, to] of sides) if (other !== region) edges.push({ from, to, region, other });
    }
  return edges;
}

/**
 * Return the outlines of a region. If two outlines touch at a corner, each outline turns right
 * there, so that it stays around its own cells.
 * @param {Edge[]} edges the edges of one region @param {number} row
 */
function loopsOf(edges, row) {
  /** @type {Map<number, Edge[]>} */
  const starts = new Map();
  for (const edge of edges) starts.set(edge.from, [...(starts.get(edge.from) ?? []), edge]);
  const used = new Set();
  return edges.flatMap((first) => {
    if (used.has(first)) return [];
    const way = [];
    for (let edge = first; !used.has(edge); edge = edgeAfter(edge, starts, row)) {
      used.add(edge);
      way.push(edge.from);
    }
    return [way];
  });
}

/** @param {Edge} edge @param {Map<number, Edge[]>} starts @param {number} row the number of vertices per row */
function edgeAfter({ from, to }, starts, row) {
  const ways = /** @type {Edge[]} */ (starts.get(to));
  const right = { 1: row, [row]: -1, [-1]: -row, [-row]: 1 }[to - from];
  return ways.find((way) => way.to - to === right) ?? ways[0];
}

/**
 * Return the positions of the vertices, with the lines between two regions smoothed. Vertices where
 * three regions meet and vertices on the map's edge stay in place.
 * @param {Edge[]} edges @param {number} width @param {number} height
 */
function smoothed(edges, width, height) {
  const row = width + 1;
  const count = row * (height + 1);
  let x = Float64Array.from({ length: count }, (_, vertex) => vertex % row);
  let y = Float64Array.from({ length: count }, (_, vertex) => Math.floor(vertex / row));
  /** @type {Map<number, Set<number>>} */
  const near = new Map();
  for (const { from, to } of edges)
    for (const [one, other] of [
      [from, to],
      [to, from],
    ])
      near.set(one, (near.get(one) ?? new Set()).add(other));
  const loose = [...near].filter(([vertex, others]) => {
    const [column, line] = [vertex % row, Math.floor(vertex / row)];
    return others.size === 2 && column > 0 && line > 0 && column < width && line < height;
  });
  for (let round = 0; round < SMOOTHING_ROUNDS; round++) {
    const [nextX, nextY] = [x.slice(), y.slice()];
    for (const [vertex, [a, b]] of loose.map(([vertex, others]) => /** @type {const} */ ([vertex, [...others]]))) {
      nextX[vertex] = (x[a] + 2 * x[vertex] + x[b]) / 4;
      nextY[vertex] = (y[a] + 2 * y[vertex] + y[b]) / 4;
    }
    [x, y] = [nextX, nextY];
  }
  return { x, y };
}

/** Return the borders. Each border consists of connected edges between the same two regions. @param {Edge[]} edges */
function bordersOf(edges) {
  /** @type {Map<string, {a: number, b: number, next: Map<number, number>}>} */
  const pairs = new Map();
  for (const { from, to, region, other } of edges) {
    const b = other >= WATER ? OUTSIDE : other;
    if (b > region) continue; // the other region has its own edge here, in the opposite direction
    const key = `${region} ${b}`;
    const pair = pairs.get(key) ?? { a: region, b, next: new Map() };
    pairs.set(key, pair);
    pair.next.set(from, to);
  }
  return [...pairs.values()].flatMap(({ a, b, next }) => chains(next).map((way) => ({ a, b, way })));
}

/** @param {Map<number, number>} next @returns {number[][]} */
function chains(next) {
  const inner = new Set(next.values());
  const heads = [...next.keys()].filter((vertex) => !inner.has(vertex));
  const found = [];
  for (const head of [...heads, ...next.keys()]) {
    const way = [head];
    for (let to = next.get(head); to !== undefined; to = next.get(to)) {
      next.delete(way[way.length - 1]);
      way.push(to);
    }
    if (way.length > 1) found.push(way);
  }
  return found;
}

/** Return the region's cell that has the most space for a label around it. @param {number[]} own the region's cells @param {number} region @param {number} width @param {(x: number, y: number) => number} at */
function centreOf(own, region, width, at) {
  const middle = {
    x: own.reduce((sum, cell) => sum + (cell % width), 0) / own.length,
    y: own.reduce((sum, cell) => sum + Math.floor(cell / width), 0) / own.length,
  };
  const score = (/** @type {number} */ cell) => {
    const [x, y] = [cell % width, Math.floor(cell / width)];
    return roomAt(x, y, region, at) - Math.hypot(x - middle.x, y - middle.y) / width;
  };
  const scores = own.map(score);
  return own[scores.indexOf(Math.max(...scores))] ?? 0;
}

/** Return half the height, in cells, of the largest label that fits around a cell in its region. @param {number} x @param {number} y @param {number} region @param {(x: number, y: number) => number} at */
function roomAt(x, y, region, at) {
  for (let k = 1; ; k++) {
    const wide = Math.round(k * LABEL_STRETCH);
    for (let dx = -wide; dx <= wide; dx++)
      if (at(x + dx, y - k) !== region || at(x + dx, y + k) !== region) return k - 1;
    for (let dy = -k; dy <= k; dy++)
      if (at(x - wide, y + dy) !== region || at(x + wide, y + dy) !== region) return k - 0.5;
  }
}

/**
 * Return the region's cells on a sparse lattice, except those in the space for the region's label. @param {number[]} own @param {number} region @param {number} centre @param {number} width @param {(x: number, y: number) => number} at
 */
function textureOf(own, region, centre, width, at) {
  const [middleX, middleY] = [centre % width, Math.floor(centre / width)];
  const inside = own.flatMap((cell) => {
    const [x, y] = [cell % width, Math.floor(cell / width)];
    const near = [at(x, y - 1), at(x - 1, y), at(x + 1, y), at(x, y + 1)];
    return near.every((other) => other === region) ? [{ cell, x, y }] : [];
  });
  const far = inside.filter(({ x, y }) => Math.abs(x - middleX) > 3 || Math.abs(y - middleY) > 2);
  const lattice = far.filter(({ x, y }) => y % 3 === 1 && x % 4 === (y % 6 < 3 ? 0 : 2));
  return (lattice.length ? lattice : far.slice(0, 1)).map(({ cell }) => cell);
}
