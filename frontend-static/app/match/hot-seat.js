/**
 * Supports hot-seat matches: if one browser plays all sides, the page uses the account that must
 * move.
 */

/** @import { ServerState } from "../server-state.js" */
/** @import { Ui } from "../ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Json } from "../../types.js" */
/** @typedef {{accounts: Accounts, server: ServerState, ui: Ui}} Uses The parts of the page that this module uses. */

/**
 * Use the account that must move. This happens once per turn, so players can still switch by hand.
 * If several players can act, nobody is the mover, and the account stays the same.
 * @param {Uses} app @param {string} match the match on display, in the present
 */
export function switchToMover(app, match) {
  const board = app.server.board(match);
  const mover = board && isAllOurs(app, board) ? app.accounts.find(board.mover) : undefined;
  const turn = `${app.server.identity} ${match} ${board?.ply} ${mover?.address}`;
  if (!mover || turn === app.ui.followedTurn) return;
  app.ui.followedTurn = turn;
  if (mover.address !== app.accounts.me && !mover.trouble) app.accounts.use(mover);
}

/** Return true if each player is an account of this browser. @param {Uses} app @param {Json} board */
function isAllOurs(app, { status, players = {} }) {
  const seated = Object.keys(players);
  return status === "playing" && seated.length > 1 && seated.every((address) => app.accounts.find(address));
}
