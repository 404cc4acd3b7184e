/** Beside the sentence why something can't be done: the button that mends it. */

import { h } from "../../lib/dom.js";
import { t, translate } from "../../i18n/translate.js";

/** @import { App } from "../../app/app.js" */
/** @import { Tree } from "../../lib/dom.js" */
/** @import { I18nText } from "../../types.js" */

/** @type {Readonly<Record<string, (app: App) => Tree|null>>} by the last part of a text's key */
const FIXES = {
  backup: (app) => button("to-backup", "account.to-backup", () => openAt(app, "keys-title")),
  "no-funds": faucet,
  short: faucet,
  "poor-ether": faucet,
  "funds-missing": faucet,
  "wallet-chain": reconnect,
  "wallet-gone": reconnect,
};

/** @param {App} app @param {I18nText|null|undefined} why @returns {Tree|null} */
export const fixButton = (app, why) => FIXES[why?.key.split(".").at(-1) ?? ""]?.(app) ?? null;

/** @param {string} name @param {string} key of its text @param {() => void} press @param {boolean} [waits] */
const button = (name, key, press, waits = false) =>
  h("button", { type: "button", class: "small remedy", "data-remedy": name, disabled: waits, onclick: press }, t(key));

/** The faucet of a development chain gives to who has little. @param {App} app @returns {Tree|null} */
export function faucet(app) {
  if (!app.health?.development || !app.isPoor(app.me)) return null;
  const waits = app.filling.has(app.me);
  const refused = app.trouble?.sentence.key === "node.said" && !app.ui.drawer; // the drawer tells it itself
  return h(
    "div",
    null,
    button("faucet", waits ? "account.filling" : "account.ask-faucet", () => void app.fund(app.me), waits),
    refused && h("p", { class: "trouble", role: "alert" }, translate(/** @type {I18nText} */ (app.trouble?.sentence))),
  );
}

/** @param {App} app @returns {Tree} */
function reconnect(app) {
  return button("reconnect", "account.reconnect", () => void app.reconnect(app.me));
}

/** The drawer, at one of its headings. @param {App} app @param {string} id */
function openAt(app, id) {
  app.ui.drawer = true;
  app.redraw();
  setTimeout(() => {
    const heading = document.getElementById(id);
    heading?.scrollIntoView({ block: "start" });
    heading?.closest("section")?.querySelector("button")?.focus({ preventScroll: true });
  }, 50);
}
