/** localStorage as JSON; a browser that forbids it (for a page from a disk, say) is no error. */

/** @template T @param {() => T} work @returns {T|null} */
export function attempt(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

const refuse = () => {
  throw new Error("this browser keeps nothing for this page");
};
const REFUSING = { getItem: refuse, setItem: refuse };

/** localStorage; where even its name is forbidden, as in a frame of another site, one that refuses. @returns {Pick<Storage, "getItem"|"setItem">} */
export const browserStore = () => attempt(() => localStorage) ?? REFUSING;

/** For a page or a frame whose storage the browser refuses: it forgets what it is given, without an error. */
export const NOTHING_KEPT = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

/** sessionStorage, which lasts as long as the tab; where it is forbidden, one that keeps nothing. @returns {Pick<Storage, "getItem"|"setItem"|"removeItem">} */
export const tabStore = () => attempt(() => sessionStorage) ?? NOTHING_KEPT;

/** @param {string} key @returns {string|null} */
export const readText = (key) => attempt(() => localStorage.getItem(key));

/** @param {string} key @param {string} text */
export const writeText = (key, text) => attempt(() => localStorage.setItem(key, text));

/** @param {string} key @returns {any} null where there is nothing, or no JSON */
export const readJson = (key) => attempt(() => JSON.parse(localStorage.getItem(key) ?? "null"));

/** @param {string} key @returns {any[]} */
export function readList(key) {
  const found = readJson(key);
  return Array.isArray(found) ? found : [];
}

/** @param {string} key @param {any} value */
export const writeJson = (key, value) => writeText(key, JSON.stringify(value));
