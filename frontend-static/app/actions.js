/** Sends an account's actions in a match. If an action can't be sent, returns the reason. */

import { gameKey } from "../i18n/translate.js";
import { actionId, prepare, send, whyCantSend, whyChecked, withoutDeposit } from "./submit.js";

/** @import { Rejections } from "./rejections.js" */
/** @import { Prepared, Uses as Preparing } from "./submit.js" */
/** @import { Action, I18nText, Json, Move } from "../types.js" */
/** @typedef {Preparing & {rejections: Rejections, redraw: () => void}} Uses */

export class Actions {
  /** @param {Uses} app */
  constructor(app) {
    this.app = app;
  }

  /** @param {string} match a match, or a game's slug @param {string} id */
  of(match, id) {
    const { server } = this.app;
    const renderer = server.renderer(match);
    return server.games.get(match.split("/")[0])?.actions.find((action) => actionId(renderer, action) === id);
  }

  /** Return the reason why the page can't send any transaction now, or null if it can. @param {string} [account] the account that pays for gas @returns {I18nText|null} */
  whyCantSend(account) {
    return whyCantSend(this.app, account);
  }

  /**
   * Return the reason why an action can't be sent now, or null if it can. The game's own text for
   * the reason, if any, replaces the page's text. @param {string} match the match, or "" if the action opens one @param {Action} action @param {Json} [values] the ABI arguments; each key is an argument's name @param {string} [account] @param {string} [slug] @returns {I18nText|null}
   */
  why(match, action, values = {}, account = this.app.accounts.me, slug = match.split("/")[0]) {
    const why = whyChecked(this.app, slug, action, match, values, account);
    return why ? { ...why, key: gameKey(slug, why.key) } : this.app.rejections.of(action, match, values, account);
  }

  /**
   * Send an action without its deposit, and return the transaction. If the contract requires a
   * deposit, the contract rejects the action. @param {string} slug @param {Action} action @param {string} match the match, or "" if the action opens one @param {Json} [values] the ABI arguments that are already known @param {string} [account]
   */
  submit(slug, action, match, values = {}, account = this.app.accounts.me) {
    return send(this.app, withoutDeposit(prepare(this.app, slug, action, match, values, account)));
  }

  /**
   * Send an action with its deposit, and return the transaction. The action's button showed the
   * sum, so the player agreed to the sum with the click. @param {string} slug @param {Action} action @param {string} match the match, or "" if the action opens one
   */
  submitWithDeposit(slug, action, match) {
    return send(this.app, prepare(this.app, slug, action, match, {}, this.app.accounts.me));
  }

  /**
   * Send the move that belongs to a click on the board. If the move can't be sent, show the reason.
   * Return false if the click makes no move. @param {string} match @param {Move|null} move @param {number} cell
   */
  press(match, move, cell) {
    const { accounts, redraw, rejections, server, ui } = this.app;
    const action = move && this.of(match, move.action);
    ui.rejected = null;
    if (!move || !action) return false;
    const { me } = accounts;
    const seq = server.socket.entries.get(match)?.seq ?? 0;
    /** Show the reason next to the board until the board changes or the player switches accounts. @param {I18nText} why */
    const reject = (why) => {
      ui.rejected = { match, seq, account: me, why };
      redraw();
    };
    const why = this.why(match, action, move.args) ?? rejections.whyPendingPress(match, me);
    if (why) reject(why);
    else
      void this.simulateAndSend(
        withoutDeposit(prepare(this.app, match.split("/")[0], action, match, move.args, me, cell)),
        action,
        reject,
      );
    return true;
  }

  /**
   * Send a move. If the game's renderer has no checks of its own, first simulate the move to find
   * out whether the contract would accept it. @param {Prepared} prepared @param {Action} action @param {(why: I18nText) => void} reject
   */
  async simulateAndSend(prepared, action, reject) {
    const { rejections, server, ui } = this.app;
    const { identity } = server;
    const why = rejections.isSimulated(prepared.request.match, action) ? await rejections.checkPress(prepared) : null;
    if (server.identity !== identity) return; // the chain has changed during the simulation, so the match doesn't exist any more
    if (why) return reject(why);
    ui.selected = 0; // the next turn begins with no piece selected
    send(this.app, prepared);
  }
}
