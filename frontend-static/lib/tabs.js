/** Locks and messages that the browser's tabs share. Some browsers don't support or allow them. */

import { attempt } from "./storage.js";

/** Open a channel for messages to the other tabs. Return null if the browser forbids channels. @param {string} name @returns {BroadcastChannel|null} */
export const openChannel = (name) => attempt(() => new BroadcastChannel(name));

/** @type {Promise<LockManager|undefined>|undefined} */
let manager;

/** @returns {Promise<LockManager|undefined>} the browser's lock manager, or undefined if the browser has no locks */
export const lockManager = () => (manager ??= findLockManager());

async function findLockManager() {
  try {
    await navigator.locks.query();
    return navigator.locks;
  } catch {
    return undefined;
  }
}

/** For browsers without a lock manager, the queue of each lock. The key is the lock's name. @type {Map<string, Promise<any>>} */
const queues = new Map();

/**
 * Wait for a lock that all tabs share, and hold the lock while the task runs. If the browser has no
 * lock manager, the lock only excludes other tasks in this tab. @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>}
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
