/**
 * Protects the secrets of two players in one browser from each other. A player's secrets are shown
 * only after that player has confirmed.
 */

/** @import { ServerState } from "../server-state.js" */
/** @import { Ui } from "../ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { Json } from "../../types.js" */
/** @typedef {{accounts: Accounts, live: Pick<MatchContext, "renderContext">, server: ServerState, ui: Ui}} Uses The parts of the page that this module uses. */

/**
 * Return true if another player in this match was the last to use the page, so the secrets must be
 * covered. @param {Uses} app @param {string} match @param {Json|null} [board]
 */
export function isCovered(app, match, board = app.server.board(match)) {
  if (!board || !playsAnother(app, board)) return false;
  const hasSecret = app.server.renderer(match)?.hasSecret?.({ ...app.live.renderContext(match), board }) ?? false;
  return hasSecret && (app.ui.lastSeenBy.get(match) ?? app.ui.loadedBy) !== app.accounts.me;
}

/**
 * Record that the account in use has seen its secrets. Do nothing if another player in the match
 * uses this browser, because that player must first confirm. @param {Uses} app @param {string} match the match on display
 */
export function noteSeen(app, match) {
  const board = app.server.board(match);
  if (board && !playsAnother(app, board)) app.ui.lastSeenBy.set(match, app.accounts.me);
}

/** @param {Uses} app @param {Json} board */
const playsAnother = (app, { players }) =>
  app.accounts.list.some(({ address }) => address !== app.accounts.me && players?.[address]);

/** Return a match's context as a watcher sees it, but from the side of the player who must confirm. @param {MatchContext} matchContext @returns {MatchContext} */
export function asCovered(matchContext) {
  const nobody = { me: "", viewAs: matchContext.me, pending: [], draft: { state: {}, change: matchContext.redraw } };
  return Object.assign(Object.create(matchContext), {
    submitPress: null,
    renderContext: (/** @type {string} */ match) => ({ ...matchContext.renderContext(match), ...nobody }),
  });
}
