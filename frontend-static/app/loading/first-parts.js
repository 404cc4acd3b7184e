/**
 * Loads the modules and texts that the page needs before it can draw anything. If loading fails,
 * this module reloads the page once. If it fails again, it shows an error message.
 */

import { attempt } from "../../lib/storage.js";

/**
 * The sessionStorage key for the list of page versions that have reloaded the page automatically.
 * Each entry consists of the page's path and its version.
 */
const RELOADED = "chainboard.reloaded";

/** If the server doesn't answer within this time, the page treats the server as unreachable. */
const ANSWERS_MS = 10_000;

/** Return the address of the page's entry script. The address contains the page's version. */
export const ownScript = () => document.querySelector('script[type="module"]')?.getAttribute("src") ?? "";

/** Fetch the page's current HTML. Return null if the server doesn't answer or reports an error. */
export const newestPage = () =>
  fetch(location.pathname, { cache: "no-cache", signal: AbortSignal.timeout(ANSWERS_MS) })
    .then((answer) => (answer.ok ? answer.text() : null))
    .catch(() => null);

/** @returns {string[]} */
const reloaded = () => attempt(() => JSON.parse(sessionStorage.getItem(RELOADED) ?? "[]")) ?? [];

/**
 * Record that this version is about to reload the page automatically. Return true if the page can
 * reload. Each version may reload the page only once, and only if the browser can store the record.
 */
export function mayReload() {
  const own = `${location.pathname} ${ownScript()}`;
  const before = reloaded();
  attempt(() => sessionStorage.setItem(RELOADED, JSON.stringify([...before, own])));
  return !before.includes(own) && reloaded().includes(own);
}

/**
 * Wait for the first modules and texts. If loading fails, reload the page or show the error message
 * that the HTML contains, and rethrow the error. @template T @param {Promise<T>} parts
 */
export async function loadFirstParts(parts) {
  const note = document.getElementById("not-loaded");
  note?.addEventListener("click", (event) => void reloadByLink(event));
  try {
    return await parts;
  } catch (error) {
    if (!(await reloadOnce()) && note) note.dataset.failed = "";
    throw error;
  }
}

/**
 * Reload the page if the server answers and this version hasn't reloaded the page before. Return
 * true if the page is reloading.
 */
async function reloadOnce() {
  const reloads = (await newestPage()) !== null && mayReload();
  if (reloads) location.reload();
  return reloads;
}

/**
 * Reload the page at the same address. The link in the error message would drop the part after `#`. @param {MouseEvent} event
 */
async function reloadByLink(event) {
  const { target } = event;
  if (!(target instanceof Element && target.closest("a"))) return;
  event.preventDefault();
  if ((await newestPage()) !== null) location.reload();
}
