/**
 * Converts the graph of a map (the lands and their connections) to the bytes that the contract
 * uses, and back. indexer/games/conquest_graph.py does the same. This module has no side effects.
 */

/**
 * The graph of a map. `neighbours`, `types` (numbers from 1, see TYPES), `forts` and `soldiers`
 * have one entry per land. `bodies` lists the lands along each body of water. All lists of lands
 * are in ascending order.
 * @typedef {{neighbours: number[][], bodies: number[][], types: number[], forts: boolean[], soldiers: number[]}} LandGraph
 */

export const MAX_LANDS = 96;
export const MAX_BODIES = 8;
/** The types of lands. Their numbers in a graph start at 1. */
export const TYPES = ["desert", "forest", "mountain", "coastal", "meadow"];
const WORD = 24; // the number of hex digits in a set of lands
const PLANES = 3;

/** @param {number} value from 0 to 255 */
const hexByte = (value) => value.toString(16).padStart(2, "0");

/** @param {number[]} lands */
const word = (lands) =>
  lands
    .reduce((mask, land) => mask | (1n << BigInt(land)), 0n)
    .toString(16)
    .padStart(WORD, "0");

/** @param {LandGraph} graph @returns {string} in hexadecimal, with 0x */
export function encodeGraph({ neighbours, bodies, types, forts, soldiers }) {
  const all = types.map((_, land) => land);
  const planes = Array.from({ length: PLANES }, (_, bit) => word(all.filter((land) => (types[land] >> bit) & 1)));
  const words = [...neighbours.map(word), ...bodies.map(word), ...planes, word(all.filter((land) => forts[land]))];
  return `0x${hexByte(types.length)}${hexByte(bodies.length)}${words.join("")}${soldiers.map(hexByte).join("")}`;
}

/** Decode a graph. Return null if the number of bytes is wrong. @param {string} hex @returns {LandGraph|null} */
export function decodeGraph(hex) {
  const digits = hex.slice(2);
  const [lands, bodies] = [0, 2].map((at) => parseInt(digits.slice(at, at + 2), 16));
  const words = lands + bodies + PLANES + 1;
  const rest = 4 + WORD * words;
  if (!/^0x([0-9a-f]{2})+$/i.test(hex) || digits.length !== rest + 2 * lands) return null;
  const rows = Array.from({ length: words }, (_, row) => landsOf(digits.slice(4 + WORD * row, 4 + WORD * (row + 1))));
  const planes = rows.slice(lands + bodies, -1);
  const all = Array.from({ length: lands }, (_, land) => land);
  return {
    neighbours: rows.slice(0, lands),
    bodies: rows.slice(lands, lands + bodies),
    types: all.map((land) => planes.reduce((kind, plane, bit) => kind | (Number(plane.includes(land)) << bit), 0)),
    forts: all.map((land) => rows[words - 1].includes(land)),
    soldiers: all.map((land) => parseInt(digits.slice(rest + 2 * land, rest + 2 * land + 2), 16)),
  };
}

/** Return the lands in a set of 96 bits, in ascending order. @param {string} digits in hexadecimal, without 0x */
export function landsOf(digits) {
  const found = [];
  for (let mask = BigInt(`0x${digits}`), land = 0; mask; mask >>= 1n, land++) if (mask & 1n) found.push(land);
  return found;
}

/** Return true if an army can get from the first land to every other land, by land or by sea. @param {LandGraph} graph */
export function isConnected({ neighbours, bodies }) {
  const reached = new Set([0]);
  for (const land of reached) {
    for (const near of neighbours[land]) reached.add(near);
    for (const body of bodies) if (body.includes(land)) for (const other of body) reached.add(other);
  }
  return reached.size === neighbours.length;
}
