/**
 * Supports hot-seat matches, in which all players share one browser. The page switches to the
 * account that must move.
 */

/** @import { ServerState } from "../server-state.js" */
/** @import { Ui } from "../ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Json } from "../../types.js" */
/** @typedef {{accounts: Accounts, server: ServerState, ui: Ui}} Uses */

/**
 * Switch to the account that must move, but only once per turn, because the players can switch
 * back by hand. If several players can act, the board has no `mover`, and the page doesn't switch.
 * @param {Uses} app @param {string} match the match whose latest board is on display
 */
export function switchToMover(app, match) {
  const board = app.server.board(match);
  const mover = board && isAllOurs(app, board) ? app.accounts.find(board.mover) : undefined;
  const turn = `${app.server.identity} ${match} ${board?.ply} ${mover?.address}`;
  if (!mover || turn === app.ui.followedTurn) return;
  app.ui.followedTurn = turn;
  if (mover.address !== app.accounts.me && !mover.trouble) app.accounts.use(mover);
}

/** Return true if the match is running and all of its players are accounts in this browser. @param {Uses} app @param {Json} board */
function isAllOurs(app, { status, players = {} }) {
  const seated = Object.keys(players);
  return status === "playing" && seated.length > 1 && seated.every((address) => app.accounts.find(address));
}
