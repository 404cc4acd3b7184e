/**
 * The sources of a match's events and boards: a server, which sends chunks of the match, or a file,
 * which contains the whole match.
 */

import { applyPatch } from "../lib/board.js";
import { LruMap } from "../lib/lru-map.js";
import { Copies } from "./bounds.js";
import { get } from "../server/rest.js";

/** @import { ChainEvent, Entry, HistorySource, Json } from "../types.js" */

/** The number of events per chunk, and the maximum number of cached chunks. */
const CHUNK = 250;
const MAX_CACHED = 8;

/** @typedef {{events: ChainEvent[], boards: Json[]}} HistoryChunk The events of a chunk, starting at number `index * CHUNK + 1`, and the board after each of these events. */
/** @typedef {{entry: () => Entry|null, feed: () => ChainEvent[]}} LiveMatch The latest data that the page has received about a match. */

/** @param {number} seq */
const indexOf = (seq) => Math.floor((seq - 1) / CHUNK);

/** Return the event with the number `seq` from a list of consecutive events. @param {ChainEvent[]|undefined} events @param {number} seq */
function numbered(events, seq) {
  const found = events?.[seq - events[0]?.seq];
  return found?.seq === seq ? found : undefined;
}

/** @implements {HistorySource} */
export class ServerHistory {
  /** @param {string} match @param {LiveMatch} live */
  constructor(match, live) {
    this.match = match;
    this.live = live;
    /** @type {LruMap<number, HistoryChunk>} */
    this.chunks = new LruMap(MAX_CACHED);
    /**
     * The number of calls to `forget`. If it has changed since a request, the answer to that
     * request is discarded.
     */
    this.generation = 0;
    /** @type {{key: string, events: ChainEvent[]}} */
    this.cachedRange = { key: "", events: [] };
  }

  last() {
    return this.live.entry()?.seq ?? 0;
  }

  /** @param {number} seq */
  event(seq) {
    return numbered(this.live.feed(), seq) ?? numbered(this.chunks.get(indexOf(seq))?.events, seq);
  }

  /** @param {number} seq @returns {Json|undefined} */
  board(seq) {
    return this.live.entry()?.recentBoards.get(seq) ?? this.chunks.get(indexOf(seq))?.boards[(seq - 1) % CHUNK];
  }

  /** @param {number} seq @returns {Promise<void>} */
  async load(seq) {
    if (this.event(seq) && this.board(seq)) return;
    const [index, generation] = [indexOf(seq), this.generation];
    const first = index * CHUNK + 1;
    const path = `/matches/${this.match}`;
    const [{ events }, { board }, { deltas }] = await Promise.all([
      get(`${path}/events`, { after: first - 1, limit: CHUNK }),
      get(path, { seq: first }),
      get(`${path}/deltas`, { after: first, limit: CHUNK - 1 }),
    ]);
    if (generation !== this.generation) return this.load(seq);
    this.chunks.set(index, { events, boards: boardsOf(board, deltas) });
  }

  /**
   * Return the known events around an event. Until the cached chunks change, the function returns
   * the same list object, so that callers can compare lists by identity.
   * @param {number} seq
   */
  eventsAround(seq) {
    const index = indexOf(seq);
    const feed = this.live.feed();
    if (numbered(feed, seq)) return feed;
    const there = [index - 1, index, index + 1].filter((one) => this.chunks.has(one));
    const parts = there.map((one) => /** @type {HistoryChunk} */ (this.chunks.get(one)).events);
    const key = there.map((one, i) => `${one}:${parts[i].length}`).join();
    if (this.cachedRange.key !== key) this.cachedRange = { key, events: parts.flat() };
    return this.cachedRange.events;
  }

  /** Drop all cached events, because they can be wrong after a reorg or on a new chain. */
  forget() {
    this.chunks.clear();
    this.cachedRange = { key: "", events: [] };
    this.generation += 1;
  }
}

/** @param {Json} first @param {{patch: Json}[]} deltas @returns {Json[]} */
function boardsOf(first, deltas) {
  const boards = [first];
  for (const { patch } of deltas) boards.push(applyPatch(boards.at(-1), patch));
  return boards;
}

/** @typedef {ChainEvent & {patch: Json}} Patched */

/**
 * A match that is known completely. It stores the board before each chunk, and computes all other
 * boards from the patches.
 * @implements {HistorySource}
 */
export class FileHistory {
  /** Apply all patches to the start board. Throws RangeError if they would copy too much. @param {Json} start the board before the first event @param {Patched[]} events */
  constructor(start, events) {
    this.events = events;
    /** For each chunk, the board before the chunk's first event. @type {Json[]} */
    this.starts = [];
    this.end = start;
    const copies = new Copies();
    for (const [i, { patch }] of events.entries()) {
      if (i % CHUNK === 0) this.starts.push(this.end);
      copies.count(this.end, patch);
      this.end = applyPatch(this.end, patch);
    }
    /** @type {LruMap<number, Json[]>} */
    this.cache = new LruMap(MAX_CACHED);
    /** @type {{index: number, events: ChainEvent[]}} */
    this.cachedRange = { index: -1, events: [] };
  }

  last() {
    return this.events.length;
  }

  /** @param {number} seq @returns {ChainEvent|undefined} */
  event(seq) {
    return this.events[seq - 1];
  }

  /** @param {number} seq @returns {Json|undefined} */
  board(seq) {
    if (!this.event(seq)) return undefined;
    const index = indexOf(seq);
    const boards =
      this.cache.get(index) ??
      boardsOf(this.starts[index], this.events.slice(index * CHUNK, (index + 1) * CHUNK)).slice(1);
    this.cache.set(index, boards);
    return boards[(seq - 1) % CHUNK];
  }

  async load() {}

  forget() {}

  /** @param {number} seq */
  eventsAround(seq) {
    const index = indexOf(seq);
    if (this.cachedRange.index !== index)
      this.cachedRange = { index, events: this.events.slice(Math.max(0, (index - 1) * CHUNK), (index + 2) * CHUNK) };
    return this.cachedRange.events;
  }
}
