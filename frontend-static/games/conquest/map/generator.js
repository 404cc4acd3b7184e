/**
 * Generates a map from its seed: 64 x 64 cells, and the graph of the map's lands.
 * indexer/games/conquest_map.py generates the same map, byte for byte, so the order of all steps
 * matters. This module has no side effects. Cells are numbered row by row. A cell's neighbours are
 * in the order up, left, right, down. A region's neighbours are visited in ascending order. A
 * cell's value is the number of its land, or WATER plus the number of its water body.
 */

import { getBytes } from "../../../lib/ethereum/bytes.js";
import { keccak256 } from "../../../lib/ethereum/hash.js";
import { MAX_BODIES, MAX_LANDS, encodeGraph, isConnected } from "./graph.js";

/** @typedef {Map<number, Set<number>>} Borders */
/** Returns a random whole number from 0 to `limit` - 1. @callback Below @param {number} limit @returns {number} */

export const SIDE = 64;
export const WATER = 128;
export const MIN_GRAIN = 48;
export const MAX_GRAIN = 200;
const CELLS = SIDE * SIDE;
const WORD_RANGE = 2 ** 32;
const COASTAL = 4;
/**
 * The type of a land is a random element of this list. The elements are the numbers that the types
 * have in graph.js: 5 (meadow), 2 (forest), 1 (desert) and 3 (mountain).
 */
const LOTS = [5, 5, 5, 5, 2, 2, 2, 1, 1, 3];

/**
 * Thrown if no match can be played on a seed's map. `fault` says why: there are too many lands
 * ("lands") or water bodies ("bodies"), or there is an island ("island").
 */
export class UnplayableSeed extends Error {
  /** @param {"lands"|"bodies"|"island"} fault @param {number} [count] */
  constructor(fault, count) {
    super(
      count === undefined ? "the map from this seed has an island" : `the map from this seed has ${count} ${fault}`,
    );
    this.fault = fault;
    this.count = count;
  }
}

const NEAR = Array.from({ length: CELLS }, (_, cell) => {
  const column = cell % SIDE;
  const found = [cell - SIDE, column ? cell - 1 : -1, column < SIDE - 1 ? cell + 1 : -1, cell + SIDE];
  return found.filter((one) => one >= 0 && one < CELLS);
});

/**
 * @param {string} seed 32 bytes in hexadecimal, with 0x
 * @param {number} grain the mean number of cells per land, from MIN_GRAIN to MAX_GRAIN
 * @returns {{cells: Uint8Array, graph: string}} `cells` has one byte per cell, row by row. `graph` is in hexadecimal, with 0x. Throws UnplayableSeed if the map can't be played.
 */
export function generate(seed, grain) {
  const below = draws(getBytes(seed));
  const regionOf = grow(grain, below);
  const borders = merge(regionOf, grain, below);
  const wet = flood(borders, below);
  const { numbers, lands, bodies } = numbered(regionOf, borders, wet);
  if (lands > MAX_LANDS) throw new UnplayableSeed("lands", lands);
  if (bodies > MAX_BODIES) throw new UnplayableSeed("bodies", bodies);
  const graph = graphOf(numbers, borders, wet, bodies, below);
  if (!isConnected(graph)) throw new UnplayableSeed("island");
  const cells = Uint8Array.from(regionOf, (region) => /** @type {number} */ (numbers.get(region)));
  return { cells, graph: encodeGraph(graph) };
}

/** Return true if the map that is generated from this seed has this graph. @param {string} seed @param {number} grain @param {string} graph in hexadecimal, with 0x */
export function belongs(seed, grain, graph) {
  try {
    return generate(seed, grain).graph === graph.toLowerCase();
  } catch (error) {
    if (error instanceof UnplayableSeed) return false;
    throw error;
  }
}

/** @param {Uint8Array} seed @returns {Below} */
function draws(seed) {
  const input = new DataView(new ArrayBuffer(seed.length + 4));
  seed.forEach((byte, at) => input.setUint8(at, byte));
  let block = 0;
  /** @type {number[]} */
  let words = [];
  return (limit) => {
    const most = WORD_RANGE - (WORD_RANGE % limit);
    for (;;) {
      if (!words.length) {
        input.setUint32(seed.length, block++);
        const digits = keccak256(new Uint8Array(input.buffer));
        words = Array.from({ length: 8 }, (_, at) => parseInt(digits.slice(58 - 8 * at, 66 - 8 * at), 16));
      }
      const word = /** @type {number} */ (words.pop());
      if (word < most) return word % limit;
    }
  };
}

/**
 * Return a random number with an approximately normal distribution: the sum of 12 random numbers
 * from 0 to 999.
 * @param {Below} below
 */
function normal(below) {
  let sum = 0;
  for (let draw = 0; draw < 12; draw++) sum += below(1000);
  return sum;
}

/** @param {Iterable<number>} numbers */
const ascending = (numbers) => [...numbers].sort((one, other) => one - other);

/** @param {Borders} borders @param {number} region @returns {Set<number>} */
const bordersOf = (borders, region) => /** @type {Set<number>} */ (borders.get(region));

