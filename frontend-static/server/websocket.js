/**
 * The websocket connection to the gateway. If the connection is lost, this module reconnects,
 * follows the same matches again, and requests everything that the page has missed.
 */

import { fromDeltas, fromReset } from "../lib/board.js";
import { siteUrl } from "../lib/site.js";

/** @import { Entry, Json } from "../types.js" */

const TICK_MS = 250;
const PING_MS = 1000;
const SILENCE_MS = 2500;
/**
 * If a timer is late by more than this, the browser has paused the page, for example in a hidden
 * tab. In that case, a long silence doesn't mean that the connection is lost.
 */
const SUSPENDED_AFTER_MS = 1500;
/** The maximum number of accounts that the page names in a `watch` message. */
const MAX_ACCOUNTS = 8;
const BACKOFF_MS = [250, 500, 1000, 2000];

/**
 * @typedef {object} Listener
 * @property {(status: "live"|"lost") => void} status
 * @property {(message: Json) => void} hello
 * @property {(head: {height: number, hash: string, time: number}) => void} head
 * @property {(match: string, entry: Entry, message: Json, before: Entry|null) => void} board called when a match has a new board; `before`: the previous entry, or null
 * @property {(message: Json) => void} [presence] called when the number of a match's watchers has changed
 * @property {(message: Json) => void} [seek] called when the state of the search for an opponent has changed
 * @property {(message: Json) => void} [emote] called when a player has sent an emote
 * @property {(message: Json) => void} error
 * @property {() => string[]} [accounts] returns the player's accounts, which the page names when it follows a match
 */

/** Return the address of the gateway's websocket. */
export const socketUrl = () => siteUrl("ws").replace(/^http/, "ws");

export class Connection {
  /** @param {string} url @param {Listener} listener @param {(url: string) => WebSocket} [open] */
  constructor(url, listener, open = (address) => new WebSocket(address)) {
    this.url = url;
    this.listener = listener;
    this.open = open;
    /** @type {Map<string, Entry|null>} */
    this.entries = new Map();
    /** @type {WebSocket|null} */
    this.socket = null;
    this.greeted = false;
    /** The accounts in the last `watch` message for the lobby, separated by commas. */
    this.claimed = "";
    this.lastHeardAt = 0;
    this.ticked = 0;
    this.pinged = 0;
    this.failures = 0;
    /** @type {ReturnType<typeof setInterval>|undefined} */
    this.ticking = undefined;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.retry = undefined;
  }

  start() {
    this.ticked = Date.now();
    this.connect();
    this.ticking = setInterval(() => this.tick(), TICK_MS);
    globalThis.addEventListener?.("online", () => this.onOnline());
  }

  stop() {
    clearInterval(this.ticking);
    this.ticking = undefined;
    clearTimeout(this.retry);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  /** @param {string} match */
  watch(match) {
    if (this.entries.has(match)) return;
    this.entries.set(match, null);
    this.requestWatch(match);
  }

  /** Follow a match whose board the page has already loaded through the REST API. @param {string} match @param {Json} message @param {Entry} entry */
  adopt(match, message, entry) {
    if (this.entries.has(match)) return;
    this.entries.set(match, null);
    this.setEntry(message, entry);
    this.requestWatch(match);
  }

  /** @param {string} match */
  unwatch(match) {
    if (this.entries.delete(match)) this.send({ t: "unwatch", match });
  }

  /** Forget all boards, but follow the same matches. Called when the chain changes. */
  forget() {
    for (const match of this.entries.keys()) this.entries.set(match, null);
  }

  connect() {
    const socket = this.open(this.url);
    this.socket = socket;
    this.greeted = false;
    this.lastHeardAt = Date.now();
    // An event from an old socket can arrive late. It must not affect the new socket.
    const current = () => this.socket === socket;
    socket.onmessage = ({ data }) => current() && this.receive(JSON.parse(data));
    socket.onclose = () => current() && this.reconnect();
    socket.onerror = () => current() && this.reconnect();
  }

  tick() {
    const now = Date.now();
    if (now - this.ticked > SUSPENDED_AFTER_MS) this.lastHeardAt = Math.max(this.lastHeardAt, now);
    this.ticked = now;
    if (!this.socket) return;
    if (now - this.lastHeardAt > SILENCE_MS) this.reconnect();
    else if (now - this.pinged >= PING_MS) {
      this.pinged = now;
      this.send({ t: "ping" });
    }
  }

  reconnect() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.listener.status("lost");
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.connect(), BACKOFF_MS[Math.min(this.failures++, BACKOFF_MS.length - 1)]);
  }

  /** Reconnect immediately, because the browser is online again. */
  onOnline() {
    if (this.socket || !this.ticking) return;
    clearTimeout(this.retry);
    this.connect();
  }

  /** @param {Json} message */
  send(message) {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(message));
  }

  /**
   * Send a `watch` message for a match. Before the gateway's `hello` message, do nothing. When that
   * message arrives, `onHello` sends the `watch` messages for all matches. @param {string} match
   */
  requestWatch(match) {
    if (!this.greeted) return;
    const entry = this.entries.get(match);
    const since = entry && match !== "lobby" ? { seq: entry.seq, hash: entry.block.hash } : undefined;
    const as = this.accounts();
    if (match === "lobby") this.claimed = as.join();
    this.send({ t: "watch", match, since, as: as.length ? as : undefined });
  }

  accounts() {
    return this.listener.accounts?.().slice(0, MAX_ACCOUNTS) ?? [];
  }

  /** If the player's accounts have changed, send a new `watch` message for the lobby. */
  renewAccounts() {
    if (this.entries.get("lobby") && this.claimed !== this.accounts().join()) this.requestWatch("lobby");
  }

  /** @param {Json} message */
  receive(message) {
    // Before the gateway's `hello` message, the chain isn't known, so ignore all other messages.
    if (!this.greeted && message.t !== "hello") return;
    this.lastHeardAt = Date.now();
    if (message.t === "hello") this.onHello(message);
    else if (message.t === "head")
      this.listener.head({ height: message.height, hash: message.hash, time: message.time });
    else if (message.t === "reset") this.setEntry(message, fromReset(message));
    else if (message.t === "deltas") this.onDeltas(message);
    else if (message.t === "presence") this.listener.presence?.(message);
    else if (message.t === "seek") this.listener.seek?.(message);
    else if (message.t === "emote") this.listener.emote?.(message);
    else if (message.t === "error") this.listener.error(message);
  }

  /** @param {Json} message */
  onHello(message) {
    this.failures = 0;
    this.listener.hello(message);
    this.listener.status("live");
    this.greeted = true;
    for (const match of this.entries.keys()) this.requestWatch(match);
  }

  /** @param {Json} message */
  onDeltas(message) {
    const entry = this.entries.get(message.match);
    if (!entry) return;
    const next = fromDeltas(entry, message);
    if (next) this.setEntry(message, next);
    else this.requestWatch(message.match);
  }

  /** @param {Json} message @param {Entry} entry */
  setEntry(message, entry) {
    if (!this.entries.has(message.match)) return;
    const before = this.entries.get(message.match) ?? null;
    this.entries.set(message.match, entry);
    this.listener.board(message.match, entry, message, before);
  }
}
