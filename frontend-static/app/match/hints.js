/**
 * Shows a hint in a player's first match of a game. A browser shows each game's hint only once. A
 * player who has already finished a match of the game doesn't see the hint.
 */

import { readText, writeText } from "../../lib/storage.js";
import { hasEnded } from "../../lib/board.js";
import { isUnsuccessful } from "../../chain/tx/states.js";
import { get } from "../../server/rest.js";
import { seatOf } from "../submit.js";

/** @import { ServerState } from "../server-state.js" */
/** @import { TransactionManager } from "../../chain/tx/manager.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Playback } from "../../history/playback.js" */
/** @import { Json } from "../../types.js" */
/** @typedef {{accounts: Accounts, playback: Playback, redraw: () => void, server: ServerState, transactions: Pick<TransactionManager, "list">}} Uses */

/**
 * The localStorage key for the games whose hint the player has closed. The value is a list of
 * slugs, separated by spaces. Tests store `off` there to disable all hints.
 */
const KEY = "chainboard.hints";
const OFF = "off";

/** @param {string} match */
const gameOf = (match) => match.split("/")[0];

export class Hints {
  /** @param {Uses} app */
  constructor(app) {
    this.app = app;
    /**
     * For each game and account, true if the account has finished a match of the game. The value is
     * undefined until the server has answered. @type {Map<string, boolean|undefined>}
     */
    this.veterans = new Map();
    /**
     * The matches whose hint was closed since the page was loaded. The page still reserves space
     * for these hints. @type {Set<string>}
     */
    this.closed = new Set();
    this.seen = (readText(KEY) ?? "").split(" ");
  }

  /**
   * Return true if the page reserves space for a hint, so that the page's layout doesn't move when
   * the hint appears or disappears. @param {string} match
   */
  hasRoom(match) {
    const { accounts, playback, server } = this.app;
    const board = server.board(match);
    if (!board?.players?.[accounts.me] || playback.playhead || hasEnded(board)) return false;
    return this.closed.has(match) || !(this.isSeen(match) || this.veterans.get(this.who(match)));
  }

  /**
   * Return true if the page shows the hint. The player must be able to move, so that they can try
   * what the hint explains. @param {string} match
   */
  isAt(match) {
    const { accounts, server } = this.app;
    const isNew = this.veterans.get(this.who(match)) === false;
    if (!isNew || this.isSeen(match) || !this.hasRoom(match)) return false;
    const board = /** @type {Json} */ (server.board(match));
    return board.mover ? board.mover === accounts.me : Object.keys(board.players).length > 1;
  }

  /**
   * Ask the server whether the player has finished a match of this game before. After the player's
   * first move in this match, close the hint. @param {string} match
   */
  request(match) {
    const { accounts, server } = this.app;
    const who = this.who(match);
    if (this.hasMoved(match)) this.close(match);
    if (this.isSeen(match) || this.veterans.has(who) || !server.board(match)?.players?.[accounts.me]) return;
    this.veterans.set(who, undefined);
    const query = { game: gameOf(match), player: accounts.me, status: "finished", limit: 1 };
    get("/matches", query).then(
      ({ matches }) => {
        this.veterans.set(who, matches.length > 0);
        this.app.redraw();
      },
      () => this.veterans.set(who, true), // if the request fails, show no hint
    );
  }

  /**
   * Return true if the player has moved in the match. Joining the match, approving a token and the
   * game's `secondary` actions don't count as moves. @param {string} match
   */
  hasMoved(match) {
    const { accounts, server, transactions } = this.app;
    const { joinAction = "", secondary = [] } = server.renderer(match) ?? {};
    return transactions.list.some(
      (tx) =>
        tx.match === match &&
        seatOf(tx) === accounts.me &&
        ![joinAction, "approve", ...secondary].some((name) => tx.action.startsWith(name)) &&
        !isUnsuccessful(tx),
    );
  }

  /** Close the hint of a match's game. This browser never shows that hint again. @param {string} match */
  close(match) {
    if (!this.isAt(match)) return;
    this.closed.add(match);
    this.seen.push(gameOf(match));
    writeText(KEY, this.seen.join(" ").trim());
    this.app.redraw();
  }

  /** Forget the matches and the accounts. Called when the chain changes. */
  reset() {
    this.veterans.clear();
    this.closed.clear();
  }

  /** @param {string} match */
  isSeen(match) {
    return this.seen.includes(OFF) || this.seen.includes(gameOf(match));
  }

  /** @param {string} match */
  who(match) {
    return `${gameOf(match)} ${this.app.accounts.me}`;
  }
}
