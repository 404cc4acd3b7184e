/** Hot seat: where one browser plays all sides, the page uses the mover's account. */

/** @import { App } from "../app.js" */
/** @import { Json } from "../../types.js" */

/**
 * Uses the account that is to move, once for each turn: who hands the page over by hand meanwhile keeps it. Where everybody may
 * act at once nobody is to move, and the page stays whose it is.
 * @param {App} app @param {string} match that is shown, in the present
 */
export function switchToMover(app, match) {
  const board = app.board(match);
  const mover = board && isAllOurs(app, board) ? app.account(board.mover) : undefined;
  const turn = `${app.identity} ${match} ${board?.ply} ${mover?.address}`;
  if (!mover || turn === app.followedTurn) return;
  app.followedTurn = turn;
  if (mover.address !== app.me && !mover.trouble) app.use(mover);
}

/** Whether each player is an account of this browser. @param {App} app @param {Json} board */
function isAllOurs(app, { status, players = {} }) {
  const seated = Object.keys(players);
  return status === "playing" && seated.length > 1 && seated.every((address) => app.account(address));
}
