/** Loads the parts that every drawing needs. Reloads once on failure, then shows an error. */

import { attempt } from "../../lib/storage.js";

/** Storage key: the page versions that have reloaded by themselves, each after the page's path. */
const RELOADED = "chainboard.reloaded";

/** The time-out after which the server counts as unreachable. */
const ANSWERS_MS = 10_000;

/** Return the address of the page's own script, which names its version. */
export const ownScript = () => document.querySelector('script[type="module"]')?.getAttribute("src") ?? "";

/** Fetch the page's current HTML; null if the server reports an error or doesn't answer. */
export const newestPage = () =>
  fetch(location.pathname, { cache: "no-cache", signal: AbortSignal.timeout(ANSWERS_MS) })
    .then((answer) => (answer.ok ? answer.text() : null))
    .catch(() => null);

/** @returns {string[]} */
const reloaded = () => attempt(() => JSON.parse(sessionStorage.getItem(RELOADED) ?? "[]")) ?? [];

/** True if the page may reload by itself: once per version, if the browser can record it. */
export function mayReload() {
  const own = `${location.pathname} ${ownScript()}`;
  const before = reloaded();
  attempt(() => sessionStorage.setItem(RELOADED, JSON.stringify([...before, own])));
  return !before.includes(own) && reloaded().includes(own);
}

/** Wait for the first parts. On failure, reload the page or show the error in the HTML, and reject. @template T @param {Promise<T>} parts */
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

/** Reload, once per version and only if the server answers. Return true if it reloads. */
async function reloadOnce() {
  const reloads = (await newestPage()) !== null && mayReload();
  if (reloads) location.reload();
  return reloads;
}

/** Reload, and keep the part of the address after `#`, which the plain link would drop. @param {MouseEvent} event */
async function reloadByLink(event) {
  const { target } = event;
  if (!(target instanceof Element && target.closest("a"))) return;
  event.preventDefault();
  if ((await newestPage()) !== null) location.reload();
}
