/**
 * The page's copy of the state of the server and the chain. It contains the state of the
 * connection, the games, and the boards and events of the matches that the page follows.
 */

import { mergeBySeq } from "../lib/board.js";
import { tabStore } from "../lib/storage.js";
import { OrphanedEvents } from "../history/orphaned-events.js";

/** @import { SessionStore } from "../history/orphaned-events.js" */
/** @import { DataFee } from "../chain/tx/l1-fees.js" */
/** @import { CurrentFees } from "../chain/tx/model.js" */
/** @import { LazyModule } from "../lib/lazy-module.js" */
/** @import { Connection } from "../server/websocket.js" */
/** @import { Block, ChainEvent, GameInfo, Health, Json, Renderer, Tx } from "../types.js" */

/** @type {ChainEvent[]} */
const NONE = [];
/**
 * The page shows trouble with the server only if it lasts longer than this, because a busy chain
 * sometimes falls behind for a moment.
 */
const TROUBLE_MS = 3000;

/**
 * Return a text that identifies a chain. The text also contains the genesis hash, because two
 * development chains can have the same chain ID. @param {Json} chain a `hello` message or a health response
 */
export const identityOf = ({ chainId, genesis }) => `${chainId} ${genesis}`;

/** @param {string} identity the chain's identity from `identityOf`, or "" if it isn't known yet */
export function chainOf(identity) {
  const [chainId, genesis] = identity.split(" ");
  return identity ? { chainId: Number(chainId), genesis } : null;
}

export class ServerState {
  /** @param {Connection} socket @param {SessionStore} [storage] */
  constructor(socket, storage = tabStore()) {
    this.socket = socket;
    /** @type {"connecting"|"live"|"lost"} */
    this.connection = "connecting";
    this.lastHeardAt = Date.now();
    /** The chain's identity, `<chain id> <genesis hash>`, or "" before the server has sent it. */
    this.identity = "";
    /** @type {Health|null} */
    this.health = null;
    /** The time since which the server has reported trouble, or 0 if there is no trouble. */
    this.troubleAt = 0;
    /** @type {Block|null} */
    this.head = null;
    this.headAt = 0;
    /**
     * The maximum fee that transactions offer, in wei per unit of gas, or 0 if it isn't known yet.
     */
    this.fee = 0n;
    /** The price that a unit of gas is likely to cost now, in wei, or 0 if it isn't known yet. */
    this.price = 0n;
    /** The height of the last final block, or -1 if it isn't known yet. */
    this.finalHeight = -1;
    /** The fee that some chains charge for a transaction's data, in addition to gas. @type {DataFee} */
    this.dataFee = { base: 0n, word: 0n };
    /** @type {Map<string, GameInfo>} */
    this.games = new Map();
    /** @type {Map<string, Renderer>} */
    this.renderers = new Map();
    /** @type {Map<string, any>} */
    this.layouts = new Map();
    /** The loaders of the games' renderers and layouts. The key is the game's slug. @type {Map<string, LazyModule<{renderer?: Renderer}>>} */
    this.modules = new Map();
    /** @type {Map<string, ChainEvent[]>} */
    this.feeds = new Map();
    /** @type {Map<string, string>} for each match that the server doesn't have, the server's error text */
    this.missing = new Map();
    /**
     * For each match that the page follows, the number of people who are watching, and whether the
     * match's opener is among them. @type {Map<string, {watchers: number, openerIsHere: boolean}>}
     */
    this.presence = new Map();
    this.orphans = new OrphanedEvents(storage);
  }

  /** @param {Health} health */
  setHealth(health) {
    this.health = health;
    this.troubleAt = health.state === "ok" ? 0 : this.troubleAt || Date.now();
  }

  /**
   * Return the state that the page's header shows. It is the state of the connection or, if the
   * connection is live, the trouble with the chain or the index.
   */
  state() {
    const { health, connection, lastHeardAt, troubleAt } = this;
    if (connection === "lost" && globalThis.navigator?.onLine === false) return "offline";
    const isNew = Date.now() - (connection === "lost" ? lastHeardAt : troubleAt) < TROUBLE_MS;
    if (connection === "connecting" || (connection === "lost" && !isNew)) return connection;
    return health && connection === "live" && troubleAt && !isNew ? health.state : "live";
  }

  /** Set the current fees, from which the page calculates the cost of transactions. @param {CurrentFees} fees @param {DataFee} dataFee */
  setPrice({ maxFeePerGas, maxPriorityFeePerGas, baseFee }, dataFee) {
    Object.assign(this, { fee: maxFeePerGas, price: baseFee + maxPriorityFeePerGas, dataFee });
  }

  /** Set the last final block's height. Ignore a lower height, because final blocks stay final. @param {number} height */
  setFinal(height) {
    this.finalHeight = Math.max(this.finalHeight, height);
  }

  /**
   * If the connection is live, record that the page's state is current. Return true if it is live.
   */
  noteHeard() {
    if (this.connection === "live") this.lastHeardAt = Date.now();
    return this.connection === "live";
  }

  /** @param {string} match */
  board(match) {
    return this.socket.entries.get(match)?.board ?? null;
  }

  /** Return the events in a match's list of moves. @param {string} match */
  events(match) {
    return this.feeds.get(match) ?? NONE;
  }

  /** @param {string} match a match, or a game's slug */
  renderer(match) {
    return this.renderers.get(match.split("/")[0]);
  }

  /** @param {string} match @param {ChainEvent[]} events */
  addEvents(match, events) {
    this.feeds.set(match, mergeBySeq(this.events(match), events));
    this.orphans.dropMined(match, events);
  }

  /** @param {Block} head */
  setHead(head) {
    this.head = head;
    this.headAt = this.lastHeardAt = Date.now();
  }

  /**
   * Estimate the time of the next block, in seconds since 1970. The clock of a chain can be far
   * ahead of this browser's clock, but not far behind.
   */
  now() {
    const elapsed = (Date.now() - this.headAt) / 1000;
    return Math.floor(Math.max(Date.now() / 1000, this.head ? this.head.time + elapsed : 0));
  }

  /**
   * If the server has rejected the request to follow a match, record that the match doesn't exist.
   * When the match's board arrives later, the page removes this record. @param {Json} message the server's error message
   */
  noteMissing({ match, code, detail }) {
    if (code === "unknown-match" && this.socket.entries.get(match) === null) this.missing.set(match, detail);
  }

  /** Return the matches that the page follows but whose board hasn't arrived yet. */
  awaited() {
    return [...this.socket.entries].flatMap(([match, entry]) => (entry === null && match !== "lobby" ? [match] : []));
  }

  /**
   * Return true if a mined transaction's block is newer than the block of the match's latest board. @param {Tx} tx
   */
  isAheadOfBoard({ state, block, match }) {
    const boardHeight = this.socket.entries.get(match)?.block.height ?? 0;
    return state === "mined" && Number(block) > boardHeight && Number(block) >= (this.head?.height ?? 0);
  }

  /** Forget the state of the previous chain. Called when the chain changes. */
  forget() {
    this.health = this.head = null;
    this.socket.forget();
    this.orphans.forget();
    for (const cache of [this.games, this.modules, this.renderers, this.feeds, this.missing, this.presence])
      cache.clear();
  }
}
