/**
 * Finds the matches in which it is the turn of this page's accounts, and plays the sounds of the
 * moves on display.
 */

import { hasEnded } from "../../lib/board.js";
import { FLIGHT_MS, shellsBetween } from "../../layouts/effects/between.js";
import { play } from "../notices/sound.js";
import { running } from "../lobby/rows.js";

/** @import { AutoMoves } from "./auto-moves.js" */
/** @import { Playback } from "../../history/playback.js" */
/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { Entry, Json, Summary } from "../../types.js" */
/** @import { TurnState } from "../notices/turns.js" */
/** @typedef {import("../lobby/rows.js").Uses & {autoMoves: AutoMoves, challenges: {waiting: () => Summary[]}, live: Pick<MatchContext, "renderContext">, playback: Playback}} Uses */

/**
 * The pause between a move and the sound of the first player, and the pause between the sounds of
 * two players, both in seconds.
 */
const [AFTER_MOVE, APART] = [0.15, 0.2];

/** The maximum number of the player's own unlisted matches that the page follows. */
const FOLLOWED = 12;

/**
 * Return an entry for each unfinished match of this page's accounts, and for each challenge to
 * them. In the entry, `mine` is true if it is the turn of one of these accounts. @param {Uses} app @returns {TurnState[]}
 */
export function turnStates(app) {
  const challenges = app.challenges.waiting().map(({ match, game }) => ({ match, game, mine: true, challenges: true }));
  const awaiting = new Set(app.autoMoves.awaitingPlayers().map(({ match }) => match));
  const own = ownRunning(app).map((row) => {
    const { status, mover } = latest(app, row);
    const mine = status === "playing" && Boolean(mover && app.accounts.find(mover));
    return { match: row.match, game: row.game, mine: mine || awaiting.has(row.match) };
  });
  return [...own, ...challenges];
}

/**
 * Return the unfinished matches of this page's accounts that the lobby's list leaves out. The page
 * must follow each of these matches. @param {Uses} app @returns {string[]}
 */
export function unlistedOwn(app) {
  const listed = app.server.board("lobby")?.matches ?? {};
  return ownRunning(app)
    .map(({ match }) => match)
    .filter((match) => !listed[match])
    .slice(0, FOLLOWED);
}

/** @param {Uses} app */
const ownRunning = (app) =>
  app.server.board("lobby")
    ? running(app).filter(({ players }) => players.some((address) => app.accounts.find(address)))
    : [];

/** Return the newer of a match's two states: its entry in the lobby's list or its followed board. @param {Uses} app @param {Summary} row @returns {{status: string, mover?: string}} */
function latest(app, row) {
  const entry = app.server.socket.entries.get(row.match);
  return entry && entry.seq >= row.seq ? /** @type {any} */ (entry.board) : row;
}

/** Play the sounds of a match's latest move, if the page shows the latest board of this match. @param {Uses} app @param {string} match @param {Entry} entry @param {Entry|null} before */
export function sound(app, match, entry, before) {
  const renderer = app.server.renderer(match);
  if (!before || !renderer || match !== app.playback.match || app.playback.playhead) return;
  const [old, now] = [before.board, entry.board];
  const context = { ...app.live.renderContext(match), selected: 0, pending: [] };
  const picture = (/** @type {Json} */ board) => renderer.picture({ ...context, board });
  const shells = shellsBetween(picture(old), picture(now));
  if (shells.length) void play(shells.some(({ hit }) => hit) ? "hit" : "miss", FLIGHT_MS / 1000);
  else if (now.ply !== old.ply && old.status === "playing") void play("knock");
  renderer.voices?.(now, old).forEach((seat, i) => void play(`player-${seat}`, AFTER_MOVE + i * APART));
  if (hasEnded(now) && !hasEnded(old) && app.accounts.find(now.winner)) void play("win", FLIGHT_MS / 1000);
}
