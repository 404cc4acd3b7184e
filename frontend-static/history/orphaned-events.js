/** Moves that this page saw and a reorg took back: kept by the page, over reloads too, as no index knows them any more. */

/** @import { ChainEvent, Ghost, Json } from "../types.js" */

const PLACE = "chainboard.ghosts";
const MOST = 64;
/** What a browser keeps for a page is little: beyond this many characters the oldest go without their boards. */
const ROOM = 1_000_000;
/** @type {Ghost[]} */
const NONE = [];

/** @typedef {Pick<Storage, "getItem"|"setItem"|"removeItem">} Keeper */

/**
 * Those events of `before` whose transaction is not in the match any more. In another block it is the same move.
 * @param {ChainEvent[]} before as the page knew them @param {ChainEvent[]} now as the chain has them from `from` on @param {number} from
 */
export function takenBack(before, now, from) {
  const there = new Set(now.map(({ tx }) => tx));
  return before.filter(({ seq, tx }) => seq >= from && !there.has(tx));
}

export class Ghosts {
  /** @param {Keeper} keeper */
  constructor(keeper) {
    this.keeper = keeper;
    this.chain = "";
    /** The newest last. @type {Ghost[]} */
    this.all = [];
    /** A list stays the same one while nothing in it changes. @type {Map<string, Ghost[]>} */
    this.lists = new Map();
  }

  /** What an earlier visit of this tab saw, if it was this chain. @param {string} chain */
  recall(chain) {
    if (this.chain === chain) return;
    this.chain = chain;
    this.set(read(this.keeper, chain));
  }

  /** Another chain has none of it. */
  forget() {
    this.chain = "";
    this.set([]);
    attempt(() => this.keeper.removeItem(PLACE));
  }

  /** @param {string} match @returns {Ghost[]} in the order of their numbers */
  of(match) {
    return this.lists.get(match) ?? NONE;
  }

  /** @param {string} match @param {ChainEvent[]} events that a reorg took back @param {Map<number, Json>} boards after them */
  add(match, events, boards) {
    const fresh = events.filter(({ hash, seq }) => !this.of(match).some((one) => one.hash === hash && one.seq === seq));
    if (fresh.length === 0) return;
    this.set([...this.all, ...fresh.map((event) => ({ ...event, match, board: boards.get(event.seq) }))].slice(-MOST));
    this.write();
  }

  /** A transaction that is in a block again is the move it was. @param {string} match @param {ChainEvent[]} events as the chain has them */
  settle(match, events) {
    if (this.of(match).length === 0) return;
    const there = new Set(events.map(({ tx }) => tx));
    const left = this.all.filter((one) => one.match !== match || !there.has(one.tx));
    if (left.length === this.all.length) return;
    this.set(left);
    this.write();
  }

  /** @param {Ghost[]} all */
  set(all) {
    this.all = all;
    this.lists.clear();
    for (const ghost of all) this.lists.set(ghost.match, [...this.of(ghost.match), ghost].sort((a, b) => a.seq - b.seq));
  }

  write() {
    let left = ROOM;
    const kept = this.all.toReversed().map((ghost) => {
      left -= JSON.stringify(ghost).length;
      return left > 0 ? ghost : { ...ghost, board: undefined };
    });
    attempt(() => this.keeper.setItem(PLACE, JSON.stringify({ chain: this.chain, ghosts: kept.toReversed() })));
  }
}

/** @param {Keeper} keeper @param {string} chain @returns {Ghost[]} */
function read(keeper, chain) {
  const kept = attempt(() => JSON.parse(keeper.getItem(PLACE) ?? "null"));
  return kept?.chain === chain && Array.isArray(kept.ghosts) ? kept.ghosts : [];
}

/** A browser may keep nothing for a page. @template T @param {() => T} work @returns {T|undefined} */
function attempt(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
