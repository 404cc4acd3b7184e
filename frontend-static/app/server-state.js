/** State from the server and the chain: the connection's state, the games, the boards and events of the watched matches. */

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
/** Trouble that passes sooner is not told: a chain that is busy catches up every now and then. */
const TROUBLE_MS = 3000;

/** Identifies a chain: two development chains may have the same id. @param {Json} chain a hello or health */
export const identityOf = ({ chainId, genesis }) => `${chainId} ${genesis}`;

/** @param {string} identity "" before the server has told it */
export function chainOf(identity) {
  const [chainId, genesis] = identity.split(" ");
  return identity ? { chainId: Number(chainId), genesis } : null;
}

export class ServerState {
  /** @param {Connection} socket @param {SessionStore} [storage] */
  constructor(socket, storage = tabStore()) {
    this.socket = socket;
    /** @type {"connecting"|"live"|"lost"} */
    this.line = "connecting";
    this.lastHeardAt = Date.now();
    /** `<chain id> <genesis hash>` of the chain that this state is of; "" until the server sent it. */
    this.identity = "";
    /** @type {Health|null} */
    this.health = null;
    /** Since when the server says that something is wrong; 0: nothing is. */
    this.troubleAt = 0;
    /** @type {Block|null} */
    this.head = null;
    this.headAt = 0;
    /** The most that a unit of gas would be offered now, in wei; 0 until it is known. */
    this.fee = 0n;
    /** What a unit of gas is likely to cost now, in wei; 0 until it is known. */
    this.price = 0n;
    /** Up to here blocks are final; -1 until it is known. */
    this.finalHeight = -1;
    /** What the chain takes for the data of a call. @type {DataFee} */
    this.dataFee = { base: 0n, word: 0n };
    /** @type {Map<string, GameInfo>} */
    this.games = new Map();
    /** @type {Map<string, Renderer>} */
    this.renderers = new Map();
    /** @type {Map<string, any>} */
    this.layouts = new Map();
    /** What loads a game's renderer and layout, by its slug. @type {Map<string, LazyModule<{renderer?: Renderer}>>} */
    this.modules = new Map();
    /** @type {Map<string, ChainEvent[]>} */
    this.feeds = new Map();
    /** @type {Map<string, string>} matches that the server refused to show, and why */
    this.missing = new Map();
    /** Who looks on, of the matches that are watched. @type {Map<string, {watchers: number, openerIsHere: boolean}>} */
    this.presence = new Map();
    this.orphans = new OrphanedEvents(storage);
  }

  /** @param {Health} health */
  setHealth(health) {
    this.health = health;
    this.troubleAt = health.state === "ok" ? 0 : this.troubleAt || Date.now();
  }

  /** What the header shows: the state of the line, or what is wrong with the chain or the index. */
  state() {
    const { health, line, lastHeardAt, troubleAt } = this;
    if (line === "lost" && globalThis.navigator?.onLine === false) return "offline";
    const isNew = Date.now() - (line === "lost" ? lastHeardAt : troubleAt) < TROUBLE_MS;
    if (line === "connecting" || (line === "lost" && !isNew)) return line;
    return health && line === "live" && troubleAt && !isNew ? health.state : "live";
  }

  /** What transactions cost now. @param {CurrentFees} fees @param {DataFee} dataFee */
  setPrice({ maxFeePerGas, maxPriorityFeePerGas, baseFee }, dataFee) {
    Object.assign(this, { fee: maxFeePerGas, price: baseFee + maxPriorityFeePerGas, dataFee });
  }

  /** Up to which block nothing is taken back: what was final stays so. @param {number} height */
  setFinal(height) {
    this.finalHeight = Math.max(this.finalHeight, height);
  }

  /** Notes that what it says is of now, where its line is live; returns whether it is. */
  noteHeard() {
    if (this.line === "live") this.lastHeardAt = Date.now();
    return this.line === "live";
  }

  /** @param {string} match */
  board(match) {
    return this.socket.entries.get(match)?.board ?? null;
  }

  /** Those that the list of moves shows. @param {string} match */
  events(match) {
    return this.feeds.get(match) ?? NONE;
  }

  /** @param {string} match or a game */
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

  /** Seconds since 1970 as the next block will count them: a chain's time may be ahead of ours, never much behind. */
  now() {
    const elapsed = (Date.now() - this.headAt) / 1000;
    return Math.floor(Math.max(Date.now() / 1000, this.head ? this.head.time + elapsed : 0));
  }

  /** Notes that a match is not there whose watch was refused; a board that comes after all takes the note back. @param {Json} message an error */
  noteMissing({ match, code, detail }) {
    if (code === "unknown-match" && this.socket.entries.get(match) === null) this.missing.set(match, detail);
  }

  /** Matches that are watched, without a board yet. */
  awaited() {
    return [...this.socket.entries].flatMap(([match, entry]) => (entry === null && match !== "lobby" ? [match] : []));
  }

  /** True when a transaction is in a block above the board's: the next move meets another board than the one drawn. @param {Tx} tx */
  isAheadOfBoard({ state, block, match }) {
    const boardHeight = this.socket.entries.get(match)?.block.height ?? 0;
    return state === "mined" && Number(block) > boardHeight && Number(block) >= (this.head?.height ?? 0);
  }

  /** What it says of the former chain. */
  forget() {
    this.health = this.head = null;
    this.socket.forget();
    this.orphans.forget();
    for (const cache of [this.games, this.modules, this.renderers, this.feeds, this.missing, this.presence])
      cache.clear();
  }
}
