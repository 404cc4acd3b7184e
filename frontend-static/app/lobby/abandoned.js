/**
 * Closes the matches that this browser opened before the player left, unless an opponent might
 * still come. The page closes them when the player returns.
 */

import { isStaked } from "../../games/shared/terms.js";
import { readList, readText, writeJson, writeText } from "../../lib/storage.js";
import { ownRunning } from "./rows.js";

/** @import { AutoMoves } from "../match/auto-moves.js" */
/** @import { Summary, Tx } from "../../types.js" */
/** @typedef {import("./opponents.js").Uses & {autoMoves: AutoMoves}} Uses The parts of the page that this module uses. */

const AWAY_MS = 10 * 60_000;
const SEEN_EVERY_MS = 10_000;
const SEEN = "chainboard.seen";
/**
 * The storage key for the matches that stay open because their link was shared or their host
 * returned.
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

  /** Forget everything when the chain changes. */
  reset() {
    this.closing.clear();
  }

  /** Record from time to time that the page is open. @param {boolean} [leaves] true if the player is leaving the page now */
  noteSeen(leaves = false) {
    if (!leaves && Date.now() - this.seenAt < SEEN_EVERY_MS) return;
    this.seenAt = Date.now();
    writeText(SEEN, String(this.seenAt));
  }

  /** Keep a match open, because its link was shared or its host returned to it. @param {string} match */
  keepOpen(match) {
    const [name, kept] = [this.keyOf(match), readList(STAYS_OPEN)];
    if (kept[0] !== name) writeJson(STAYS_OPEN, [name, ...kept.filter((one) => one !== name)].slice(0, MAX_STAYS_OPEN));
  }

  /** If the page shows the lobby, close the abandoned matches. @param {string} [shown] the match that the player is looking at @param {boolean} [isLobby] */
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
   * player left. The match must be for two players, without a stake and open to anyone, and nobody
   * must have joined. The chain must be a development chain, and the account's key must be in this
   * browser, so that closing the match is free and needs no wallet pop-up. @param {Summary} summary
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
      seatCount <= 2 && // players who have joined a larger match would lose it
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
