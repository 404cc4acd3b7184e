/** The cubes, their faces, and the squares on which they stand. This module has no side effects. */

import { bottomSeat, plays, seatOf } from "../shared/duel.js";

/** @import { Faces, Json, RenderContext } from "../../types.js" */
/** @typedef {{seat: number, cell: number, up: number, front: number, right: number}} Cube */

export const SIDE = 7;
export const COLUMNS = "abcdefg";
/** For each seat, the star square that the seat's cubes must reach. */
export const STARS = [10, 38];
/**
 * The symbol (in layouts/shapes.js) and the letter of each face, by the face's number. The numbers
 * of two opposite faces add up to 7.
 */
const SYMBOLS = ["", "star", "times", "arrows", "ring", "tee", "stop"];
export const LETTERS = ["", "S", "X", "L", "H", "T", "P"];
const ALL = 7;
/** The face that ends the turn when it is on top. */
export const STOP = 6;

/** @param {number} cell */
export const square = (cell) => COLUMNS[cell % SIDE] + (Math.floor(cell / SIDE) + 1);

/** @param {number} x numbered from 1 @param {number} y numbered from 1 */
export const cellOf = (x, y) => SIDE * (y - 1) + x - 1;

/** @param {number} cell @returns {[number, number]} */
export const pointOf = (cell) => [(cell % SIDE) + 1, Math.floor(cell / SIDE) + 1];

/** Return, for each of a cube's six sides, the face on that side. @param {Cube} cube */
export const sidesOf = ({ up, front, right }) => ({
  front,
  left: ALL - right,
  up,
  right,
  back: ALL - front,
  down: ALL - up,
});

/**
 * Return true if the board is rotated by half a turn, so that the pieces of player 2 are at the
 * bottom. @param {RenderContext} context
 */
export const isTurned = (context) => bottomSeat(context) === 1;

/** Return all six faces of a cube as seen from the player's side of the board. @param {RenderContext} context @param {Cube} cube */
export const visibleSides = (context, cube) =>
  sidesOf(isTurned(context) ? { ...cube, front: ALL - cube.front, right: ALL - cube.right } : cube);

/** @param {number} face */
export const symbolOf = (face) => SYMBOLS[face] ?? "";

/** Return the symbols on the five visible faces of a cube. @param {Cube} cube @returns {Faces} */
export function facesOf(cube) {
  const { up, front, right, back, left } = sidesOf(cube);
  return {
    up: symbolOf(up),
    front: symbolOf(front),
    right: symbolOf(right),
    back: symbolOf(back),
    left: symbolOf(left),
  };
}

/** Return the face that is on top after a cube rolls to a neighbouring square. @param {Cube} cube @param {number} to */
export function nextUp(cube, to) {
  const { front, right, back, left } = sidesOf(cube);
  return { [-SIDE]: back, [SIDE]: front, 1: left, [-1]: right }[to - cube.cell] ?? 0;
}

/** Return the ID of the cube that stands on a square, or "" if the square is empty. @param {Json} board @param {number} cell */
export const cubeOn = ({ cubes = {} }, cell) => Object.keys(cubes).find((id) => cubes[id].cell === cell) ?? "";

/**
 * Return the ID of the cube that a click on a square would move: the cube that has to hop, the
 * selected cube, or the only cube that can roll. Return "" if there is no such cube.
 * @param {RenderContext} context
 */
export function chosen({ board, me, selected }) {
  if (!plays(board, me) || board.status !== "playing") return "";
  const moving = board.mover === me;
  if (moving && board.hopper !== undefined) return String(board.hopper);
  if (selected && board.cubes[selected - 1]?.seat === seatOf(board, me)) return String(selected - 1);
  const movable = Object.keys(board.moves);
  return moving && movable.length === 1 ? movable[0] : "";
}

/** Return the cells that the chosen cube can reach with the next move. @param {RenderContext} context @returns {number[]} */
export const targets = (context) =>
  context.board.mover === context.me ? (context.board.moves?.[chosen(context)] ?? []) : [];
