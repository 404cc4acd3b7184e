/**
 * The players and their marks, whose turn it is, and open offers to restart. This module has no
 * side effects.
 */

import { h } from "../../lib/dom.js";
import { seatsOf } from "../shared/duel.js";
import { actText, openText, overText, waitText } from "../shared/turn-text.js";
import { CROSS, RING } from "../../layouts/shapes.js";
import { t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";
import { joinAction } from "./actions.js";
import { markBy, markOf } from "./marks.js";

/** @import { Tree } from "../../lib/dom.js" */
/** @import { Json, RenderContext, Seat, TurnText } from "../../types.js" */

/** Return the badge of a seat: the cross for seat 0, which begins, or the ring for seat 1. @param {number} seat */
export const badge = (seat) => (seat === 0 ? { colour: 1, shape: CROSS } : { colour: 0, shape: RING });

/** @param {Json} board @returns {Seat[]} */
export function seats(board) {
  return seatsOf(board).map((row) => ({ ...row, note: t(`tic-tac-toe.mark.${markOf(row.seat)}`) }));
}

/** @param {Json} board @param {string} [me] the viewer @param {RenderContext} [context] @returns {TurnText} */
export function turnText(board, me = "", context) {
  if (board.status === "open") return openText("tic-tac-toe", joinAction, board, me, context);
  if (board.status !== "playing") return overText(board, me, context);
  if (board.mover !== me) return waitText("tic-tac-toe", board, me, context);
  const args = { mark: t(`tic-tac-toe.mark.${markBy(board, me)}`) };
  return actText({ key: "tic-tac-toe.game.your-turn", args }, board, context);
}

/** Return a notice about an open offer to restart the match. The next move cancels the offer. @param {RenderContext} context @returns {Tree|null} */
export function notices({ board, me }) {
  if (board.status !== "playing" || !board.offer) return null;
  const text =
    board.offer.by === me
      ? t("tic-tac-toe.offer.mine")
      : t("tic-tac-toe.offer.other", { name: nameOf(board.offer.by) });
  return h("p", { class: "notice", id: "offer", key: "offer", role: "status", "data-by": board.offer.by }, text);
}
