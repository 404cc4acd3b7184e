/** The journal of this browser's transactions. It is stored on disk, and all tabs share it. */

import { getAll, put, remove, update } from "../../lib/indexeddb.js";
import { lockManager, openChannel, withLock } from "../../lib/tabs.js";
import { isDone, isTracked } from "./states.js";

/** @import { Tx } from "../../types.js" */

const NAME = "chainboard.transactions";
/** If a chain has more transactions than this, the journal deletes the oldest finished ones. */
const MAX_STORED = 300;
/** The time after which a transaction's tab counts as closed, if the browser has no locks. */
const CLOSED_AFTER_MS = 60_000;

export class Journal {
  constructor() {
    this.tab = crypto.getRandomValues(new Uint32Array(2)).join("-");
    /** @type {(tx: Tx) => void} called when another tab has written a transaction */
    this.onChange = () => undefined;
    this.channel = openChannel(NAME);
    this.channel?.addEventListener("message", ({ data }) => this.onChange(data));
    void this.lock(`tab ${this.tab}`, () => new Promise(() => undefined)); // the tab holds this lock until it is closed, so that other tabs can find out that it is open
  }

  /**
   * Return a chain's transactions, the oldest first. Delete old transactions if there are too many. @param {string} chain @returns {Promise<Tx[]>}
   */
  async all(chain) {
    const found = /** @type {Tx[]} */ ((await this.attempt(() => getAll("transactions", chain))) ?? []);
    const sorted = found.sort((a, b) => a.at - b.at || a.id.localeCompare(b.id));
    const old = sorted.slice(0, -MAX_STORED).filter((tx) => isDone(tx.state) && !isTracked(tx));
    for (const { id } of old) void this.attempt(() => remove("transactions", id));
    return sorted.filter((tx) => !old.includes(tx));
  }

  /** Add a transaction to the journal. The promise settles when the transaction is on disk. @param {Tx} tx */
  async add(tx) {
    await this.attempt(() => put("transactions", tx));
    this.channel?.postMessage(tx);
  }

  /**
   * Change some of a transaction's fields in the journal. The other fields keep their stored
   * values, which another tab might have changed. @param {string} id @param {Partial<Tx>} fields
   */
  async write(id, fields) {
    const updated = await this.attempt(() => update("transactions", id, (found) => found && { ...found, ...fields }));
    if (updated) this.channel?.postMessage(updated);
  }

  /** Take over a transaction from a tab that is closed. Return false if another tab was faster. @param {Tx} tx @returns {Promise<boolean>} */
  async claim({ id, tab }) {
    const updated = await this.attempt(() =>
      update("transactions", id, (found) => (found?.tab === tab ? { ...found, tab: this.tab } : undefined)),
    );
    if (updated) this.channel?.postMessage(updated);
    return Boolean(updated);
  }

  /** Return true if the tab to which a transaction belongs is still open. @param {Tx} tx @returns {Promise<boolean>} */
  async isTabOpen({ tab, at }) {
    if (tab === this.tab) return true;
    const locks = await lockManager();
    if (!locks) return Date.now() - at < CLOSED_AFTER_MS;
    return locks.request(named(`tab ${tab}`), { ifAvailable: true }, (lock) => lock === null);
  }

  /** Wait for the lock with this name, and hold the lock while the task runs. @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>} */
  lock(name, work) {
    return withLock(named(name), work);
  }

  /** Run a task, unless another tab is running a task under the same name. @param {string} name @param {() => Promise<void>} work */
  async runUnlessBusy(name, work) {
    const locks = await lockManager();
    if (locks) await locks.request(named(name), { ifAvailable: true }, (lock) => (lock ? work() : undefined));
    else await work();
  }

  /** Run a database operation. If the database fails, return undefined, so that the page goes on. @template T @param {() => Promise<T>} work @returns {Promise<T|undefined>} */
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
