/**
 * The headlines that all games share: before the start of a match, while a player is thinking, and
 * at the end. This module has no side effects.
 */

import { firstText, gameKey } from "../../i18n/translate.js";
import { computers } from "../../names/computers.js";
import { nameOf } from "../../names/names.js";
import { CLAIM, openerOf, plays } from "./duel.js";
import { isPastDeadline } from "./clock.js";

/** @import { Json, RenderContext, TurnText } from "../../types.js" */
/** @typedef {RenderContext|undefined} Context Undefined for still pictures and for earlier events, because nobody can act there. */

/** @param {string} slug @param {string} actionId */
export const buttonName = (slug, actionId) => firstText([gameKey(slug, `action.${actionId}`)], actionId);

/** Return the headline before the start of a match. @param {string} slug @param {string} joinAction @param {Json} board @param {string} me @param {Context} context @param {string} [joinKey] the key of the sentence for a player who can join @returns {TurnText} */
export function openText(slug, joinAction, board, me, context, joinKey = "turn.join") {
  const { opponent } = board;
  const opener = openerOf(board);
  const args = { name: nameOf(opener), other: nameOf(opponent ?? ""), action: buttonName(slug, joinAction) };
  if (me && (plays(board, me) || opener === me)) return { ...openerText(board, context), tone: "act" };
  if (opponent && opponent !== me) return { key: "turn.for-other", args };
  return me && context ? { key: joinKey, args, tone: "act" } : { key: "turn.open", args };
}

/** Return the headline for the player who opened the match and waits for an opponent. @param {Json} board @param {Context} context @returns {TurnText} */
function openerText({ opponent }, context) {
  const args = { name: nameOf(opponent ?? "") };
  if (opponent) return { key: computers.has(opponent) ? "turn.coming" : "turn.invited", args };
  return inviteText(context);
}

/** Return the headline for the creator of a match to which nobody is invited. @param {Context} context @returns {TurnText} */
export const inviteText = (context) => ({
  key: context?.opponents?.length ? "turn.send-or-ask" : "turn.send",
  tone: "act",
});

/** Return the headline while the opponent is thinking or is out of time. @param {string} slug @param {Json} board @param {string} me @param {Context} context @returns {TurnText} */
export function waitText(slug, board, me, context) {
  const args = { name: nameOf(board.mover ?? ""), action: buttonName(slug, CLAIM) };
  if (!isLate(board, context)) return { key: "turn.thinking", args, tone: "wait" };
  return plays(board, me) && context
    ? { key: "turn.late", args, tone: "act" }
    : { key: "turn.late-watched", args, tone: "wait" };
}

/** Return the headline for the viewer's own turn. If the viewer is out of time, return a warning. @param {TurnText} text @param {Json} board @param {Context} context @returns {TurnText} */
export const actText = (text, board, context) =>
  isLate(board, context) ? { key: "turn.late-mine", tone: "alarm" } : { ...text, tone: "act" };

/** @param {Json} board @param {Context} context */
const isLate = (board, context) => Boolean(context && isPastDeadline(/** @type {any} */ (board), context.now));

/** Return the headline with the result of a match, from the viewer's side. @param {Json} board @param {string} me @param {Context} context @param {number} [n] the number of moves @returns {TurnText} */
export function overText(board, me, context, n = board.ply ?? 0) {
  const { status, winner, reason } = board;
  const args = { n, name: nameOf(winner ?? "") };
  const played = Boolean(me) && plays(board, me);
  if (status === "cancelled") return { key: "turn.over-cancelled" };
  if (winner && winner === me) return { key: "turn.over-won", args, tone: "won" };
  if (winner && played && !context?.ownAccounts.has(winner)) return { key: "turn.over-lost", args, tone: "lost" };
  if (winner) return { key: "turn.over-watched", args };
  if (reason !== "draw") return { key: "turn.over-none", args };
  return played ? { key: "turn.over-drawn", args, tone: "drawn" } : { key: "turn.over-draw", args };
}
