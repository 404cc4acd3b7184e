/** The journal of transactions: on the disk, and shared by the tabs of this browser. */

import { getAll, put, remove, update } from "../../lib/indexeddb.js";
import { inTurn, lockManager, openChannel } from "../../lib/tabs.js";
import { isDone, isTracked } from "./states.js";

/** @import { Tx } from "../../types.js" */

const NAME = "chainboard.transactions";
/** Transactions kept of a chain; finished ones beyond that are deleted, the oldest first. */
const KEPT = 300;
/** Where a browser has no locks, who took a transaction on is given so long. */
const ALONE_MS = 60_000;

export class Journal {
  constructor() {
    this.tab = crypto.getRandomValues(new Uint32Array(2)).join("-");
    /** @type {(tx: Tx) => void} what another tab wrote */
    this.onChange = () => undefined;
    this.channel = openChannel(NAME);
    this.channel?.addEventListener("message", ({ data }) => this.onChange(data));
    void this.lock(`tab ${this.tab}`, () => new Promise(() => undefined)); // until the tab goes
  }

  /** All of a chain, the oldest first. @param {string} chain @returns {Promise<Tx[]>} */
  async all(chain) {
    const found = /** @type {Tx[]} */ ((await this.attempt(() => getAll("transactions", chain))) ?? []);
    const sorted = found.sort((a, b) => a.at - b.at || a.id.localeCompare(b.id));
    const old = sorted.slice(0, -KEPT).filter((tx) => isDone(tx.state) && !isTracked(tx));
    for (const { id } of old) void this.attempt(() => remove("transactions", id));
    return sorted.filter((tx) => !old.includes(tx));
  }

  /** A new one. Settles when it is on the disk. @param {Tx} tx */
  async add(tx) {
    await this.attempt(() => put("transactions", tx));
    this.channel?.postMessage(tx);
  }

  /** Changes some of its fields, whoever wrote the others. @param {string} id @param {Partial<Tx>} fields */
  async write(id, fields) {
    const updated = await this.attempt(() => update("transactions", id, (found) => found && { ...found, ...fields }));
    if (updated) this.channel?.postMessage(updated);
  }

  /** Takes a transaction over from a tab that has gone; false when another one did. @param {Tx} tx @returns {Promise<boolean>} */
  async claim({ id, tab }) {
    const updated = await this.attempt(() =>
      update("transactions", id, (found) => (found?.tab === tab ? { ...found, tab: this.tab } : undefined)),
    );
    if (updated) this.channel?.postMessage(updated);
    return Boolean(updated);
  }

  /** Whether the tab that took it on is still there. @param {Tx} tx @returns {Promise<boolean>} */
  async isTabOpen({ tab, at }) {
    if (tab === this.tab) return true;
    const locks = await lockManager();
    if (!locks) return Date.now() - at < ALONE_MS;
    return locks.request(named(`tab ${tab}`), { ifAvailable: true }, (lock) => lock === null);
  }

  /** Waits its turn among all tabs. @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>} */
  lock(name, work) {
    return inTurn(named(name), work);
  }

  /** Does it unless another tab is at it. @param {string} name @param {() => Promise<void>} work */
  async alone(name, work) {
    const locks = await lockManager();
    if (locks) await locks.request(named(name), { ifAvailable: true }, (lock) => (lock ? work() : undefined));
    else await work();
  }

  /** Playing goes on where nothing can be kept. @template T @param {() => Promise<T>} work @returns {Promise<T|undefined>} */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      return undefined;
    }
  }
}

/** @param {string} name */
const named = (name) => `${NAME} ${name}`;
