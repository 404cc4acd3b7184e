/**
 * Copies a text to the clipboard. If the browser doesn't allow that, a dialog shows the text
 * already selected, so that players can copy it with the keyboard.
 */

import { draw, h } from "../../lib/dom.js";
import { t } from "../../i18n/translate.js";

/** @import { Child } from "../../lib/dom.js" */

const SHOWN_MS = 1500;

/** @param {{ui: {copied: string}, redraw: () => void}} app @param {string} text the text to copy @param {string} id @param {string} label @param {Child} [idle] @param {Child} [done] @param {string|undefined} [note] the button's `title` attribute */
export function copyButton(app, text, id, label, idle = t("match.copy"), done = t("match.copied"), note = undefined) {
  const copy = async () => {
    if (!(await copyText(text))) return showCopyDialog(text);
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

/**
 * Copy a text to the clipboard. Return false if that fails. Over http, browsers allow pages to use
 * the clipboard only on localhost. Users can also forbid it.
 * @param {string} text
 */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Show a dialog in which the text is selected. @param {string} text */
function showCopyDialog(text) {
  const dialog = document.createElement("dialog");
  const close = () => dialog.close();
  // Close the dialog after a delay, because the browser copies the text after `oncopy`.
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

/**
 * Return true if a link works only on this computer. On a public chain, always return false: others
 * can use the link even if this browser has opened the page at a local address.
 * @param {string} address @param {boolean|undefined} isDevelopment true on a development chain
 */
export function isLocalAddress(address, isDevelopment) {
  if (!isDevelopment) return false;
  const { hostname } = new URL(address);
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}
