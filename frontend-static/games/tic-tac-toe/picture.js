/** Draws a board, and describes its squares in words. This module has no side effects. */

import { coordinate } from "../../lib/board.js";
import { CROSS, RING } from "../../layouts/shapes.js";
import { t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";
import { SIDE, markBy, ownerOf, won } from "./marks.js";

/** @import { Mark, Picture, Piece, RenderContext } from "../../types.js" */

/** Three lists: the shape, the colour and the size of each mark. The index is the mark's number. */
const SHAPES = [0, CROSS, RING];
const COLOURS = [0, 1, 0];
const SIZES = [0, 0.33, 0.31];

/** @param {RenderContext} context @returns {Picture} */
export function picture({ board, pending }) {
  const set = Object.entries(board.cells ?? {}).map(([cell, mark]) => piece(Number(cell), mark, false));
  const coming = pending.filter((tx) => tx.action === "move" && tx.cell !== undefined && !board.cells?.[tx.cell]);
  return {
    width: SIDE,
    height: SIDE,
    pieces: [...set, ...coming.map((tx) => piece(Number(tx.cell), markBy(board, tx.account), true))],
    fields: fields(board.line ?? [], board.last),
    marks: [],
    lines: won(board).map((line) => ({ from: line[0], to: line[2], kind: "win", over: true })),
    stamp: String(board.ply ?? 0),
  };
}

/** @param {number} cell @param {number} mark @param {boolean} pending @returns {Piece} */
function piece(cell, mark, pending) {
  return {
    id: `cell-${cell}`,
    cell,
    colour: COLOURS[mark],
    shape: SHAPES[mark],
    size: SIZES[mark],
    label: "",
    mine: false,
    sunk: false,
    selected: false,
    pending,
  };
}

/** @param {number[]} line @param {number} [last] @returns {Mark[]} */
function fields(line, last) {
  if (line.length) return line.map((cell) => ({ cell, kind: "line" }));
  return last === undefined ? [] : [{ cell: last, kind: "last", shape: "corner" }];
}

/** @param {RenderContext} context @param {number} cell */
export function describe({ board, me }, cell) {
  const name = coordinate(cell, SIDE);
  const mark = board.cells?.[cell];
  if (!mark) return t("tic-tac-toe.cell.empty", { cell: name });
  const owner = ownerOf(board, mark);
  const words = { cell: name, mark: t(`tic-tac-toe.mark.${mark}`), owner: nameOf(owner) };
  const label = t(owner === me ? "tic-tac-toe.cell.mine" : "tic-tac-toe.cell.other", words);
  if (board.line?.includes(cell)) return t("tic-tac-toe.cell.line", { said: label });
  return board.last === cell ? t("tic-tac-toe.cell.last", { said: label }) : label;
}
