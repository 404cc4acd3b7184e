/** The parts without which nothing can be drawn: where they can't be loaded, the page reloads once, then says so in its HTML. */

import { attempt } from "../../lib/storage.js";

/** The versions of the page that reloaded by themselves, each with the page's path. */
const RELOADED = "chainboard.reloaded";

/** A server that takes longer is taken for one that does not answer. */
const ANSWERS_MS = 10_000;

/** The address of the page's own script, which names its version. */
export const ownScript = () => document.querySelector('script[type="module"]')?.getAttribute("src") ?? "";

/** The page as the server has it now; null where it has none, or does not answer. */
export const newestPage = () =>
  fetch(location.pathname, { cache: "no-cache", signal: AbortSignal.timeout(ANSWERS_MS) })
    .then((answer) => (answer.ok ? answer.text() : null))
    .catch(() => null);

/** @returns {string[]} */
const reloaded = () => attempt(() => JSON.parse(sessionStorage.getItem(RELOADED) ?? "[]")) ?? [];

/** Whether the page may reload by itself: once for each version, and never if the browser keeps no note of it. */
export function mayReload() {
  const own = `${location.pathname} ${ownScript()}`;
  const before = reloaded();
  attempt(() => sessionStorage.setItem(RELOADED, JSON.stringify([...before, own])));
  return !before.includes(own) && reloaded().includes(own);
}

/** Waits for the first parts. If they can't be had it reloads the page, or shows what the HTML says of that, and rejects. @template T @param {Promise<T>} parts */
export async function firstParts(parts) {
  const note = document.getElementById("not-loaded");
  note?.addEventListener("click", (event) => void reloadByLink(event));
  try {
    return await parts;
  } catch (error) {
    if (!(await reloadOnce()) && note) note.dataset.failed = "";
    throw error;
  }
}

/** Reloads the page if the server answers, and if it has not done so before. Returns whether it does. */
async function reloadOnce() {
  const reloads = (await newestPage()) !== null && mayReload();
  if (reloads) location.reload();
  return reloads;
}

/** Keeps what the address names behind its `#`, which the link alone would lose. @param {MouseEvent} event */
async function reloadByLink(event) {
  const { target } = event;
  if (!(target instanceof Element && target.closest("a"))) return;
  event.preventDefault();
  if ((await newestPage()) !== null) location.reload();
}
