/** The parts without which nothing can be drawn: where they can't be loaded, the page reloads once, then says so in its HTML. */

import { attempt } from "../../lib/storage.js";

/** The script of the page that last reloaded by itself. */
const RELOADED = "chainboard.reloaded";

/** The address of the page's own script, which names its version. */
export const ownScript = () => document.querySelector('script[type="module"]')?.getAttribute("src") ?? "";

/** Whether the page may reload by itself: once for each version, and never if the browser keeps no note of it. */
export const mayReload = () =>
  attempt(() => {
    const before = sessionStorage.getItem(RELOADED);
    sessionStorage.setItem(RELOADED, ownScript());
    return before !== ownScript();
  }) ?? false;

/** Waits for the first parts. If they can't be had it reloads the page, or shows what the HTML says of that, and rejects. @template T @param {Promise<T>} parts */
export async function firstParts(parts) {
  try {
    return await parts;
  } catch (error) {
    if (mayReload()) location.reload();
    else showFailure();
    throw error;
  }
}

/** Reloading keeps what the address names behind its `#`, which the links alone would lose. */
function showFailure() {
  const note = document.getElementById("not-loaded");
  if (!note) return;
  note.dataset.failed = "";
  note.addEventListener("click", (event) => {
    event.preventDefault();
    location.reload();
  });
}
