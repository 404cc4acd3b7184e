/** Computes the geometry of a grid's cells, in CSS pixels. This module has no side effects. */

import { columnName } from "../lib/board.js";

/** The width of a coordinate's text, as a multiple of the space at the board's edge. */
const LABEL_WIDTH = 1.05;
/** The space for coordinates at the board's edge, in CSS pixels at the usual text size. */
export const EDGE_WIDTH = 20;

/** Return the grid's text size as a multiple of the usual text size. @param {Geometry} geometry */
export const textScale = ({ edge }) => Math.max(1, edge / EDGE_WIDTH);

/**
 * The sizes for a board on paper, in CSS pixels: the space for all cells together, and the minimum
 * and maximum size of a cell.
 */
const PRINTED_SIZE = 640;
const MIN_CELL = 14;
const MAX_CELL = 100;

/** @typedef {{width: number, height: number, cell: number, edge: number, right: number, bottom: number, columns?: string, turned?: boolean}} Geometry */

/**
 * Return the geometry of a grid whose cells are as large as the box allows.
 * @param {{width: number, height: number, columns?: string, turned?: boolean}} grid the numbers of
 * columns and rows @param {{width: number, height: number}} box
 * @param {number} edge the space for coordinates; if it is less than EDGE_WIDTH, the grid has no
 * coordinates
 * @returns {Geometry}
 */
export function fit(grid, box, edge = EDGE_WIDTH) {
  const room = Math.min((box.width - edge - 2) / grid.width, (box.height - edge - 2) / grid.height);
  const cell = Math.max(2, room);
  const { width, height, columns, turned } = grid;
  return { width, height, cell, edge, right: edge + cell * width, bottom: edge + cell * height, columns, turned };
}

/** @param {{width: number, height: number, columns?: string, turned?: boolean}} grid @param {number} [beside] the number of grids next to each other */
export function printGeometry(grid, beside = 1) {
  const cell = Math.min(MAX_CELL, Math.max(MIN_CELL, PRINTED_SIZE / Math.max(beside * grid.width, grid.height)));
  return fit(grid, { width: EDGE_WIDTH + 2 + cell * grid.width, height: Infinity });
}

/**
 * Return the position at which a cell is drawn. Positions are numbered row by row from the top
 * left. On a rotated board, the function also works in the opposite direction: it returns the cell
 * at a position.
 * @param {{width: number, height: number, turned?: boolean}} grid @param {number} cell
 */
export const gridPosition = ({ width, height, turned }, cell) => (turned ? width * height - 1 - cell : cell);

/** @param {Geometry} geometry @param {number} cell */
export function middle(geometry, cell) {
  const { width, cell: size, edge } = geometry;
  const position = gridPosition(geometry, cell);
  return { x: edge + ((position % width) + 0.5) * size, y: edge + (Math.floor(position / width) + 0.5) * size };
}

/** Return the cell under a point, or -1 if there is none. @param {Geometry} geometry @param {number} x @param {number} y */
export function cellAt(geometry, x, y) {
  const { width, height, cell, edge } = geometry;
  const [column, row] = [Math.floor((x - edge) / cell), Math.floor((y - edge) / cell)];
  return column >= 0 && column < width && row >= 0 && row < height ? gridPosition(geometry, row * width + column) : -1;
}

/**
 * Return the coordinates at the board's edge. If the cells are small, return only every nth
 * coordinate, where n is a power of two.
 * @param {Geometry} geometry
 */
export function labels({ width, height, cell, edge, columns: names, turned }) {
  if (edge < EDGE_WIDTH) return [];
  const each = 2 ** Math.max(0, Math.ceil(Math.log2((LABEL_WIDTH * edge) / cell)));
  const some = (/** @type {number} */ count) =>
    Array.from({ length: count }, (_, i) => i).filter((i) => i % each === 0);
  const middleOf = (/** @type {number} */ i, /** @type {number} */ count) =>
    edge + ((turned ? count - 1 - i : i) + 0.5) * cell;
  const columns = some(width).map((i) => ({
    key: `c${i}`,
    x: middleOf(i, width),
    y: 0.65 * edge,
    text: names?.[i] ?? columnName(i),
  }));
  const rows = some(height).map((i) => ({
    key: `r${i}`,
    x: edge / 2,
    y: middleOf(i, height) + edge / 5,
    text: String(i + 1),
  }));
  return [...columns, ...rows];
}
