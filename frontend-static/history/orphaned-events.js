/**
 * The orphaned events: events that this page has seen and that a reorg has removed from the chain.
 * The page stores them because the index no longer contains them.
 */

import { attempt } from "../lib/storage.js";

/** @import { ChainEvent, Json, OrphanedEvent } from "../types.js" */

const STORAGE_KEY = "chainboard.ghosts";
const MAX_EVENTS = 64;
/**
 * The maximum number of stored characters, because browsers limit a page's storage. Above this
 * limit, the page drops the boards of the oldest events.
 */
const ROOM = 1_000_000;
/** @type {OrphanedEvent[]} */
const NONE = [];

/** @typedef {Pick<Storage, "getItem"|"setItem"|"removeItem">} SessionStore */

/** Return the events in `before` whose transactions the chain no longer contains. @param {ChainEvent[]} before the events that the page knew @param {ChainEvent[]} now the chain's events, starting at number `from` @param {number} from */
export function orphanedBy(before, now, from) {
  const there = new Set(now.map(({ tx }) => tx));
  return before.filter(({ seq, tx }) => seq >= from && !there.has(tx));
}

export class OrphanedEvents {
  /** @param {SessionStore} storage */
  constructor(storage) {
    this.storage = storage;
    this.chain = "";
    /** The orphaned events of all matches, the latest at the end. @type {OrphanedEvent[]} */
    this.all = [];
    /**
     * The orphaned events of each match. The list object of a match stays the same until the
     * match's orphaned events change.
     * @type {Map<string, OrphanedEvent[]>}
     */
    this.lists = new Map();
  }

  /**
   * Restore the orphaned events that this tab stored on an earlier visit, unless the chain has been
   * replaced.
   * @param {string} chain
   */
  restore(chain) {
    if (this.chain === chain) return;
    this.chain = chain;
    const stored = attempt(() => JSON.parse(this.storage.getItem(STORAGE_KEY) ?? "null"));
    this.set(stored?.chain === chain && Array.isArray(stored.ghosts) ? stored.ghosts : []);
  }

  /** Drop all events, because the node is on a new chain. */
  forget() {
    this.chain = "";
    this.set([]);
    attempt(() => this.storage.removeItem(STORAGE_KEY));
  }

  /** @param {string} match @returns {OrphanedEvent[]} in `seq` order */
  of(match) {
    return this.lists.get(match) ?? NONE;
  }

  /** @param {string} match @param {ChainEvent[]} events events that a reorg removed @param {Map<number, Json>} boards the boards after these events */
  add(match, events, boards) {
    const fresh = events.filter(({ hash, seq }) => !this.of(match).some((one) => one.hash === hash && one.seq === seq));
    if (fresh.length === 0) return;
    this.set(
      [...this.all, ...fresh.map((event) => ({ ...event, match, board: boards.get(event.seq) }))].slice(-MAX_EVENTS),
    );
    this.write();
  }

  /** Drop the orphaned events whose transactions have been mined again. @param {string} match @param {ChainEvent[]} events the chain's events */
  dropMined(match, events) {
    if (this.of(match).length === 0) return;
    const there = new Set(events.map(({ tx }) => tx));
    const remaining = this.all.filter((one) => one.match !== match || !there.has(one.tx));
    if (remaining.length === this.all.length) return;
    this.set(remaining);
    this.write();
  }

  /** @param {OrphanedEvent[]} all */
  set(all) {
    this.all = all;
    this.lists.clear();
    for (const orphan of all)
      this.lists.set(
        orphan.match,
        [...this.of(orphan.match), orphan].sort((a, b) => a.seq - b.seq),
      );
  }

  write() {
    let remaining = ROOM;
    const stored = this.all.toReversed().map((orphan) => {
      remaining -= JSON.stringify(orphan).length;
      return remaining > 0 ? orphan : { ...orphan, board: undefined };
    });
    attempt(() =>
      this.storage.setItem(STORAGE_KEY, JSON.stringify({ chain: this.chain, ghosts: stored.toReversed() })),
    );
  }
}
