/** Functions that wait, retry a task or run a task later. */

const PAUSES_MS = [100, 300, 1000, 2000];
/** The time after which a task runs in browsers that don't report when they are idle. */
const LATER_MS = 200;
const AT_LEAST_AFTER_MS = 2000;

/** @param {number} ms @returns {Promise<void>} */
export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Return the pause before a task is retried, in milliseconds. @param {number} failures 0 after the first failure, 1 after the second */
export const pauseAfter = (failures) => PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)];

/** Run a task. If it fails with a temporary error, wait and run it again. @template T @param {() => Promise<T>} work @param {(error: unknown) => boolean} isTemporary @param {number} [tries] @param {(ms: number) => Promise<void>} [wait] @returns {Promise<T>} */
export async function retry(work, isTemporary, tries = Infinity, wait = sleep) {
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (!isTemporary(error) || failures + 1 >= tries) throw error;
      await wait(pauseAfter(failures));
    }
  }
}

/**
 * Return a function that schedules a task. The task runs once, after the current code has finished.
 * While the task is scheduled, further calls do nothing. @param {() => void} work @returns {() => void}
 */
export function batched(work) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      work();
    }, 0);
  };
}

/** Run a task when the browser is idle. @param {() => void} work */
export function whenIdle(work) {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work, { timeout: AT_LEAST_AFTER_MS });
  else setTimeout(work, LATER_MS);
}
