/** Three hints in somebody's first match of a game: once for a game in this browser, and none for who has finished one. */

import { readText, writeText } from "../../lib/storage.js";
import { hasEnded } from "../../lib/board.js";
import { get } from "../../server/rest.js";

/** @import { ServerState } from "../server-state.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Playback } from "../../history/playback.js" */
/** @typedef {{accounts: Accounts, playback: Playback, redraw: () => void, server: ServerState}} Needs What it uses of the page. */

/** What they are pinned to, in order. */
export const TARGETS = /** @type {const} */ (["board", "line", "button"]);
/** Names of games, with spaces between; `off`: none at all, which only tests and screenshots write. */
const KEY = "chainboard.hints";
const OFF = "off";

/** @param {string} match */
const gameOf = (match) => match.split("/")[0];

export class Hints {
  /** @param {Needs} app */
  constructor(app) {
    this.app = app;
    /** How many were read, by game. @type {Map<string, number>} */
    this.read = new Map();
    /** Whether an account has finished a match of a game, by both; undefined: not known yet. @type {Map<string, boolean|undefined>} */
    this.veterans = new Map();
    this.seen = (readText(KEY) ?? "").split(" ");
  }

  /** What is to be pressed is hinted at while it can be. @param {string} match @returns {number} of `TARGETS`; -1: none */
  at(match) {
    const { accounts, playback, server } = this.app;
    const board = server.board(match);
    const isNew = this.veterans.get(this.who(match)) === false;
    if (!board || playback.playhead || !board.players?.[accounts.me] || hasEnded(board) || !isNew) return -1;
    if (this.isSeen(match)) return -1;
    const step = this.read.get(gameOf(match)) ?? 0;
    const canPress = board.mover ? board.mover === accounts.me : Object.keys(board.players).length > 1;
    return canPress || TARGETS[step] === "line" ? step : -1;
  }

  /** Finds out whether it may be the first match. @param {string} match */
  request(match) {
    const { accounts, server } = this.app;
    const who = this.who(match);
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

  /** @param {string} match */
  next(match) {
    const read = this.at(match) + 1;
    if (read === TARGETS.length) return this.close(match);
    if (read === TARGETS.length - 1) this.keep(match); // the last one waits for a loud button, which a game may never have
    this.read.set(gameOf(match), read);
    this.app.redraw();
  }

  /** @param {string} match */
  close(match) {
    if (this.at(match) < 0) return;
    this.keep(match);
    this.seen.push(gameOf(match));
    this.app.redraw();
  }

  /** Not once more after a reload. @param {string} match */
  keep(match) {
    writeText(KEY, [...this.seen, gameOf(match)].join(" ").trim());
  }

  /** Another chain has other matches. */
  reset() {
    this.veterans.clear();
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
