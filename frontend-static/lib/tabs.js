/** Locks and messages between a browser's tabs. Some browsers don't have or allow them. */

import { attempt } from "./storage.js";

/** Open a channel to the other tabs. Return null if the browser forbids it. @param {string} name @returns {BroadcastChannel|null} */
export const openChannel = (name) => attempt(() => new BroadcastChannel(name));

/** @type {Promise<LockManager|undefined>|undefined} */
let manager;

/** @returns {Promise<LockManager|undefined>} undefined if the browser has no locks */
export const lockManager = () => (manager ??= findLockManager());

async function findLockManager() {
  try {
    await navigator.locks.query();
    return navigator.locks;
  } catch {
    return undefined;
  }
}

/** The queue for each lock's name, for browsers that have no lock manager. @type {Map<string, Promise<any>>} */
const queues = new Map();

/**
 * Wait for a lock that all tabs share, and run the work while holding it. If the browser has no
 * lock manager, the lock excludes only this tab's other work. @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>}
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
