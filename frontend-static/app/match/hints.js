/** A hint in somebody's first match of a game: once for a game in this browser, and none for who has finished one. */

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
/** @typedef {{accounts: Accounts, playback: Playback, redraw: () => void, server: ServerState, transactions: Pick<TransactionManager, "list">}} Needs What it uses of the page. */

/** Names of games, with spaces between; `off`: none at all, which only tests and screenshots write. */
const KEY = "chainboard.hints";
const OFF = "off";

/** @param {string} match */
const gameOf = (match) => match.split("/")[0];

export class Hints {
  /** @param {Needs} app */
  constructor(app) {
    this.app = app;
    /** Whether an account has finished a match of a game, by both; undefined: not known yet. @type {Map<string, boolean|undefined>} */
    this.veterans = new Map();
    /** Matches whose hint was closed since the page was loaded. @type {Set<string>} */
    this.closed = new Set();
    this.seen = (readText(KEY) ?? "").split(" ");
  }

  /** Whether its room is kept, so that nothing moves when it comes and goes. @param {string} match */
  hasRoom(match) {
    const { accounts, playback, server } = this.app;
    const board = server.board(match);
    if (!board?.players?.[accounts.me] || playback.playhead || hasEnded(board)) return false;
    return this.closed.has(match) || !(this.isSeen(match) || this.veterans.get(this.who(match)));
  }

  /** Whether it is there: while what it asks for can be done. @param {string} match */
  isAt(match) {
    const { accounts, server } = this.app;
    const isNew = this.veterans.get(this.who(match)) === false;
    if (!isNew || this.isSeen(match) || !this.hasRoom(match)) return false;
    const board = /** @type {Json} */ (server.board(match));
    return board.mover ? board.mover === accounts.me : Object.keys(board.players).length > 1;
  }

  /** Finds out whether it may be the first match; the first move ends the hint. @param {string} match */
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
      () => this.veterans.set(who, true), // none is better than a wrong one
    );
  }

  /** Whether the player has made a move there: to join is none, nor is what the page does by itself or what is never its loud button. @param {string} match */
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

  /** Nor does it come again after a reload. @param {string} match */
  close(match) {
    if (!this.isAt(match)) return;
    this.closed.add(match);
    this.seen.push(gameOf(match));
    writeText(KEY, this.seen.join(" ").trim());
    this.app.redraw();
  }

  /** Another chain has other matches. */
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
