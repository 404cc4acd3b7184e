/** Both sides of a match in one browser: what one player alone may see is shown once that player has said so. */

/** @import { App } from "../app.js" */
/** @import { Json, MatchContext } from "../../types.js" */

/** Whether somebody else was at the page last, who plays the other side. @param {App} app @param {string} match */
export function isCovered(app, match) {
  const board = app.board(match);
  if (!board || !playsAnother(app, board)) return false;
  const hasSecret = app.renderers.get(match.split("/")[0])?.hasSecret?.(app.renderContext(match)) ?? false;
  return hasSecret && (app.lastSeenBy.get(match) ?? app.loadedBy) !== app.me;
}

/** While nobody else of this browser plays a match there is nobody to hide it from: who is at the page has seen it. @param {App} app @param {string} match that is shown */
export function noteSeen(app, match) {
  const board = app.board(match);
  if (board && !playsAnother(app, board)) app.lastSeenBy.set(match, app.me);
}

/** @param {App} app @param {Json} board */
const playsAnother = (app, { players }) => app.accounts.some(({ address }) => address !== app.me && players?.[address]);

/** A match's context as an onlooker sees it, from the awaited player's side. @param {MatchContext} matchContext @returns {MatchContext} */
export function asCovered(matchContext) {
  const nobody = { me: "", viewAs: matchContext.me, pending: [], draft: { state: {}, change: matchContext.redraw } };
  return Object.assign(Object.create(matchContext), {
    submitPress: null,
    renderContext: (/** @type {string} */ match) => ({ ...matchContext.renderContext(match), ...nobody }),
  });
}
