/**
 * Closes open matches that the player left without an opponent, when the player returns to the
 * page. Matches whose link was shared stay open.
 */

import { isStaked } from "../../games/shared/terms.js";
import { readList, readText, writeJson, writeText } from "../../lib/storage.js";
import { ownRunning } from "./rows.js";

/** @import { AutoMoves } from "../match/auto-moves.js" */
/** @import { Summary, Tx } from "../../types.js" */
/** @typedef {import("./opponents.js").Uses & {autoMoves: AutoMoves}} Uses */

const AWAY_MS = 10 * 60_000;
const SEEN_EVERY_MS = 10_000;
const SEEN = "chainboard.seen";
/**
 * The storage key for the matches that stay open because the player shared their link or returned
 * to them.
 */
const STAYS_OPEN = "chainboard.kept-open";
const MAX_STAYS_OPEN = 50;

export class AbandonedMatches {
  /** @param {Uses} app */
  constructor(app) {
    this.app = app;
    const seenAt = Number(readText(SEEN));
    this.seenAt = 0;
    /**
     * The time when the player left, in milliseconds since 1970, or 0 if the player was not away
     * for long.
     */
    this.leftAt = Date.now() - seenAt > AWAY_MS ? seenAt : 0;
    /** The transactions that close matches, by match. @type {Map<string, Tx>} */
    this.closing = new Map();
  }

  /** Forget everything. Called when the chain changes. */
  reset() {
    this.closing.clear();
  }

  /** Record, from time to time, when the page was last open. @param {boolean} [leaves] true if the player is leaving the page now */
  noteSeen(leaves = false) {
    if (!leaves && Date.now() - this.seenAt < SEEN_EVERY_MS) return;
    this.seenAt = Date.now();
    writeText(SEEN, String(this.seenAt));
  }

  /** Don't close this match. Called when the player shares its link or returns to it. @param {string} match */
  keepOpen(match) {
    const [name, kept] = [this.keyOf(match), readList(STAYS_OPEN)];
    if (kept[0] !== name) writeJson(STAYS_OPEN, [name, ...kept.filter((one) => one !== name)].slice(0, MAX_STAYS_OPEN));
  }

  /** Close the abandoned matches, but only while the page shows the lobby. @param {string} [shown] the match that the player is looking at @param {boolean} [isLobby] */
  advance(shown, isLobby = false) {
    if (!this.leftAt || !this.app.server.identity) return;
    if (shown) this.keepOpen(shown);
    if (isLobby) for (const summary of ownRunning(this.app)) this.close(summary);
  }

  /** @param {Summary} summary */
  close(summary) {
    const { app } = this;
    const { match, game } = summary;
    const [owner] = summary.players;
    const actionId = app.server.renderers.get(game)?.closeAction;
    const action = actionId && app.actions.of(match, actionId);
    if (!action || this.closing.has(match) || !this.isLeft(summary)) return;
    app.autoMoves.acquireLock(owner);
    if (app.autoMoves.locked.has(owner) && !app.actions.why(match, action, {}, owner))
      this.closing.set(match, app.actions.submit(game, action, match, {}, owner));
  }

  /**
   * Return true if the page may close a match. This browser must have opened the match before the
   * player left. The match must have two seats and no stake, and must be open to anyone. Nobody
   * must have joined. The chain must be a development chain and the account's key must be in this
   * browser, so that closing is free and needs no wallet pop-up. @param {Summary} summary
   */
  isLeft(summary) {
    const { match, players, seatCount = 2, opponent, invited } = summary;
    const { accounts, server, transactions } = this.app;
    const board = server.board(match);
    const opening = transactions.list.find(({ opened }) => opened === match);
    return (
      board?.status === "open" &&
      Object.keys(board.players).length === 1 &&
      players.length === 1 &&
      seatCount <= 2 && // in a larger match, players who have joined would lose their seats
      !opponent &&
      !invited &&
      !isStaked(summary) &&
      Boolean(accounts.find(players[0])?.key) &&
      Boolean(server.health?.development) &&
      opening !== undefined &&
      opening.at < this.leftAt &&
      !readList(STAYS_OPEN).includes(this.keyOf(match))
    );
  }

  /** @param {string} match */
  keyOf(match) {
    return `${this.app.server.identity} ${match}`;
  }
}
