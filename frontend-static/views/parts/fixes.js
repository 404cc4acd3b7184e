/**
 * The buttons that fix a problem, such as too little ether. Each button is next to the sentence
 * that explains the problem.
 */

import { h } from "../../lib/dom.js";
import { copyButton } from "./copy.js";
import { t, translate } from "../../i18n/translate.js";

/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Ui } from "../../app/ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Tree } from "../../lib/dom.js" */
/** @import { I18nText } from "../../types.js" */
/** @typedef {{accounts: Accounts, redraw: () => void, server: ServerState, ui: Ui}} Uses */

/** @type {Readonly<Record<string, (app: Uses, place: string) => Tree|null>>} for each problem (the last part of its text's key), the function that returns the button */
const FIXES = {
  backup: (app) => button("to-backup", "account.to-backup", () => openAt(app, "keys-title")),
  "no-funds": faucet,
  short: faucet,
  "poor-ether": faucet,
  "funds-missing": faucet,
  "wallet-chain": reconnect,
  "wallet-gone": reconnect,
};

/** @param {Uses} app @param {I18nText|null|undefined} why @param {string} place a unique name for the button's place on the page @returns {Tree|null} */
export const fixButton = (app, why, place) => FIXES[why?.key.split(".").at(-1) ?? ""]?.(app, place) ?? null;

/** @param {string} name @param {string} key the message key of the label @param {() => void} press @param {boolean} [waits] */
const button = (name, key, press, waits = false) =>
  h("button", { type: "button", class: "small remedy", "data-remedy": name, disabled: waits, onclick: press }, t(key));

/**
 * Return help if the account has too little ether. On a development chain, this is the faucet's
 * button. On other chains, it is an explanation of how to get ether.
 * @param {Uses} app @param {string} [place] a unique name for the place on the page; omit it if the address is already shown there @returns {Tree|null}
 */
export function faucet(app, place = "") {
  const { accounts } = app;
  const { me, trouble } = accounts;
  if (!accounts.isPoor(me)) return null;
  if (!app.server.health?.development) return waysToGetEther(app, place);
  const waits = accounts.filling.has(me);
  const rejected = trouble && trouble === accounts.unfunded && !app.ui.drawer; // the drawer shows this problem itself
  return h(
    "div",
    null,
    button("faucet", waits ? "account.filling" : "account.ask-faucet", () => void accounts.fund(me), waits),
    rejected && h("p", { class: "trouble", role: "alert" }, translate(trouble.sentence)),
  );
}

/**
 * Return an explanation of how to get ether, with the account's address. If the sponsor hasn't sent
 * any ether, the explanation says why.
 * @param {Uses} app @param {string} place @returns {Tree|null}
 */
function waysToGetEther(app, place) {
  const { accounts, server } = app;
  const { me, sponsorship, balances } = accounts;
  if (!server.health || sponsorship.isOpen(me) || balances.get(me)) return null;
  const why = sponsorship.rejections.get(me);
  return h(
    "div",
    { class: "hint", "data-remedy": "get-ether" },
    why && h("p", { class: "trouble", role: "alert" }, translate(why)),
    h("p", null, t(why ? "account.get-ether-else" : "account.get-ether")),
    place &&
      h(
        "p",
        { class: "own-address" },
        h("span", { class: "mono" }, me),
        copyButton(app, me, `copy-me-${place}`, t("match.copy-address", { address: me })),
      ),
  );
}

/** @param {Uses} app @returns {Tree} */
function reconnect(app) {
  return button("reconnect", "account.reconnect", () => void app.accounts.reconnect(app.accounts.me));
}

/** Open the account drawer and scroll to one of its headings. @param {Uses} app @param {string} id */
function openAt(app, id) {
  app.ui.drawer = true;
  app.redraw();
  setTimeout(() => {
    const heading = document.getElementById(id);
    heading?.scrollIntoView({ block: "start" });
    heading?.closest("section")?.querySelector("button")?.focus({ preventScroll: true });
  }, 50);
}
