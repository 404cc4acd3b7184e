/** The journal of this browser's transactions. It is stored on disk, and all tabs share it. */

import { getAll, put, remove, update } from "../../lib/indexeddb.js";
import { lockManager, openChannel, withLock } from "../../lib/tabs.js";
import { isDone, isTracked } from "./states.js";

/** @import { Tx } from "../../types.js" */

const NAME = "chainboard.transactions";
/**
 * The maximum number of stored transactions per chain. If there are more, the oldest finished
 * transactions are deleted.
 */
const MAX_STORED = 300;
/** If the browser has no locks, a transaction's tab counts as closed after this time. */
const CLOSED_AFTER_MS = 60_000;

export class Journal {
  constructor() {
    this.tab = crypto.getRandomValues(new Uint32Array(2)).join("-");
    /** @type {(tx: Tx) => void} called when another tab writes a transaction */
    this.onChange = () => undefined;
    this.channel = openChannel(NAME);
    this.channel?.addEventListener("message", ({ data }) => this.onChange(data));
    void this.lock(`tab ${this.tab}`, () => new Promise(() => undefined)); // this tab holds the lock until it closes
  }

  /** Return all transactions of a chain, oldest first. @param {string} chain @returns {Promise<Tx[]>} */
  async all(chain) {
    const found = /** @type {Tx[]} */ ((await this.attempt(() => getAll("transactions", chain))) ?? []);
    const sorted = found.sort((a, b) => a.at - b.at || a.id.localeCompare(b.id));
    const old = sorted.slice(0, -MAX_STORED).filter((tx) => isDone(tx.state) && !isTracked(tx));
    for (const { id } of old) void this.attempt(() => remove("transactions", id));
    return sorted.filter((tx) => !old.includes(tx));
  }

  /** Add a transaction. The promise settles when the transaction is on disk. @param {Tx} tx */
  async add(tx) {
    await this.attempt(() => put("transactions", tx));
    this.channel?.postMessage(tx);
  }

  /**
   * Change some fields of a transaction. The other fields keep the values that are stored now, even
   * if another tab has changed them. @param {string} id @param {Partial<Tx>} fields
   */
  async write(id, fields) {
    const updated = await this.attempt(() => update("transactions", id, (found) => found && { ...found, ...fields }));
    if (updated) this.channel?.postMessage(updated);
  }

  /** Take over a transaction from a closed tab. Return false if another tab was faster. @param {Tx} tx @returns {Promise<boolean>} */
  async claim({ id, tab }) {
    const updated = await this.attempt(() =>
      update("transactions", id, (found) => (found?.tab === tab ? { ...found, tab: this.tab } : undefined)),
    );
    if (updated) this.channel?.postMessage(updated);
    return Boolean(updated);
  }

  /** Return true if the tab that owns a transaction is still open. @param {Tx} tx @returns {Promise<boolean>} */
  async isTabOpen({ tab, at }) {
    if (tab === this.tab) return true;
    const locks = await lockManager();
    if (!locks) return Date.now() - at < CLOSED_AFTER_MS;
    return locks.request(named(`tab ${tab}`), { ifAvailable: true }, (lock) => lock === null);
  }

  /** Wait for the lock with this name, and run the work while holding it. @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>} */
  lock(name, work) {
    return withLock(named(name), work);
  }

  /** Run the work unless another tab is running it. @param {string} name @param {() => Promise<void>} work */
  async runUnlessBusy(name, work) {
    const locks = await lockManager();
    if (locks) await locks.request(named(name), { ifAvailable: true }, (lock) => (lock ? work() : undefined));
    else await work();
  }

  /**
   * Run a database operation. Return undefined if the database fails, so that the player can
   * continue without storage. @template T @param {() => Promise<T>} work @returns {Promise<T|undefined>}
   */
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
