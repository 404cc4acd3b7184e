/** Locks and messages between a browser's tabs. A browser can lack or forbid both. */

import { attempt } from "./storage.js";

/** Open a channel to the other tabs. Return null if the browser forbids the channel. @param {string} name @returns {BroadcastChannel|null} */
export const openChannel = (name) => attempt(() => new BroadcastChannel(name));

/** @type {Promise<LockManager|undefined>|undefined} */
let manager;

/** @returns {Promise<LockManager|undefined>} undefined if locks are not available */
export const lockManager = () => (manager ??= findLockManager());

async function findLockManager() {
  try {
    await navigator.locks.query();
    return navigator.locks;
  } catch {
    return undefined;
  }
}

/** The queues by name, for browsers that have no lock manager. @type {Map<string, Promise<any>>} */
const queues = new Map();

/**
 * Run the work once no tab holds its lock. If there is no lock manager, wait only for this tab. @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function withLock(name, work) {
  const locks = await lockManager();
  if (locks) return locks.request(name, work);
  const turn = (queues.get(name) ?? Promise.resolve()).then(work);
  queues.set(
    name,
    turn.catch(() => undefined),
  );
  return turn;
}