/** Divide the map into regions, and return the region of each cell. @param {number} grain @param {Below} below */
function grow(grain, below) {
  const regionOf = new Int16Array(CELLS).fill(-1);
  let left = Array.from({ length: CELLS }, (_, cell) => cell);
  for (let region = 0; left.length; region++) {
    const edge = [left[below(left.length)]];
    const seen = new Set(edge);
    const size = Math.max(1, Math.floor((grain * (normal(below) + 6)) / 6000));
    for (let taken = 0; taken < size && edge.length; taken++) {
      const at = below(edge.length);
      const cell = edge[at];
      const last = /** @type {number} */ (edge.pop());
      if (at < edge.length) edge[at] = last;
      regionOf[cell] = region;
      for (const near of NEAR[cell]) {
        if (regionOf[near] >= 0 || seen.has(near)) continue;
        seen.add(near);
        edge.push(near);
      }
    }
    left = left.filter((cell) => regionOf[cell] < 0);
  }
  return regionOf;
}

/**
 * Merge small regions into their neighbours by changing `regionOf`. Return the neighbours of each
 * remaining region.
 * @param {Int16Array} regionOf @param {number} grain @param {Below} below
 */
function merge(regionOf, grain, below) {
  const borders = bordersBetween(regionOf);
  const sizes = new Array(borders.size).fill(0);
  for (const region of regionOf) sizes[region]++;
  const into = sizes.map((_, region) => region);
  for (let region = 0; region < into.length; region++) {
    const near = ascending(bordersOf(borders, region));
    if (3 * sizes[region] >= grain || !near.length) continue;
    const other = (into[region] = near[below(near.length)]);
    sizes[other] += sizes[region];
    borders.delete(region);
    for (const one of near) {
      bordersOf(borders, one).delete(region);
      if (one === other) continue;
      bordersOf(borders, one).add(other);
      bordersOf(borders, other).add(one);
    }
  }
  regionOf.forEach((region, cell) => {
    while (into[region] !== region) region = into[region];
    regionOf[cell] = region;
  });
  return borders;
}

/** @param {Int16Array} regionOf @returns {Borders} */
function bordersBetween(regionOf) {
  const borders = new Map([...new Set(regionOf)].map((region) => [region, new Set()]));
  NEAR.forEach((near, cell) => {
    const one = regionOf[cell];
    for (const other of near) if (regionOf[other] !== one) bordersOf(borders, one).add(regionOf[other]);
  });
  return borders;
}

/** Choose the regions that become water, and return their numbers. @param {Borders} borders @param {Below} below */
function flood(borders, below) {
  const regions = ascending(borders.keys());
  const wet = new Set();
  for (let walks = 2 + below(3); walks > 0; walks--) {
    const steps = 3 + below(5);
    let region = regions[below(regions.length)];
    for (let step = 0; step < steps; step++) {
      if (step) {
        const near = ascending(bordersOf(borders, region));
        if (!near.length) break;
        region = near[below(near.length)];
      }
      if (wet.has(region)) continue;
      if (wet.size >= Math.floor(regions.length / 4)) break;
      wet.add(region);
    }
  }
  return wet;
}

/**
 * Return the value for each region's cells: a land number or a water value. Lands and water bodies
 * are numbered in the order of their first cells.
 * @param {Int16Array} regionOf @param {Borders} borders @param {Set<number>} wet
 */
function numbered(regionOf, borders, wet) {
  /** @type {Map<number, number>} */
  const numbers = new Map();
  let [lands, bodies] = [0, 0];
  for (const region of new Set(regionOf)) {
    if (numbers.has(region)) continue;
    if (!wet.has(region)) {
      numbers.set(region, lands++);
      continue;
    }
    const body = new Set([region]);
    for (const one of body) for (const near of bordersOf(borders, one)) if (wet.has(near)) body.add(near);
    for (const one of body) numbers.set(one, WATER + bodies);
    bodies++;
  }
  return { numbers, lands, bodies };
}

/**
 * @param {Map<number, number>} numbers @param {Borders} borders @param {Set<number>} wet @param {number} bodies @param {Below} below
 * @returns {import("./graph.js").LandGraph}
 */
function graphOf(numbers, borders, wet, bodies, below) {
  const numberOf = (/** @type {number} */ region) => /** @type {number} */ (numbers.get(region));
  const dry = [...numbers.keys()].filter((region) => !wet.has(region)); // these regions are already in the order of their land numbers
  const shores = Array.from({ length: bodies }, () => new Set());
  /** @type {import("./graph.js").LandGraph} */
  const graph = { neighbours: [], bodies: [], types: [], forts: [], soldiers: [] };
  for (const [land, region] of dry.entries()) {
    const near = [...bordersOf(borders, region)];
    const water = near.filter((one) => wet.has(one));
    graph.neighbours.push(ascending(near.filter((one) => !wet.has(one)).map(numberOf)));
    for (const one of water) shores[numberOf(one) - WATER].add(land);
    const kind = LOTS[below(10)];
    const coasts = water.filter(() => below(2) === 1);
    graph.types.push(coasts.length ? COASTAL : kind);
    graph.forts.push(below(101) < 10);
    graph.soldiers.push(Math.floor(Math.max(0, 12 * normal(below) - 46_428) / 1000));
  }
  graph.bodies = shores.map((lands) => [...lands]);
  return graph;
}
