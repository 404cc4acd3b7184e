/** The browser's database of keys, session keys and transactions. Each write is flushed to disk. */

import { openDB } from "idb";

const VERSION = 1;
/** https://developer.mozilla.org/docs/Web/API/IDBTransaction/durability */
const THROUGH = /** @type {const} */ ({ durability: "strict" });

/** @typedef {"keys"|"sessions"|"transactions"} StoreName The name of a store. The store `keys` is indexed by address, `sessions` by key, and `transactions` by ID. */

/** @type {Promise<import("idb").IDBPDatabase>|undefined} */
let opened;

const database = () =>
  (opened ??= openDB("chainboard", VERSION, {
    upgrade(fresh) {
      fresh.createObjectStore("keys", { keyPath: "address" });
      fresh.createObjectStore("sessions", { keyPath: "key" });
      fresh.createObjectStore("transactions", { keyPath: "id" }).createIndex("chain", "chain");
    },
  }));

/**
 * Return all records in a store. If `chain` is set, the store must be `transactions`, and only the
 * transactions on this chain are returned. @param {StoreName} store @param {string} [chain] @returns {Promise<any[]>}
 */
export async function getAll(store, chain) {
  const base = await database();
  return chain === undefined ? base.getAll(store) : base.getAllFromIndex(store, "chain", chain);
}

/** Add or replace a record. The promise settles when the record is on disk. @param {StoreName} store @param {object} value */
export const put = (store, value) => write(store, (open) => open.put(value));

/**
 * Read a record and write it again in a single database transaction, so that no other tab can
 * change the record in between. @param {StoreName} store @param {string} key @param {(found: any) => any} next takes the stored record, and returns the new record. If it returns undefined, nothing is written @returns {Promise<any>} the record that was written, or undefined if none was written
 */
export async function update(store, key, next) {
  let value;
  await write(store, async (open) => {
    value = next(await open.get(key));
    if (value !== undefined) await open.put(value);
  });
  return value;
}

/** @param {StoreName} store @param {string} key */
export const remove = (store, key) => write(store, (open) => open.delete(key));

/** @param {StoreName} store @param {(open: any) => Promise<any>} work */
async function write(store, work) {
  const writing = (await database()).transaction(store, "readwrite", THROUGH);
  await Promise.all([work(writing.store), writing.done]);
}
