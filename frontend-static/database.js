/** What this browser keeps for good: keys, session links, transactions. Written through to the disk, so that a crash loses nothing. */

import { openDB } from "./vendor/idb.js";

const VERSION = 1;
/** Without this a browser may hold a write back for seconds. https://developer.mozilla.org/docs/Web/API/IDBTransaction/durability */
const THROUGH = /** @type {const} */ ({ durability: "strict" });

/** @typedef {"keys"|"sessions"|"transactions"} Store `keys` by address, `sessions` by key, `transactions` by id. */

/** @type {Promise<import("./vendor/idb.js").IDBPDatabase>|undefined} */
let opened;

const database = () => (opened ??= openDB("chainboard", VERSION, {
  upgrade(fresh) {
    fresh.createObjectStore("keys", { keyPath: "address" });
    fresh.createObjectStore("sessions", { keyPath: "key" });
    fresh.createObjectStore("transactions", { keyPath: "id" }).createIndex("chain", "chain");
  },
}));

/** All that is kept in a store; with `chain`, the transactions of that one. @param {Store} store @param {string} [chain] @returns {Promise<any[]>} */
export async function kept(store, chain) {
  const base = await database();
  return chain === undefined ? base.getAll(store) : base.getAllFromIndex(store, "chain", chain);
}

/** Settles when it is on the disk. @param {Store} store @param {object} value */
export async function keep(store, value) {
  const writing = (await database()).transaction(store, "readwrite", THROUGH);
  await Promise.all([writing.store.put(value), writing.done]);
}

/** @param {Store} store @param {string} key */
export async function drop(store, key) {
  const writing = (await database()).transaction(store, "readwrite", THROUGH);
  await Promise.all([writing.store.delete(key), writing.done]);
}
