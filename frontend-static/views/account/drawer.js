/**
 * The account drawer, a panel with the player's accounts, balance, transactions, key and network.
 */

import { seatOf } from "../../app/submit.js";
import { h } from "../../lib/dom.js";
import { decimal } from "../../i18n/quantities.js";
import { shortEther } from "../../lib/ethereum/ether.js";
import { keySection } from "./key-section.js";
import { actionName, reasonBox, txActions, txError, txStatus } from "../parts/tx-status.js";
import { nodeSection } from "./node-section.js";
import { siteUrl } from "../../lib/site.js";
import { noticesSection } from "./notices-section.js";
import { nameWithHex, playerName } from "../parts/labels.js";
import { languageSwitch } from "../parts/language-switch.js";
import { addressLine, namingForm } from "../parts/name-card.js";
import { faucet, fixButton } from "../parts/fixes.js";
import { sessionSection } from "./session-section.js";
import { ago, firstText, t, translate } from "../../i18n/translate.js";

/** @import { TransactionManager } from "../../chain/tx/manager.js" */
/** @import { Account, Tx } from "../../types.js" */
/** @typedef {import("./key-section.js").Uses & import("./node-section.js").Uses & import("./notices-section.js").Uses & import("./session-section.js").Uses & {transactions: TransactionManager}} Uses */

const MAX_UNFOLDED = 5;
const MAX_LISTED = 50;

/** @param {Account} account */
const titleOf = ({ kind, name: keyName, givenName }) => givenName || t(`account.${kind}`, { name: keyName });

/** @param {Uses} app */
export function accountDrawer(app) {
  if (!app.ui.drawer) return null;
  const close = () => {
    app.ui.drawer = false;
    app.redraw();
    document.getElementById("account-button")?.focus();
  };
  const title = h(
    "div",
    { class: "row" },
    h("h2", { id: "account-title" }, t("account.heading")),
    h(
      "button",
      {
        id: "account-close",
        type: "button",
        class: "quiet",
        onclick: close,
        drawn: oncePerElement((/** @type {HTMLElement} */ e) => e.focus()),
      },
      t("account.close"),
    ),
  );
  return h(
    "div",
    {
      id: "account",
      class: "drawer",
      key: "drawer",
      tabindex: -1,
      role: "dialog",
      "aria-modal": "false",
      "aria-labelledby": "account-title",
    },
    title,
    current(app),
    languageRow(app),
    transactions(app),
    wallets(app),
    noticesSection(app),
    sessionSection(app),
    keySection(app),
    network(app),
    nodeSection(app),
  );
}

/** @type {WeakSet<Element>} */
const handledElements = new WeakSet();

/** @param {(element: HTMLElement) => void} work */
const oncePerElement = (work) => (/** @type {HTMLElement} */ element) => {
  if (!handledElements.has(element)) {
    handledElements.add(element);
    work(element);
  }
};

/** @param {Uses} app */
function current(app) {
  const { accounts } = app;
  const { me, balances } = accounts;
  const account = accounts.find(me);
  const amount =
    accounts.filling.has(me) && !balances.get(me)
      ? t("account.filling")
      : t("account.eth", { amount: decimal(shortEther(balances.get(me))) });
  return h(
    "section",
    { class: "current" },
    h("p", { class: "hint" }, account && titleOf(account)),
    h("p", { class: "my-name", id: "my-name" }, playerName(me)),
    addressLine(app, me, "copy-me", "my-address"),
    h("strong", { id: "my-balance", class: "number" }, amount),
    account && namingForm(app, me, account),
    faucet(app),
    account?.trouble &&
      h(
        "div",
        { class: "trouble", role: "alert", id: "wallet-trouble" },
        h("p", null, translate(account.trouble)),
        fixButton(app, account.trouble, ""),
      ),
    reasonBox(accounts.trouble),
  );
}

/** Return the drawer's language switch. A phone's header has no space for a language switch. @param {Uses} app */
function languageRow(app) {
  return h(
    "section",
    { class: "row language-row" },
    h("span", { "aria-hidden": "true" }, t("language.label")),
    languageSwitch(app.redraw, "my-language"),
  );
}

