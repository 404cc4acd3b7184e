/**
 * Loads the modules and texts that the page needs before it can draw anything. If loading fails,
 * reloads the page once. If loading fails again, shows an error.
 */

import { attempt } from "../../lib/storage.js";

/**
 * The storage key for the list of versions for which the page has already reloaded itself. Each
 * entry is the page's path, followed by the version.
 */
const RELOADED = "chainboard.reloaded";

/** If the server doesn't answer within this time, it counts as unreachable. */
const ANSWERS_MS = 10_000;

/** Return the address of the page's own script, which contains the page's version. */
export const ownScript = () => document.querySelector('script[type="module"]')?.getAttribute("src") ?? "";

/** Fetch the page's current HTML. Return null if the server reports an error or doesn't answer. */
export const newestPage = () =>
  fetch(location.pathname, { cache: "no-cache", signal: AbortSignal.timeout(ANSWERS_MS) })
    .then((answer) => (answer.ok ? answer.text() : null))
    .catch(() => null);

/** @returns {string[]} */
const reloaded = () => attempt(() => JSON.parse(sessionStorage.getItem(RELOADED) ?? "[]")) ?? [];

/**
 * Record an automatic reload. Return true if the page may reload now. Each version may reload only
 * once, and only if the browser can store the record.
 */
export function mayReload() {
  const own = `${location.pathname} ${ownScript()}`;
  const before = reloaded();
  attempt(() => sessionStorage.setItem(RELOADED, JSON.stringify([...before, own])));
  return !before.includes(own) && reloaded().includes(own);
}

/**
 * Wait for the first modules and texts. If loading fails, reload the page or show the error message
 * in the HTML, and reject the promise. @template T @param {Promise<T>} parts
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
 * Reload the page, but only once per version and only if the server answers. Return true if the
 * page reloads.
 */
async function reloadOnce() {
  const reloads = (await newestPage()) !== null && mayReload();
  if (reloads) location.reload();
  return reloads;
}

/**
 * Reload the page at the same address. The plain link would drop the part of the address after `#`. @param {MouseEvent} event
 */
async function reloadByLink(event) {
  const { target } = event;
  if (!(target instanceof Element && target.closest("a"))) return;
  event.preventDefault();
  if ((await newestPage()) !== null) location.reload();
}
