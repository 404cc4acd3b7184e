/**
 * Closes matches that the page opened for an opponent who has left. Does nothing for accounts of a
 * wallet, because the wallet would ask its user to confirm.
 */

import { isUnsuccessful } from "../../chain/tx/states.js";

/** @import { Tx } from "../../types.js" */
/** @typedef {Omit<import("./opponents.js").Uses, "live"|"transactions">} Uses */
/** The transaction that opened a match, and its account. @typedef {{tx: Tx, account: string}} Unjoined */

export class UnjoinedMatches {
  /** @param {Uses} app @param {(match: string) => void} onJoined called if the opponent has joined the match after all */
  constructor(app, onJoined) {
    this.app = app;
    this.onJoined = onJoined;
    /** @type {Unjoined[]} */
    this.list = [];
  }

  /** Forget everything. Called when the chain changes. */
  reset() {
    this.list = [];
  }

  /**
   * Add a match to close. Return false if a wallet signs for the account. In that case, the page
   * doesn't close the match, because the wallet would ask its user. @param {Tx} tx @param {string} account
   */
  add(tx, account) {
    const { accounts, ui } = this.app;
    if (ui.openingTx === tx) ui.openingTx = null; // prevents the page from going to the match
    if (!accounts.find(account)?.key) return false;
    this.list.push({ tx, account });
    return true;
  }

  /** Return the matches whose boards the page must follow. @returns {string[]} */
  matches() {
    return this.list.flatMap(({ tx }) => tx.opened ?? []);
  }

  /** Close the listed matches that are now on the chain, and remove them from the list. */
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
