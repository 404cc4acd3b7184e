/**
 * The world of a match: the cells and the graph of the match's map, and the names of the lands. A
 * world is generated once per seed and then cached. The cache is this module's only side effect.
 */

import { coordinate } from "../../lib/board.js";
import { LruMap } from "../../lib/lru-map.js";
import { WATER, shapeOf } from "../../layouts/map/outline.js";
import { t } from "../../i18n/translate.js";
import { SIDE, UnplayableSeed, generate } from "./map/generator.js";
import { TYPES, decodeGraph } from "./map/graph.js";

/** @import { Json } from "../../types.js" */
/** @import { LandGraph } from "./map/graph.js" */

export const CELLS = SIDE * SIDE;
/** The distance between two neighbouring coordinates at the map's edge, in cells. */
export const SECTOR = 4;
const SECTORS = SIDE / SECTOR;
const MAX_CACHED = 8;
/** The map that the game's card in the lobby shows before there is any match. */
const SAMPLE = { seed: `0x${"37".repeat(32)}`, grain: 76 };

/**
 * @typedef {object} World
 * @property {string} id an ID of the map; the layout caches the map's shape under this ID
 * @property {number[]} cells
 * @property {LandGraph} graph
 * @property {number[]} centres for each land, the cell where its label is drawn
 * @property {string[]} names for each land, its coordinate on the map, such as `G4`
 * @property {boolean} foreign true if the graph doesn't match the seed. In that case, the cells are
 * made up: each land is a block of cells
 */

/** @type {LruMap<string, World>} */
const worlds = new LruMap(MAX_CACHED);
/**
 * The generated maps. The key consists of the seed and the grain. The value is null if no match can
 * be played on the map.
 * @type {LruMap<string, {cells: number[], graph: string}|null>}
 */
const generated = new LruMap(MAX_CACHED);

/** @param {string} seed @param {number} grain */
export function mapOfSeed(seed, grain) {
  const key = `${seed} ${grain}`;
  const known = generated.get(key);
  if (known !== undefined) return known;
  const result = tryToGenerate(seed, grain);
  generated.set(key, result);
  return result;
}

/** @param {string} seed @param {number} grain */
function tryToGenerate(seed, grain) {
  try {
    const { cells, graph } = generate(seed, grain);
    return { cells: [...cells], graph };
  } catch (error) {
    if (error instanceof UnplayableSeed) return null;
    throw error;
  }
}

/** Return the world of a board. Before a match is opened, return the world of a sample map. @param {Json} board @returns {World} */
export function worldOf({ map }) {
  const { seed, grain } = map ?? SAMPLE;
  const own = mapOfSeed(seed, grain);
  const graph = map?.graph ?? own?.graph ?? "0x";
  const key = `${seed} ${grain} ${graph}`;
  const known = worlds.get(key);
  if (known) return known;
  const decoded = decodeGraph(graph) ?? { neighbours: [], bodies: [], types: [], forts: [], soldiers: [] };
  const foreign = own?.graph !== graph.toLowerCase();
  const cells = own && !foreign ? own.cells : blockCells(decoded.types.length);
  const id = foreign ? `blocks ${decoded.types.length}` : `${seed} ${grain}`;
  const { centres } = shapeOf({ id, cells }, SIDE, SIDE);
  const world = { id, cells, graph: decoded, centres, names: namesOf(cells, centres), foreign };
  worlds.set(key, world);
  return world;
}

/**
 * Return a made-up map for a graph whose real map is unknown. On it, each land is a block of cells
 * with water around it.
 * @param {number} lands
 */
function blockCells(lands) {
  const across = Math.ceil(Math.sqrt(Math.max(1, lands)));
  const size = Math.floor(SIDE / across);
  return Array.from({ length: CELLS }, (_, cell) => {
    const [x, y] = [cell % SIDE, Math.floor(cell / SIDE)];
    const land = across * Math.floor(y / size) + Math.floor(x / size);
    const inside = x % size < size - 2 && y % size < size - 2 && x < across * size;
    return inside && land < lands ? land : WATER;
  });
}

/** @param {number} cell */
const sectorOf = (cell) => SECTORS * Math.floor(Math.floor(cell / SIDE) / SECTOR) + Math.floor((cell % SIDE) / SECTOR);

/**
 * Return a coordinate for each land. If possible, no two lands have the same coordinate. A land
 * gets the coordinate of its label. If another land already has that coordinate, the land gets the
 * free coordinate where it has the most cells.
 * @param {number[]} cells @param {number[]} centres
 */
function namesOf(cells, centres) {
  /** @type {Map<number, number>[]} */
  const counts = centres.map(() => new Map());
  cells.forEach((land, cell) => {
    if (land >= WATER) return;
    const sector = sectorOf(cell);
    counts[land].set(sector, (counts[land].get(sector) ?? 0) + 1);
  });
  const used = new Set();
  return centres.map((cell, land) => {
    const most = [...counts[land]].sort((a, b) => b[1] - a[1]).map(([sector]) => sector);
    const own = [sectorOf(cell), ...most].find((sector) => !used.has(sector)) ?? sectorOf(cell);
    used.add(own);
    return coordinate(own, SECTORS);
  });
}

/** @param {World} world @param {number} cell @returns {number} -1 for water */
export function landAt({ cells }, cell) {
  const land = cells[cell] ?? WATER;
  return land < WATER ? land : -1;
}

/** Return the name of a land's type, such as `desert`, or "" if the map is unreadable. @param {World} world @param {number} land */
export const typeOf = ({ graph }, land) => TYPES[graph.types[land] - 1] ?? "";

/** Return the name of a land, such as `the forest at G4`. @param {World} world @param {number} land */
export const landName = (world, land) =>
  t("conquest.land.name", { type: t(`conquest.type.${typeOf(world, land)}`), at: world.names[land] ?? land });

/** Return the bodies of water that border on a land. @param {World} world @param {number} land */
export const shoresOf = ({ graph }, land) =>
  graph.bodies.flatMap((lands, body) => (lands.includes(land) ? [body] : []));

/**
 * Return the water cells on which a land's port is drawn. There is one on each body of water along
 * the land: the cell nearest to the land's centre.
 * @param {World} world @param {number} land
 */
export function quaysOf(world, land) {
  const known = quays.get(world) ?? new Map();
  quays.set(world, known);
  if (!known.has(land)) known.set(land, findQuays(world, land));
  return known.get(land);
}

/** @type {WeakMap<World, Map<number, number[]>>} */
const quays = new WeakMap();

/** @param {World} world @param {number} land @returns {number[]} */
function findQuays({ cells, centres }, land) {
  const [x, y] = [centres[land] % SIDE, Math.floor(centres[land] / SIDE)];
  /** @type {Map<number, {cell: number, far: number}>} */
  const best = new Map();
  cells.forEach((body, cell) => {
    if (body < WATER) return;
    const [column, row] = [cell % SIDE, Math.floor(cell / SIDE)];
    const beside = [
      [column - 1, row],
      [column + 1, row],
      [column, row - 1],
      [column, row + 1],
    ].some(([a, b]) => a >= 0 && a < SIDE && b >= 0 && b < SIDE && cells[SIDE * b + a] === land);
    const far = Math.hypot(column - x, row - y);
    if (beside && far < (best.get(body)?.far ?? Infinity)) best.set(body, { cell, far });
  });
  return [...best.values()].map(({ cell }) => cell);
}
