/** One's own matches that wait for a player, and that this browser left: the page closes them when it comes back, as nobody is sent to a host who is away. */

import { readList, readText, writeJson, writeText } from "../../lib/storage.js";
import { isStaked } from "../../games/shared/terms.js";
import { ownRunning } from "./rows.js";

/** @import { AutoMoves } from "../match/auto-moves.js" */
/** @import { Summary, Tx } from "../../types.js" */
/** @typedef {import("./opponents.js").Needs & {autoMoves: AutoMoves}} Needs What it uses of the page. */

const AWAY_MS = 10 * 60_000;
const SEEN_EVERY_MS = 10_000;
const SEEN = "chainboard.seen";
/** Matches whose link was passed on: somebody may come later. */
const SHARED = "chainboard.shared";
const MAX_SHARED = 50;

export class AbandonedMatches {
  /** @param {Needs} app */
  constructor(app) {
    this.app = app;
    const seenAt = Number(readText(SEEN));
    this.seenAt = 0;
    /** When this browser was left, in milliseconds since 1970; 0: not for long. */
    this.leftAt = Date.now() - seenAt > AWAY_MS ? seenAt : 0;
    /** Those that were visited since: their host waits on. @type {Set<string>} */
    this.visited = new Set();
    /** What closes them, by match. @type {Map<string, Tx>} */
    this.closing = new Map();
  }

  /** Notes that the page is open, now and then. @param {boolean} [leaves] and that it is left now */
  noteSeen(leaves = false) {
    if (!leaves && Date.now() - this.seenAt < SEEN_EVERY_MS) return;
    this.seenAt = Date.now();
    writeText(SEEN, String(this.seenAt));
  }

  /** A match whose link was passed on stays open. @param {string} match */
  noteShared(match) {
    const name = this.nameOf(match);
    writeJson(SHARED, [name, ...readList(SHARED).filter((one) => one !== name)].slice(0, MAX_SHARED));
  }

  /** In the lobby it closes what was left. @param {string} [shown] the match that is looked at @param {boolean} [isLobby] */
  advance(shown, isLobby = false) {
    if (shown) this.visited.add(shown);
    if (this.leftAt && isLobby) for (const summary of ownRunning(this.app)) this.close(summary);
  }

  /** @param {Summary} summary */
  close(summary) {
    const { app } = this;
    const { match, game } = summary;
    const [owner] = summary.players;
    const kind = app.server.renderers.get(game)?.closeAction;
    const action = kind && app.actions.of(match, kind);
    if (!action || this.closing.has(match) || !this.isLeft(summary)) return;
    app.autoMoves.acquireLock(owner);
    if (app.autoMoves.locked.has(owner) && !app.actions.why(match, action, {}, owner))
      this.closing.set(match, app.actions.submit(game, action, match, {}, owner));
  }

  /** Closing costs nothing and asks no wallet's user, and nobody is awaited by name or by a link. @param {Summary} summary */
  isLeft(summary) {
    const { match, status, players, opponent, created } = summary;
    const { accounts, server } = this.app;
    return (
      status === "open" &&
      !opponent &&
      players.length === 1 &&
      Boolean(accounts.find(players[0])?.key) &&
      !isStaked(summary) &&
      created * 1000 < this.leftAt &&
      Boolean(server.health?.development || server.health?.sponsor) &&
      !this.visited.has(match) &&
      !readList(SHARED).includes(this.nameOf(match))
    );
  }

  /** @param {string} match */
  nameOf(match) {
    return `${this.app.server.identity} ${match}`;
  }
}
