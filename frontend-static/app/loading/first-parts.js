/**
 * Loads the parts that every drawing needs. If loading fails, reloads the page once. If it fails
 * again, shows an error.
 */

import { attempt } from "../../lib/storage.js";

/**
 * The storage key for the list of page versions that have reloaded by themselves. Each entry is the
 * page's path, followed by the version.
 */
const RELOADED = "chainboard.reloaded";

/** The timeout after which the server counts as unreachable. */
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
 * Record that the page reloads by itself. Return true if the page may reload: once per version, and
 * only if the browser can store the record.
 */
export function mayReload() {
  const own = `${location.pathname} ${ownScript()}`;
  const before = reloaded();
  attempt(() => sessionStorage.setItem(RELOADED, JSON.stringify([...before, own])));
  return !before.includes(own) && reloaded().includes(own);
}

/**
 * Wait for the first parts. If loading fails, reload the page or show the error that is in the
 * HTML, and reject. @template T @param {Promise<T>} parts
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
 * Reload the page without losing the part of the address after `#`, which the plain link would
 * drop. @param {MouseEvent} event
 */
async function reloadByLink(event) {
  const { target } = event;
  if (!(target instanceof Element && target.closest("a"))) return;
  event.preventDefault();
  if ((await newestPage()) !== null) location.reload();
}
