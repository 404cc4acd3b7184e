/** Copying a text: by the browser's clipboard, or where it refuses by the player's own keys, with the text selected. */

import { draw, h } from "../../lib/dom.js";
import { t } from "../../i18n/translate.js";

/** @import { Child } from "../../lib/dom.js" */

const SHOWN_MS = 1500;

/**
 * @param {{ui: {copied: string}, redraw: () => void}} app @param {string} text what to copy @param {string} id @param {string} label
 * @param {Child} [idle] @param {Child} [done] @param {string|undefined} [note] its title
 */
export function copier(app, text, id, label, idle = t("match.copy"), done = t("match.copied"), note = undefined) {
  const copy = async () => {
    if (!(await copied(text))) return byHand(text);
    app.ui.copied = id;
    app.redraw();
    setTimeout(() => {
      if (app.ui.copied === id) {
        app.ui.copied = "";
        app.redraw();
      }
    }, SHOWN_MS);
  };
  return h(
    "button",
    { id, key: id, type: "button", class: "small quiet copy", "aria-label": label, title: note, onclick: copy },
    app.ui.copied === id ? done : idle,
  );
}

/** Whether the clipboard has it now: on http it is there for this computer only, and its user may refuse it. @param {string} text */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The text in a field, selected: a dialog, which gives the focus back when it closes. @param {string} text */
function byHand(text) {
  const dialog = document.createElement("dialog");
  const close = () => dialog.close();
  // once the browser has copied it
  const field = h("input", {
    id: "copy-text",
    class: "link",
    readonly: true,
    value: text,
    "aria-label": t("copy.text"),
    "aria-describedby": "copy-keys",
    oncopy: () => setTimeout(close, 0),
  });
  Object.assign(dialog, {
    id: "copy-by-hand",
    className: "card by-hand",
    onclose: () => dialog.remove(),
    onkeydown: (/** @type {Event} */ event) => event.stopPropagation(),
  });
  dialog.setAttribute("aria-labelledby", "copy-title");
  draw(dialog, [
    h("h2", { id: "copy-title" }, t("copy.refused")),
    field,
    h("p", { id: "copy-keys", role: "status" }, t("copy.by-hand")),
    h("button", { id: "copy-close", type: "button", onclick: close }, t("account.close")),
  ]);
  document.body.append(dialog);
  dialog.showModal();
  const input = /** @type {HTMLInputElement} */ (dialog.querySelector("input"));
  input.focus();
  input.select();
}

/** Whether a link leads to this computer from itself only, and to whoever started the page there: on a public chain it is somebody's way in. @param {string} address @param {boolean|undefined} isDevelopment of a development chain */
export function isOnlyHere(address, isDevelopment) {
  if (!isDevelopment) return false;
  const { hostname } = new URL(address);
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}
