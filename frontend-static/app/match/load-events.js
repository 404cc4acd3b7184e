/**
 * Loads a match's events from the server. It loads the latest events again after each `reset`
 * message. It loads earlier events when the player asks for them.
 */

import { mergeBySeq } from "../../lib/board.js";
import { orphanedBy } from "../../history/orphaned-events.js";
import { Problem, get } from "../../server/rest.js";

/** @import { ServerState } from "../server-state.js" */
/** @import { Playback } from "../../history/playback.js" */
/** @import { ChainEvent, Entry, Json } from "../../types.js" */
/** @typedef {{playback: Playback, redraw: () => void, server: ServerState} & {ui: {older: boolean}}} Uses */

const FEED = 300;
const PAGE = 1000;

/**
 * Fetch a match's events again after a `reset` message. If a reorg has removed events that the page
 * knew, store these as orphaned events. @param {Uses} app @param {string} match @param {Json} message @param {Entry|null} before
 */
export async function loadFeed(app, match, { seq, why, common = seq }, before) {
  const old = why === "chain" ? [] : app.server.events(match);
  const after = Math.max(0, Math.min(seq - FEED, common));
  if (why === "reorg" || why === "chain")
    app.server.feeds.set(
      match,
      old.filter((event) => event.seq <= common),
    );
  if (match === app.playback.match && before) app.playback.history?.forget();
  try {
    const events = await eventsAfter(match, after);
    const arrived = app.server.events(match).filter((event) => !old.includes(event));
    const earlier = old.filter((event) => event.seq <= after);
    app.server.feeds.set(match, mergeBySeq([...earlier, ...events], arrived));
    app.server.orphans.add(match, orphanedBy(old, events, after + 1), before?.recentBoards ?? new Map());
    app.server.orphans.dropMined(match, events);
    if (match === app.playback.match) app.playback.onReset(app.server.orphans.of(match));
  } catch (error) {
    if (error instanceof Problem) app.server.missing.set(match, error.message);
  }
  app.redraw();
}

/** Load the events before the earliest event in the list of moves, and add them to the list. @param {Uses} app @param {string} match */
export async function loadOlder(app, match) {
  const [first] = app.server.events(match);
  if (!first || first.seq === 1) return;
  app.ui.older = true;
  const after = Math.max(0, first.seq - 1 - FEED);
  const found = await get(`/matches/${match}/events`, { after, limit: first.seq - 1 - after }).catch(() => null);
  const known = app.server.events(match);
  if (found && known[0] === first) app.server.feeds.set(match, mergeBySeq(found.events, known)); // if the list's first event has changed, a reorg has made the answer outdated
  app.ui.older = false;
  app.redraw();
}

/** @param {string} match @param {number} after @returns {Promise<ChainEvent[]>} the events that follow event number `after`, up to the latest event */
async function eventsAfter(match, after) {
  const { events, next } = await get(`/matches/${match}/events`, { after, limit: PAGE });
  return next === undefined ? events : [...events, ...(await eventsAfter(match, next))];
}
