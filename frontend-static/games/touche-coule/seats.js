/** The players and their ships, and whose turn it is. This module has no side effects. */

import { seatsOf } from "../shared/duel.js";
import { buttonName, inviteText, overText } from "../shared/turn-text.js";
import { chosen } from "./captains.js";
import { afloat, fleet } from "./ships.js";

/** @import { Json, RenderContext, Seat, TurnText } from "../../types.js" */

/** @param {Json} board @returns {Seat[]} */
export const seats = (board) =>
  seatsOf(board).map((row) => ({
    ...row,
    alive: afloat(board, row.address).length > 0,
    units: fleet(board, row.address).map(([number, ship]) => ({ number, alive: ship.afloat, id: `ship-${number}` })),
  }));

/** Return the number of moves. The first turn isn't counted, because it only closes registration. @param {number} ply */
export const moveCount = (ply) => Math.max(0, ply - 1);

/** @param {Json} board @param {string} [me] the viewer @param {RenderContext} [context] @returns {TurnText} */
export function turnText(board, me = "", context) {
  if (board.status === "open") return gatheringText(board, me, context);
  if (board.status !== "playing") return overText(board, me, context, moveCount(board.ply));
  const args = { ply: board.ply, action: buttonName("touche-coule", "turn") };
  if (!me || !fleet(board, me).length) return { key: "touche-coule.game.watched", args, tone: "wait" };
  return afloat(board, me).length
    ? { key: "touche-coule.game.your-turn", args, tone: "act" }
    : { key: "touche-coule.game.sunk", args, tone: "wait" };
}

/** Return the headline before the first turn, while players can still register ships. @param {Json} board @param {string} me @param {RenderContext|undefined} context @returns {TurnText} */
function gatheringText(board, me, context) {
  const n = Object.keys(board.players ?? {}).length;
  const joins = context && chosen(context) ? "register-captain" : "register";
  const actionId = me && fleet(board, me).length ? "turn" : joins;
  const args = { n, action: buttonName("touche-coule", actionId) };
  if (!me || !context) return { key: "touche-coule.game.open", args };
  if (actionId === joins) return { key: "touche-coule.game.join", args, tone: "act" };
  return n > 1 ? { key: "touche-coule.game.ready", args, tone: "act" } : inviteText(context);
}
