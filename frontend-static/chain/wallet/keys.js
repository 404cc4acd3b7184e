/** The keys that are stored in this browser. A key is on disk before its account sends anything. */

import { openChannel, withLock } from "../../lib/tabs.js";
import { attempt, readList } from "../../lib/storage.js";
import { randomHex } from "../../lib/ethereum/bytes.js";
import { addressOf } from "./signer.js";
import { getAll, put } from "../../lib/indexeddb.js";

/** @import { Account } from "../../types.js" */
/** @typedef {{address: string, key: string, name: string, made: number, backedUp: boolean}} StoredKey A key that is stored in this browser. `made`: the time when the key was created or imported, in milliseconds since 1970. */

/**
 * The name of the lock and of the channel that the tabs share. Older versions also stored the keys
 * under this name in localStorage.
 */
const NAME = "chainboard.keys";
const KEY = /^0x[0-9a-f]{64}$/;

export class Keys {
  constructor() {
    /** @type {StoredKey[]} the keys, the oldest first */
    this.list = [];
    /** False if the browser can't store keys. The keys are then lost when this tab is closed. */
    this.isPersistent = true;
  }

  /**
   * Read the stored keys. If there are none, create a first key. Only one tab at a time does this.
   */
  async open() {
    await withLock(NAME, async () => {
      await this.read();
      for (const key of oldKeys()) await this.add(key);
      if (this.isPersistent) attempt(() => localStorage.removeItem(NAME));
      if (this.list.length === 0) await this.make();
    });
    return this;
  }

  async read() {
    try {
      const found = /** @type {StoredKey[]} */ (await getAll("keys"));
      this.list = found.sort((a, b) => a.made - b.made || a.address.localeCompare(b.address));
    } catch {
      this.isPersistent = false;
    }
  }

  /** @returns {Promise<StoredKey>} the new key, which is already stored on disk */
  make() {
    return this.add(randomHex(32));
  }

  /** @param {string} key 32 bytes as 0x hex @param {Partial<StoredKey>} [more] @returns {Promise<StoredKey>} the stored key */
  async add(key, more = {}) {
    const address = addressOf(key);
    const known = this.find(address);
    if (known) return known;
    const made = Math.max(Date.now(), (this.list.at(-1)?.made ?? 0) + 1); // if two keys are created in the same millisecond, they keep their order
    const one = { address, key, name: "", made, backedUp: false, ...more };
    await this.write(one);
    this.list.push(one);
    return one;
  }

  /** @param {string} address */
  find(address) {
    return this.list.find((one) => one.address === address);
  }

  /** @param {string} address @param {Partial<Pick<StoredKey, "name"|"backedUp">>} more */
  async change(address, more) {
    const one = this.find(address);
    if (one) await this.write(Object.assign(one, more));
  }

  /** @param {StoredKey} one */
  async write(one) {
    await put("keys", one).catch(() => {
      this.isPersistent = false;
    });
    this.announce();
  }

  /** Notify the other tabs that the stored keys have changed. */
  announce() {
    channel?.postMessage("");
  }

  /** Call `changed` whenever another tab has changed the stored keys. @param {() => void} changed */
  onChange(changed) {
    channel?.addEventListener("message", () => void this.read().then(changed));
  }

  /** @returns {Account[]} */
  accounts() {
    return this.list.map(({ address, key, name, backedUp }, i) => ({
      address,
      kind: "browser",
      name: String(i + 1),
      givenName: name,
      key,
      backedUp,
    }));
  }
}

const channel = globalThis.window ? openChannel(NAME) : null;

/** @returns {string[]} */
const oldKeys = () => readList(NAME).filter((key) => KEY.test(key));
