/** Who plays which mark, whose turn it is, and what is offered. Pure. */

import { h } from "../../lib/dom.js";
import { seatsOf } from "../shared/duel.js";
import { CROSS, RING } from "../../layouts/shapes.js";
import { shortHex, t } from "../../i18n/translate.js";
import { markBy, markOf } from "./marks.js";

/** @import { Tree } from "../../lib/dom.js" */
/** @import { I18nText, Json, RenderContext, Seat } from "../../types.js" */

/** The cross begins. @param {number} seat */
export const badge = (seat) => (seat === 0 ? { colour: 1, shape: CROSS } : { colour: 0, shape: RING });

/** @param {Json} board @returns {Seat[]} */
export function seats(board) {
  return seatsOf(board).map((row) => ({ ...row, note: t(`tic-tac-toe.mark.${markOf(row.seat)}`) }));
}

/** @param {Json} board @param {string} [me] who looks @returns {I18nText} */
export function turnText(board, me) {
  if (board.status === "open") return { key: "tic-tac-toe.game.open" };
  if (board.status !== "playing") return { key: "tic-tac-toe.game.over", args: { n: board.ply } };
  const words = { mark: t(`tic-tac-toe.mark.${markBy(board, board.mover)}`), name: shortHex(board.mover) };
  return { key: board.mover === me ? "tic-tac-toe.game.your-turn" : "tic-tac-toe.game.turn", args: words };
}

/** An offer to restart, which the next move cancels. @param {RenderContext} context @returns {Tree|null} */
export function notices({ board, me }) {
  if (board.status !== "playing" || !board.offer) return null;
  const text =
    board.offer.by === me
      ? t("tic-tac-toe.offer.mine")
      : t("tic-tac-toe.offer.other", { name: shortHex(board.offer.by) });
  return h("p", { class: "notice", id: "offer", key: "offer", role: "status", "data-by": board.offer.by }, text);
}
