/** Draws a board, and describes its squares in words. This module has no side effects. */

import { t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";
import { inSeat, seatOf } from "../shared/duel.js";
import {
  COLUMNS,
  LETTERS,
  SIDE,
  STARS,
  chosen,
  cubeOn,
  facesOf,
  isTurned,
  nextUp,
  square,
  symbolOf,
  targets,
  visibleSides,
} from "./cubes.js";
import { badge } from "./seats.js";

/** @import { Json, Mark, Picture, Piece, RenderContext } from "../../types.js" */

/** @param {RenderContext} context @returns {Picture} */
export function picture(context) {
  const { board } = context;
  const { last } = board;
  const isGone = last?.kind === "roll" && !board.cubes[last.cube];
  return {
    width: SIDE,
    height: SIDE,
    columns: COLUMNS,
    turned: isTurned(context),
    empty: "..",
    pieces: Object.keys(board.cubes ?? {}).map((id) => piece(context, id)),
    fields: fields(board),
    marks: marks(context),
    lines: last?.from === undefined ? [] : [{ from: last.from, to: last.to, kind: "last" }],
    leaving: isGone ? [{ id: `cube-${last.cube}`, cell: last.to }] : [],
    stamp: String(board.ply ?? 0),
  };
}

/** @param {RenderContext} context @param {string} id @returns {Piece} */
function piece(context, id) {
  const { board, me } = context;
  const cube = board.cubes[id];
  const { colour, shape } = badge(cube.seat);
  return {
    id: `cube-${id}`,
    cell: cube.cell,
    colour,
    shape,
    label: LETTERS[cube.up],
    text: LETTERS[cube.up] + (cube.seat + 1),
    mine: board.mover === me && board.moves?.[id] !== undefined,
    sunk: false,
    selected: id === chosen(context),
    pending: false,
    faces: facesOf(cube),
  };
}

/** @param {Json} board @returns {Mark[]} */
function fields({ last }) {
  const stars = STARS.map((cell, seat) => ({ cell, kind: `star-${seat}`, shape: "star", text: "__" }));
  const moved = last?.from === undefined ? [] : [last.from, last.to].filter((cell) => !STARS.includes(cell));
  return [...stars, ...moved.map((cell) => ({ cell, kind: "last", shape: "corner" }))];
}

/**
 * Return marks for the squares that the chosen cube can reach. If the cube gets to a square by
 * rolling, the mark shows the face that will be on top.
 * @param {RenderContext} context @returns {Mark[]}
 */
function marks(context) {
  const { board } = context;
  const cube = board.cubes?.[chosen(context)];
  return targets(context).map((cell) => {
    const shape = board.phase === "hop" ? "dot" : symbolOf(nextUp(cube, cell));
    return { cell, kind: "target", shape };
  });
}

/** @param {RenderContext} context @param {number} cell */
export function describe(context, cell) {
  const { board } = context;
  const id = cubeOn(board, cell);
  return [
    square(cell),
    ...starText(context, cell),
    id ? cubeText(context, id) : t("deblockle.cell.empty"),
    ...targetText(context, cell),
    ...(board.last?.to === cell ? [t("deblockle.cell.last")] : []),
  ].join(", ");
}

/** @param {RenderContext} context @param {number} cell */
function starText({ board, me }, cell) {
  const seat = STARS.indexOf(cell);
  if (seat < 0) return [];
  return [t(`deblockle.cell.star${seat === seatOf(board, me) ? "-mine" : ""}`, { owner: ownerOf(board, seat) })];
}

/** @param {RenderContext} context @param {string} id */
function cubeText(context, id) {
  const { board, me } = context;
  const { seat } = board.cubes[id];
  const { up, front, right } = visibleSides(context, board.cubes[id]);
  const face = (/** @type {number} */ number) => t(`deblockle.face.${number}`);
  const words = { owner: ownerOf(board, seat), up: face(up), front: face(front), right: face(right) };
  const label = t(`deblockle.cell.cube${seat === seatOf(board, me) ? "-mine" : ""}`, words);
  if (String(board.hopper) === id) return `${label}, ${t("deblockle.cell.hopper")}`;
  if (id !== chosen(context)) return label;
  const isStuck = board.mover === me && targets(context).length === 0;
  return `${label}, ${t(`deblockle.cell.${isStuck ? "stuck" : "chosen"}`)}`;
}

/** @param {RenderContext} context @param {number} cell */
function targetText(context, cell) {
  if (!targets(context).includes(cell)) return [];
  const { board } = context;
  if (board.phase === "hop") return [t("deblockle.cell.hop")];
  return [t("deblockle.cell.roll", { up: t(`deblockle.face.${nextUp(board.cubes[chosen(context)], cell)}`) })];
}

/** @param {Json} board @param {number} seat */
function ownerOf(board, seat) {
  const address = inSeat(board, seat);
  return address ? nameOf(address) : t("deblockle.seat.nobody", { n: seat + 1 });
}
