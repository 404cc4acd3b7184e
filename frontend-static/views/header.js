/**
 * The page's header, with the connection's state and the theme switch. This module also draws the
 * list of keyboard shortcuts.
 */

import { seatOf } from "../app/submit.js";
import { h } from "../lib/dom.js";
import { shortEther } from "../lib/ethereum/ether.js";
import { isDark, switchTheme } from "../lib/theme.js";
import { decimal } from "../i18n/quantities.js";
import { age, firstText, t } from "../i18n/translate.js";
import { nameOf } from "../names/names.js";
import { playerName } from "./parts/labels.js";
import { languageSwitch } from "./parts/language-switch.js";

/** @import { ServerState } from "../app/server-state.js" */
/** @import { Ui } from "../app/ui.js" */
/** @import { TransactionManager } from "../chain/tx/manager.js" */
/** @import { Accounts } from "../chain/wallet/accounts.js" */
/** @typedef {{accounts: Accounts, redraw: () => void, server: ServerState, transactions: TransactionManager, ui: Ui}} Uses */

/** @param {Uses} app */
export function pageHeader(app) {
  const openDrawer = () => {
    app.ui.drawer = !app.ui.drawer;
    app.redraw();
  };
  const openHelp = () => {
    app.ui.help = true;
    app.redraw();
  };
  const dark = isDark();
  const { me, balances, sponsorship } = app.accounts;
  const balance = sponsorship.isFree(me) ? undefined : balances.get(me);
  return h(
    "header",
    { class: "frame", key: "frame" },
    h("a", { class: "name", href: "#/", "aria-label": t("page.title") }, logo(), h("span", null, t("page.title"))),
    connectionStatus(app),
    languageSwitch(app.redraw, "language"),
    h(
      "button",
      {
        id: "help-button",
        type: "button",
        class: "quiet round",
        "aria-label": t("help.open"),
        title: t("help.open"),
        onclick: openHelp,
      },
      "?",
    ),
    h(
      "button",
      {
        id: "theme-button",
        type: "button",
        class: "quiet round",
        "aria-label": t(dark ? "theme.to-light" : "theme.to-dark"),
        title: t(dark ? "theme.to-light" : "theme.to-dark"),
        onclick: () => {
          switchTheme();
          app.redraw();
        },
      },
      themeIcon(dark),
    ),
    h(
      "button",
      {
        id: "account-button",
        type: "button",
        class: "account",
        "aria-expanded": String(app.ui.drawer),
        "aria-label": `${t("account.open")} ${nameOf(app.accounts.me)}`,
        onclick: openDrawer,
      },
      playerName(app.accounts.me),
      h(
        "span",
        { class: "number hint" },
        balance === undefined ? "" : t("account.eth", { amount: headerAmount(balance) }),
      ),
      pendingDot(app),
    ),
  );
}

/**
 * Return the logo: two links of a chain that are also two squares of a board. icon.svg contains the
 * same drawing.
 */
function logo() {
  return h(
    "svg",
    { class: "logo", viewBox: "0 0 34 34", "aria-hidden": "true" },
    h("rect", { class: "ink", x: 2.6, y: 2.6, width: 18, height: 18, rx: 5.5 }),
    h("rect", { class: "signal", x: 13.4, y: 13.4, width: 18, height: 18, rx: 5.5 }),
    h("path", { class: "ink", d: "M20.6 8v7.1a5.5 5.5 0 0 1-.8 2.8" }),
  );
}

/** @param {boolean} dark */
function themeIcon(dark) {
  const sun = [
    h("circle", { cx: 8, cy: 8, r: 3.2 }),
    h("path", {
      d: "M8 .8v2M8 13.2v2M.8 8h2M13.2 8h2M2.9 2.9l1.4 1.4M11.7 11.7l1.4 1.4M13.1 2.9l-1.4 1.4M4.3 11.7l-1.4 1.4",
    }),
  ];
  const moon = h("path", { d: "M13.5 9.7A6 6 0 0 1 6.3 2.5a6 6 0 1 0 7.2 7.2Z" });
  return h(
    "svg",
    { class: "icon", width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" },
    dark ? sun : moon,
  );
}

/** @param {Uses} app */
function pendingDot(app) {
  const n = app.transactions.pending().filter((tx) => seatOf(tx) === app.accounts.me).length;
  return n > 0 && h("span", { class: "count", key: "count", "data-pending": n }, String(n));
}

/**
 * Return the line that shows the connection's state. While the connection is lost, the line also
 * shows the age of the data.
 * @param {Uses} app
 */
export function connectionStatus(app) {
  const { health } = app.server;
  const state = app.server.state();
  const old = age((Date.now() - app.server.lastHeardAt) / 1000);
  const text = firstText([`line.${state}`], t("line.live"));
  const since = ["lost", "offline"].includes(state) && h("span", { class: "since" }, t("line.lost-for", { age: old }));
  const title = health ? t("line.detail", { chain: health.chainId, genesis: health.genesis }) : "";
  return h(
    "div",
    { id: "line", class: "line", "data-line": app.server.connection, "data-state": state, title },
    h("i", { class: "lamp" }),
    h("span", { class: "state", role: "status" }, text),
    since,
  );
}

/** @param {Uses} app */
export function helpDialog(app) {
  if (!app.ui.help) return null;
  const close = () => {
    app.ui.help = false;
    app.redraw();
  };
  const keys = [
    ["← ↑ → ↓", "arrows"],
    ["Enter", "enter"],
    ["1 … 9", "act"],
    ["e 1 … 6", "emote"],
    ["Esc", "escape"],
    ["← → Home End", "time"],
    ["Space", "space"],
    ["a", "account"],
    ["l", "lobby"],
    ["t", "theme"],
    ["?", "help"],
  ];
  const rows = keys.map(([key, word]) =>
    h("tr", null, h("th", { scope: "row" }, h("kbd", null, key)), h("td", null, t(`help.${word}`))),
  );
  return h(
    "div",
    { class: "veil", key: "help", onclick: (/** @type {Event} */ e) => e.target === e.currentTarget && close() },
    h(
      "div",
      {
        id: "help",
        class: "card help",
        tabindex: -1,
        role: "dialog",
        "aria-modal": "true",
        "aria-labelledby": "help-title",
      },
      h(
        "div",
        { class: "row" },
        h("h2", { id: "help-title" }, t("help.heading")),
        h(
          "button",
          {
            id: "help-close",
            type: "button",
            class: "quiet",
            onclick: close,
            drawn: (/** @type {HTMLElement} */ e) => {
              if (!e.closest(".help")?.contains(document.activeElement)) e.focus();
            },
          },
          t("account.close"),
        ),
      ),
      h("table", null, h("tbody", null, rows)),
    ),
  );
}

/**
 * Format an ether amount for the header. An amount below 0.01 is shown as `<0.01`, because it would
 * look like zero. @param {bigint} balance
 */
function headerAmount(balance) {
  const amount = shortEther(balance).slice(0, -2);
  return balance > 0n && Number(amount) === 0 ? `<${decimal("0.01")}` : decimal(amount);
}
