/** Reversi's renderer. It exports the members of the page's type Renderer (types.js). */

import { inSeat, plays, seatsOf } from "../shared/duel.js";
import { coordinate } from "../../lib/board.js";
import { matchSentences } from "../shared/event-texts.js";
import { bits, duelFromBoard, duelFromContract } from "../shared/contract-view.js";
import { t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";

/** @import { Action, ChainEvent, I18nText, Json, Move, Picture, RenderContext, Seat, Sentence } from "../../types.js" */

export { rules } from "./rules.js";
/** @param {Json} board @param {number} seat */
const count = ({ cells = {} }, seat) => Object.values(cells).filter((one) => one === seat).length;

/** @param {Json} board @returns {Seat[]} */
export const seats = (board) =>
  seatsOf(board).map((row) => ({
    ...row,
    note: t("reversi.note", { colour: t(`reversi.colour.${row.seat}`), n: count(board, row.seat) }),
  }));

/** Return a seat's badge, which is a black or white disc. @param {number} seat */
export const badge = (seat) => ({ colour: 7 - seat, shape: 0 });
/** The contract's functions that the page calls. */
export const functions = [
  "create(address opponent, uint24 clock)",
  "join(uint48 matchId)",
  "move(uint48 matchId, uint32 ply, uint8 cell)",
  "close(uint48 matchId)",
  "resign(uint48 matchId)",
  "claimTimeout(uint48 matchId)",
];
/** The action that joins a match. */
export const joinAction = "join";
/** The action that cancels a match that nobody has joined. */
export const closeAction = "close";
/** The actions whose buttons the player must press twice, to prevent accidents. */
export const needsSecondPress = ["close", "resign"];

/** @param {RenderContext} context @returns {Picture} */
export function picture({ board }) {
  const { width = 8, height = 8, ply = 0, cells = {}, last, turned = [] } = board;
  const pieces = Object.entries(cells).map(([cell, seat]) => ({
    id: `disc-${cell}`,
    cell: Number(cell),
    ...badge(seat),
    label: "",
    mine: false,
    sunk: false,
    selected: false,
    pending: false,
  }));
  const fields = [...turned.map((/** @type {number} */ cell) => ({ cell, kind: "turned" }))];
  if (last !== undefined) fields.push({ cell: last, kind: "last" });
  return { width, height, pieces, fields, marks: [], lines: [], stamp: String(ply) };
}

/** @param {RenderContext} _context @param {number} cell @returns {Move} */
export const press = (_context, cell) => ({ action: "move", args: { cell } });

/** @param {RenderContext} context @param {number} cell */
export function describe({ board }, cell) {
  const name = coordinate(cell, board.width);
  const seat = board.cells?.[cell];
  if (seat === undefined) return t("reversi.cell.empty", { cell: name });
  const words = { cell: name, colour: t(`reversi.colour.${seat}`), owner: nameOf(inSeat(board, seat) || "0x") };
  return t("reversi.cell.taken", words);
}

/** Return the contract's `board` view in a form that can be compared with `fromBoard`'s result. @param {Json} contractView @returns {Json} */
export const fromContract = (contractView) => ({
  ...duelFromContract(contractView, contractView.players),
  cells: Object.fromEntries(
    contractView.discs.flatMap((/** @type {string} */ mask, /** @type {number} */ seat) =>
      bits(mask).map((cell) => [cell, seat]),
    ),
  ),
});

/** Return the board in a form that can be compared with `fromContract`'s result. @param {Json} board @returns {Json} */
export const fromBoard = (board) => ({ ...duelFromBoard(board), cells: board.cells });

/** @param {Json} board @returns {I18nText} */
export function turnText({ status, mover, players }) {
  if (status === "playing") {
    const colour = t(`reversi.colour.${players[mover].seat}`);
    return { key: "reversi.whose.playing", args: { player: nameOf(mover), colour } };
  }
  return { key: status === "open" ? "reversi.whose.open" : "reversi.whose.over" };
}

/** True if the action has a button. Players move by clicks on the board, so moves need no button. @param {RenderContext} context @param {Action} action */
export function isOffered({ board: { status, creator, players }, me }, { name }) {
  const seated = plays({ players }, me);
  const cases = {
    join: status === "open" && !seated,
    close: status === "open" && creator === me,
    resign: status === "playing" && seated,
  };
  return cases[/** @type {"join"} */ (name)] ?? false;
}

/** Return the arguments that players don't enter. `ply` is the number of earlier moves. @param {RenderContext} context */
export const args = ({ board }) => ({ ply: board.ply });

/** @param {ChainEvent} event @param {Json} board @returns {Sentence[]} */
export function sentences(event, board) {
  const { by, cell, turned } = event.args;
  if (event.name === "Passed") return [{ text: t("reversi.feed.Passed", { player: nameOf(by) }), tone: "quiet" }];
  if (event.name !== "Moved") return matchSentences("reversi", event);
  const words = { player: nameOf(by), cell: coordinate(cell, board.width ?? 8), n: bits(turned).length };
  return [{ text: t("reversi.feed.Moved", words), tone: "plain" }];
}
