/** Where one's own matches stand, and how a match that is looked at sounds. */

import { hasEnded } from "../../lib/board.js";
import { FLIGHT_MS, shellsBetween } from "../../layouts/effects/between.js";
import { play } from "../notices/sound.js";
import { running } from "../lobby/rows.js";

/** @import { AutoMoves } from "./auto-moves.js" */
/** @import { Playback } from "../../history/playback.js" */
/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { Entry, Json, Summary } from "../../types.js" */
/** @import { TurnState } from "../notices/turns.js" */
/** @typedef {import("../lobby/rows.js").Needs & {autoMoves: AutoMoves, challenges: {waiting: () => Summary[]}, live: Pick<MatchContext, "renderContext">, playback: Playback}} Needs What it uses of the page. */

/** The sound of a player comes after that of the move, and of several one after the other, in seconds. */
const [AFTER_MOVE, APART] = [0.15, 0.2];

/** Of how many matches that the lobby does not list the boards are followed. */
const FOLLOWED = 12;

/** One's own matches that are not over, and those to which one is challenged. @param {Needs} app @returns {TurnState[]} */
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

/** Those of one's own that the lobby does not tell of: they are watched by themselves. @param {Needs} app @returns {string[]} */
export function unlistedOwn(app) {
  const listed = app.server.board("lobby")?.matches ?? {};
  return ownRunning(app)
    .map(({ match }) => match)
    .filter((match) => !listed[match])
    .slice(0, FOLLOWED);
}

/** @param {Needs} app */
const ownRunning = (app) =>
  app.server.board("lobby")
    ? running(app).filter(({ players }) => players.some((address) => app.accounts.find(address)))
    : [];

/** Of a list's row and the board that is watched, what is newer. @param {Needs} app @param {Summary} row @returns {{status: string, mover?: string}} */
function latest(app, row) {
  const entry = app.server.socket.entries.get(row.match);
  return entry && entry.seq >= row.seq ? /** @type {any} */ (entry.board) : row;
}

/** A move sounds while one looks at its match, never while one looks back. @param {Needs} app @param {string} match @param {Entry} entry @param {Entry|null} before */
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