/** @param {Uses} app */
function transactions(app) {
  const own = app.transactions.list
    .filter((tx) => seatOf(tx) === app.accounts.me)
    .slice(-MAX_LISTED)
    .reverse();
  const earlier = own.slice(MAX_UNFOLDED);
  return h(
    "section",
    { "aria-labelledby": "tx-title" },
    h("h3", { id: "tx-title" }, t("account.transactions")),
    own.length === 0
      ? h("p", { class: "hint" }, t("account.no-transactions"))
      : h(
          "ol",
          { id: "transactions", class: "transactions" },
          own.slice(0, MAX_UNFOLDED).map((tx) => transaction(app, tx)),
        ),
    earlier.length > 0 &&
      h(
        "details",
        null,
        h("summary", { class: "hint" }, t("account.earlier", { n: earlier.length })),
        h(
          "ol",
          { class: "transactions" },
          earlier.map((tx) => transaction(app, tx)),
        ),
      ),
  );
}

/** @param {Uses} app @param {Tx} tx */
function transaction(app, tx) {
  const nonce = tx.nonce === undefined ? null : h("span", { class: "hint number" }, t("tx.nonce", { nonce: tx.nonce }));
  return h(
    "li",
    { key: `tx-${tx.id}` },
    h(
      "div",
      { class: "row" },
      h("span", null, actionName(tx), tx.match && h("span", { class: "hint" }, ` ${tx.match}`)),
      nonce,
    ),
    txStatus(tx, true),
    txError(tx),
    txActions(app, tx),
  );
}

/** @param {Uses} app */
function wallets(app) {
  const { accounts } = app;
  const known = [...accounts.list, ...accounts.offered.filter(({ address }) => !accounts.find(address))];
  const offer = app.server.health?.development && accounts.offered.length === 0;
  return h(
    "section",
    { "aria-labelledby": "wallets-title" },
    h("h3", { id: "wallets-title" }, t("account.wallets")),
    h(
      "ul",
      { class: "wallets", id: "wallets" },
      known.map((account) => wallet(app, account)),
    ),
    h(
      "div",
      { class: "stack" },
      h("button", { id: "make-wallet", type: "button", onclick: () => void accounts.makeAccount() }, t("account.make")),
      offer &&
        h(
          "button",
          { id: "development-accounts", type: "button", onclick: () => accounts.offerDevelopmentAccounts() },
          t("account.development-show"),
        ),
      accounts.injected.map((one) =>
        h(
          "button",
          { key: one.id, type: "button", "data-injected": one.name, onclick: () => void accounts.connect(one) },
          t("account.connect", { name: one.name }),
        ),
      ),
      accounts.injected.length === 0 && h("p", { class: "hint" }, t("account.none-injected")),
    ),
  );
}

/** @param {Uses} app @param {Account} account */
function wallet(app, account) {
  const used = account.address === app.accounts.me;
  const use = h(
    "button",
    {
      type: "button",
      class: "small",
      disabled: used,
      "data-use": account.address,
      onclick: () => app.accounts.use(account),
    },
    t(used ? "account.in-use" : "account.use"),
  );
  return h(
    "li",
    { key: account.address, class: "row" },
    h("span", null, titleOf(account), " ", nameWithHex(account.address)),
    use,
  );
}

/** @param {Uses} app */
function network(app) {
  const { head, health } = app.server;
  if (!health) return null;
  const facts = [
    ["account.chain", String(health.chainId)],
    ["account.genesis", health.genesis],
    ["account.state", firstText([`line.${health.state}`], health.state === "ok" ? t("line.live") : health.state)],
    ["account.rpc", siteUrl("api/rpc")],
  ];
  return h(
    "section",
    { "aria-labelledby": "net-title" },
    h("h3", { id: "net-title" }, t("account.network")),
    h(
      "dl",
      { id: "network" },
      facts.map(([key, value]) => [h("dt", null, t(key)), h("dd", { class: "mono whole" }, value)]),
      head && [
        h("dt", { key: "head-name" }, t("account.head")),
        h(
          "dd",
          { key: "head", id: "head", class: "mono", "data-height": head.height },
          `${head.height} · ${ago(Date.now() / 1000 - head.time)}`,
        ),
      ],
    ),
    health.development && h("p", { class: "hint" }, t("account.dev-chain")),
  );
}
