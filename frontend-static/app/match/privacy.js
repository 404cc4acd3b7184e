/** Both sides of a match in one browser: what one player alone may see is shown once that player has said so. */

/** @import { ServerState } from "../server-state.js" */
/** @import { Ui } from "../ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { Json } from "../../types.js" */
/** @typedef {{accounts: Accounts, live: Pick<MatchContext, "renderContext">, server: ServerState, ui: Ui}} Needs What it uses of the page. */

/** Whether somebody else was at the page last, who plays the other side. @param {Needs} app @param {string} match @param {Json|null} [board] */
export function isCovered(app, match, board = app.server.board(match)) {
  if (!board || !playsAnother(app, board)) return false;
  const hasSecret = app.server.renderer(match)?.hasSecret?.({ ...app.live.renderContext(match), board }) ?? false;
  return hasSecret && (app.ui.lastSeenBy.get(match) ?? app.ui.loadedBy) !== app.accounts.me;
}

/** While nobody else of this browser plays a match there is nobody to hide it from: who is at the page has seen it. @param {Needs} app @param {string} match that is shown */
export function noteSeen(app, match) {
  const board = app.server.board(match);
  if (board && !playsAnother(app, board)) app.ui.lastSeenBy.set(match, app.accounts.me);
}

/** @param {Needs} app @param {Json} board */
const playsAnother = (app, { players }) =>
  app.accounts.list.some(({ address }) => address !== app.accounts.me && players?.[address]);

/** A match's context as an onlooker sees it, from the awaited player's side. @param {MatchContext} matchContext @returns {MatchContext} */
export function asCovered(matchContext) {
  const nobody = { me: "", viewAs: matchContext.me, pending: [], draft: { state: {}, change: matchContext.redraw } };
  return Object.assign(Object.create(matchContext), {
    submitPress: null,
    renderContext: (/** @type {string} */ match) => ({ ...matchContext.renderContext(match), ...nobody }),
  });
}
