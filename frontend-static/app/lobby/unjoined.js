/**
 * Closes matches that the page opened for an opponent who has left before joining. If a wallet has
 * the account's key, the match stays open, because the wallet would ask its user.
 */

import { isUnsuccessful } from "../../chain/tx/states.js";

/** @import { Tx } from "../../types.js" */
/** @typedef {Omit<import("./opponents.js").Uses, "live"|"transactions">} Uses */
/**
 * A match whose opponent has left. `tx`: the transaction that opens the match. `account`: the
 * account that opens the match. @typedef {{tx: Tx, account: string}} Unjoined
 */

export class UnjoinedMatches {
  /** @param {Uses} app @param {(match: string) => void} onJoined called with the match if its opponent has joined after all */
  constructor(app, onJoined) {
    this.app = app;
    this.onJoined = onJoined;
    /** @type {Unjoined[]} */
    this.list = [];
  }

  /** Forget the matches to close. Called when the page switches to a different chain. */
  reset() {
    this.list = [];
  }

  /**
   * Add a match to the list of matches to close. If a wallet has the account's key, don't add the
   * match and return false, because the wallet would ask its user. @param {Tx} tx @param {string} account
   */
  add(tx, account) {
    const { accounts, ui } = this.app;
    if (ui.openingTx === tx) ui.openingTx = null; // once the match exists, the page must not go there
    if (!accounts.find(account)?.key) return false;
    this.list.push({ tx, account });
    return true;
  }

  /** Return the matches to close that exist on the chain. The page must follow their boards. @returns {string[]} */
  matches() {
    return this.list.flatMap(({ tx }) => tx.opened ?? []);
  }

  /** Close the matches that now exist on the chain, and remove them from the list. */
  advance() {
    this.list = this.list.filter((one) => !this.isDone(one));
  }

  /** @param {Unjoined} one */
  isDone({ tx, account }) {
    const { actions, server } = this.app;
    const { opened, game } = tx;
    if (isUnsuccessful(tx)) return true;
    const board = opened && server.board(opened);
    if (!opened || !board) return false;
    const actionId = server.renderer(opened)?.closeAction;
    const action = actionId && actions.of(opened, actionId);
    if (board.status === "playing" && board.players[account]) this.onJoined(opened);
    if (board.status !== "open" || !action) return true;
    if (actions.why(opened, action, {}, account)) return false;
    actions.submit(game, action, opened, {}, account);
    return true;
  }
}
