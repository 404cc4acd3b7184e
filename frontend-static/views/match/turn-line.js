/**
 * The headline of a match, which says what the viewer can do now. Screen readers announce each
 * change.
 */

import { h } from "../../lib/dom.js";
import { buttonName } from "../../games/shared/turn-text.js";
import { gameKey, translate } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";

/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { Renderer, TurnText, Tx } from "../../types.js" */

/**
 * Return the text of the headline. For an earlier board, the headline offers no move. While a
 * player's secrets are covered, the headline names the player who should take over the screen.
 * @param {MatchContext} matchContext @param {string} match @param {Renderer} renderer @returns {TurnText}
 */
export function turnTextOf(matchContext, match, renderer) {
  const context = matchContext.renderContext(match);
  const { board } = context;
  const [slug] = match.split("/");
  if (board.status === "none") return { key: "why.not-opened" }; // a reorg or a new chain has removed this match
  const { covers, me, submitPress } = matchContext;
  if (covers?.(match)) return { key: "turn.covered", args: { name: nameOf(me) }, tone: "act" };
  if (board.status === "playing" && board.mover === me && context.pending.some((tx) => isMove(tx, me)))
    return { key: "turn.on-its-way", tone: "wait" };
  if (board.status === "playing" && matchContext.isRepeating?.(match))
    return { key: gameKey(slug, "series.turn"), args: { ply: board.ply }, tone: "wait" };
  const text = submitPress ? renderer.turnText(board, context.me, context) : renderer.turnText(board, "");
  const isSent = context.pending.some((tx) => tx.account === me && buttonName(slug, tx.action) === text.args?.action);
  if (text.tone === "act" && isSent) return { key: "turn.on-its-way", tone: "wait" };
  const isPaid = text.tone === "act" && (text.args?.action || board.mover === me);
  return isPaid && matchContext.lacksEther?.() ? { key: "turn.no-funds", tone: "wait" } : text;
}

/**
 * Return true if the player made the transaction with a click on the board. Buttons show the states
 * of their transactions themselves. @param {Tx} tx @param {string} me
 */
const isMove = ({ account, cell }, me) => account === me && cell !== undefined;

/** @param {MatchContext} matchContext @param {string} match @param {Renderer} renderer */
export function turnLine(matchContext, match, renderer) {
  const context = matchContext.renderContext(match);
  const { board } = context;
  const { tone, ticks, ...text } = turnTextOf(matchContext, match, renderer);
  const live = matchContext.submitPress && !ticks ? (tone === "alarm" ? "assertive" : "polite") : "off";
  return h(
    "div",
    { class: "turn-line", key: "turn-line", "data-tone": tone },
    h("p", { id: "whose", role: "status", "aria-live": live, "data-status": board.status }, translate(text)),
    renderer.turnNote && h("p", { id: "turn-note", class: "hint" }, renderer.turnNote(context)),
  );
}
