/**
 * Closes the open matches that the player left without an opponent, as soon as the player returns
 * to the page. Matches whose link the player has shared stay open.
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
 * The localStorage key for the list of matches that the page never closes, because the player has
 * shared their link or returned to them.
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
     * The time when the player left the page, in milliseconds since 1970, or 0 if the player was
     * away for less than ten minutes.
     */
    this.leftAt = Date.now() - seenAt > AWAY_MS ? seenAt : 0;
    /** For each match that this page closes, the transaction that closes the match. @type {Map<string, Tx>} */
    this.closing = new Map();
  }

  /** Forget the transactions that close matches. Called when the chain changes. */
  reset() {
    this.closing.clear();
  }

  /** Store the current time as the time when the page was last open, every ten seconds at most. @param {boolean} [leaves] true if the player is leaving the page now, so that the time is always stored */
  noteSeen(leaves = false) {
    if (!leaves && Date.now() - this.seenAt < SEEN_EVERY_MS) return;
    this.seenAt = Date.now();
    writeText(SEEN, String(this.seenAt));
  }

  /** Never close this match. Called when the player shares its link or returns to the match. @param {string} match */
  keepOpen(match) {
    const [name, kept] = [this.keyOf(match), readList(STAYS_OPEN)];
    if (kept[0] !== name) writeJson(STAYS_OPEN, [name, ...kept.filter((one) => one !== name)].slice(0, MAX_STAYS_OPEN));
  }

  /**
   * In the lobby, close the abandoned matches. If a match is on display, record that it stays open. @param {string} [shown] the match on display @param {boolean} [isLobby]
   */
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
   * Return true if the page may close a match. The player must have opened the match in this
   * browser before leaving. The match must have two seats and no stake. It must be open to anyone,
   * and nobody may have joined. The chain must be a development chain, so that closing is free. The
   * account's key must be in this browser, so that no wallet asks for a signature. @param {Summary} summary
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
      seatCount <= 2 && // if a larger match were closed, players who have joined would lose their seats
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
