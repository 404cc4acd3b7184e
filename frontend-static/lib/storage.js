/** What this browser remembers; one that may remember nothing (a page from a disk, say) is no error. */

/** @template T @param {() => T} work @returns {T|null} */
export function attempt(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

/** @param {string} key @returns {string|null} */
export const recallText = (key) => attempt(() => localStorage.getItem(key));

/** @param {string} key @param {string} text */
export const keepText = (key, text) => attempt(() => localStorage.setItem(key, text));

/** @param {string} key @returns {any} null where there is nothing, or no JSON */
export const recall = (key) => attempt(() => JSON.parse(localStorage.getItem(key) ?? "null"));

/** @param {string} key @returns {any[]} */
export function recallList(key) {
  const found = recall(key);
  return Array.isArray(found) ? found : [];
}

/** @param {string} key @param {any} value */
export const keep = (key, value) => keepText(key, JSON.stringify(value));
