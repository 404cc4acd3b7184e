/** What the tabs of a browser share: locks and messages. It may have none (at an insecure address), or refuse them as it refuses storage. */

import { attempt } from "./storage.js";

/** Messages to the other tabs; null where the browser refuses them. @param {string} name @returns {BroadcastChannel|null} */
export const openChannel = (name) => attempt(() => new BroadcastChannel(name));

/** @type {Promise<LockManager|undefined>|undefined} */
let manager;

/** @returns {Promise<LockManager|undefined>} undefined where they can't be had */
export const lockManager = () => (manager ??= askBrowser());

async function askBrowser() {
  try {
    await navigator.locks.query();
    return navigator.locks;
  } catch {
    return undefined;
  }
}

/** By name, where there is no lock manager. @type {Map<string, Promise<any>>} */
const queues = new Map();

/** Waits its turn among all tabs; without a lock manager, in this tab. @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>} */
export async function inTurn(name, work) {
  const locks = await lockManager();
  if (locks) return locks.request(name, work);
  const turn = (queues.get(name) ?? Promise.resolve()).then(work);
  queues.set(
    name,
    turn.catch(() => undefined),
  );
  return turn;
}
