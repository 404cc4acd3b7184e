/** Matches that were opened for a rival who has left: the page closes them, where that costs nobody a press. */

import { isUnsuccessful } from "../../chain/tx/states.js";

/** @import { Tx } from "../../types.js" */
/** @typedef {Omit<import("./opponents.js").Needs, "live"|"transactions">} Needs What it uses of the page. */
/** What opened it, and for which account. @typedef {{tx: Tx, account: string}} Unjoined */

export class UnjoinedMatches {
  /** @param {Needs} app @param {(match: string) => void} onJoined where the rival has joined it nevertheless */
  constructor(app, onJoined) {
    this.app = app;
    this.onJoined = onJoined;
    /** @type {Unjoined[]} */
    this.list = [];
  }

  /** Another chain has other matches. */
  reset() {
    this.list = [];
  }

  /** Returns whether the page closes it; a wallet would ask its user. @param {Tx} tx @param {string} account */
  add(tx, account) {
    const { accounts, ui } = this.app;
    if (ui.openingTx === tx) ui.openingTx = null; // nobody goes there
    if (!accounts.find(account)?.key) return false;
    this.list.push({ tx, account });
    return true;
  }

  /** Those whose boards it needs. @returns {string[]} */
  matches() {
    return this.list.flatMap(({ tx }) => tx.opened ?? []);
  }

  /** Closes those that are there. */
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
    const kind = server.renderer(opened)?.closeAction;
    const action = kind && actions.of(opened, kind);
    if (board.status === "playing" && board.players[account]) this.onJoined(opened);
    if (board.status !== "open" || !action) return true;
    if (actions.why(opened, action, {}, account)) return false;
    actions.submit(game, action, opened, {}, account);
    return true;
  }
}
