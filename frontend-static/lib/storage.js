/**
 * Reads and writes texts and JSON in localStorage. These functions don't throw if the browser
 * forbids storage, for example for a page that was opened from a file.
 */

/** @template T @param {() => T} work @returns {T|null} */
export function attempt(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

const fail = () => {
  throw new Error("this browser stores no data for this page");
};
const FAILING_STORE = { getItem: fail, setItem: fail };

/**
 * Return localStorage. If the browser forbids storage, for example in a frame on another site,
 * return a store whose functions always throw. @returns {Pick<Storage, "getItem"|"setItem">}
 */
export const browserStore = () => attempt(() => localStorage) ?? FAILING_STORE;

/** A replacement for sessionStorage that stores nothing and never throws. */
export const NULL_STORAGE = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

/** Return sessionStorage. If the browser forbids storage, return NULL_STORAGE. @returns {Pick<Storage, "getItem"|"setItem"|"removeItem">} */
export const tabStore = () => attempt(() => sessionStorage) ?? NULL_STORAGE;

/** @param {string} key @returns {string|null} */
export const readText = (key) => attempt(() => localStorage.getItem(key));

/** @param {string} key @param {string} text */
export const writeText = (key, text) => attempt(() => localStorage.setItem(key, text));

/** @param {string} key @returns {any} the parsed value, or null if there is none or if it isn't valid JSON */
export const readJson = (key) => attempt(() => JSON.parse(localStorage.getItem(key) ?? "null"));

/** @param {string} key @returns {any[]} */
export function readList(key) {
  const found = readJson(key);
  return Array.isArray(found) ? found : [];
}

/** @param {string} key @param {any} value */
export const writeJson = (key, value) => writeText(key, JSON.stringify(value));
