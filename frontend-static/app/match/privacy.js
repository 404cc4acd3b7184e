/**
 * If two players of a match share a browser, hides their secrets from each other. The page shows a
 * player's secrets only after the player has confirmed that they are at the screen.
 */

/** @import { ServerState } from "../server-state.js" */
/** @import { Ui } from "../ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { Json } from "../../types.js" */
/** @typedef {{accounts: Accounts, live: Pick<MatchContext, "renderContext">, server: ServerState, ui: Ui}} Uses */

/**
 * Return true if the page must hide the secrets of the account in use, because another player of
 * the match was the last one at the screen. @param {Uses} app @param {string} match @param {Json|null} [board]
 */
export function isCovered(app, match, board = app.server.board(match)) {
  if (!board || !playsAnother(app, board)) return false;
  const hasSecret = app.server.renderer(match)?.hasSecret?.({ ...app.live.renderContext(match), board }) ?? false;
  return hasSecret && (app.ui.lastSeenBy.get(match) ?? app.ui.loadedBy) !== app.accounts.me;
}

/**
 * Record that the account in use was the last one to see its secrets. If the match has another
 * player in this browser, do nothing, because the account must confirm first. @param {Uses} app @param {string} match the match on display
 */
export function noteSeen(app, match) {
  const board = app.server.board(match);
  if (board && !playsAnother(app, board)) app.ui.lastSeenBy.set(match, app.accounts.me);
}

/** @param {Uses} app @param {Json} board */
const playsAnother = (app, { players }) =>
  app.accounts.list.some(({ address }) => address !== app.accounts.me && players?.[address]);

/**
 * Return a match's context without secrets, as a watcher sees the match, but from the side of the
 * player who must confirm. @param {MatchContext} matchContext @returns {MatchContext}
 */
export function asCovered(matchContext) {
  const nobody = { me: "", viewAs: matchContext.me, pending: [], draft: { state: {}, change: matchContext.redraw } };
  return Object.assign(Object.create(matchContext), {
    submitPress: null,
    renderContext: (/** @type {string} */ match) => ({ ...matchContext.renderContext(match), ...nobody }),
  });
}
