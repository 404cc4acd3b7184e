/** Matches that this browser opened and then left: the page closes them when it comes back, unless somebody may be on the way. */

import { isStaked } from "../../games/shared/terms.js";
import { readList, readText, writeJson, writeText } from "../../lib/storage.js";
import { ownRunning } from "./rows.js";

/** @import { AutoMoves } from "../match/auto-moves.js" */
/** @import { Summary, Tx } from "../../types.js" */
/** @typedef {import("./opponents.js").Needs & {autoMoves: AutoMoves}} Needs What it uses of the page. */

const AWAY_MS = 10 * 60_000;
const SEEN_EVERY_MS = 10_000;
const SEEN = "chainboard.seen";
/** Matches that stay open: their link was passed on, or their host has gone back to them. */
const KEPT = "chainboard.kept-open";
const MAX_KEPT = 50;

export class AbandonedMatches {
  /** @param {Needs} app */
  constructor(app) {
    this.app = app;
    const seenAt = Number(readText(SEEN));
    this.seenAt = 0;
    /** When this browser was left, in milliseconds since 1970; 0: it was not away for long. */
    this.leftAt = Date.now() - seenAt > AWAY_MS ? seenAt : 0;
    /** What closes them, by match. @type {Map<string, Tx>} */
    this.closing = new Map();
  }

  /** Another chain has other matches. */
  reset() {
    this.closing.clear();
  }

  /** Notes that the page is open, now and then. @param {boolean} [leaves] and that it is left now */
  noteSeen(leaves = false) {
    if (!leaves && Date.now() - this.seenAt < SEEN_EVERY_MS) return;
    this.seenAt = Date.now();
    writeText(SEEN, String(this.seenAt));
  }

  /** A match whose link was passed on, or to which its host has gone back, stays open. @param {string} match */
  keep(match) {
    const [name, kept] = [this.nameOf(match), readList(KEPT)];
    if (kept[0] !== name) writeJson(KEPT, [name, ...kept.filter((one) => one !== name)].slice(0, MAX_KEPT));
  }

  /** In the lobby it closes what was left. @param {string} [shown] the match that is looked at @param {boolean} [isLobby] */
  advance(shown, isLobby = false) {
    if (!this.leftAt || !this.app.server.identity) return;
    if (shown) this.keep(shown);
    if (isLobby) for (const summary of ownRunning(this.app)) this.close(summary);
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

  /** This browser opened it, for two and for anyone, without a stake; nobody has come, and closing it costs nothing and asks no wallet's user. @param {Summary} summary */
  isLeft(summary) {
    const { match, players, seatCount = 2, opponent, invited } = summary;
    const { accounts, server, transactions } = this.app;
    const board = server.board(match);
    const opening = transactions.list.find(({ opened }) => opened === match);
    return (
      board?.status === "open" &&
      Object.keys(board.players).length === 1 &&
      players.length === 1 &&
      seatCount <= 2 && // who opened a larger match closes it for those, too, who have come
      !opponent &&
      !invited &&
      !isStaked(summary) &&
      Boolean(accounts.find(players[0])?.key) &&
      Boolean(server.health?.development) &&
      opening !== undefined &&
      opening.at < this.leftAt &&
      !readList(KEPT).includes(this.nameOf(match))
    );
  }

  /** @param {string} match */
  nameOf(match) {
    return `${this.app.server.identity} ${match}`;
  }
}
