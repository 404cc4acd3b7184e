/**
 * A card with an account's full address and a form that names the account. For the player's own
 * account, the name is a public nickname. For any other account, it is a petname that only this
 * browser knows.
 */

import { h } from "../../lib/dom.js";
import { wordsOf } from "../../names/hash.js";
import { petnameOf, storePetname } from "../../names/names.js";
import { whyNoPetname } from "../../names/petnames.js";
import { t, translate } from "../../i18n/translate.js";
import { copyButton } from "./copy.js";
import { playerButton } from "./labels.js";

/** @import { Nicknames } from "../../server/nicknames.js" */
/** @import { Account, I18nText, Json } from "../../types.js" */
/** @typedef {{ui: {copied: string, typed: Json, nameCard: string, petnameTrouble: I18nText|null}, redraw: () => void}} Uses */
/** @typedef {Uses & {nicknames?: Nicknames}} NamingNeeds */
/** @typedef {NamingNeeds & {account: (address: string) => Account|undefined}} CardNeeds */

/** Return an account's name as a button and, while its card is open, the card. @param {CardNeeds} app @param {string} address @param {boolean} hasServer true if there is a gateway, which players' pages need */
export function pressableName(app, address, hasServer) {
  const open = app.ui.nameCard === address;
  const id = `name-${address}`;
  const onclick = () => showCard(app, open ? "" : address);
  return [playerButton(address, { id, open, onclick }), open && card(app, address, hasServer)];
}

/** @param {Uses} app @param {string} address the account whose card to open, or "" to close the card */
function showCard(app, address) {
  app.ui.nameCard = address;
  app.ui.petnameTrouble = null;
  app.redraw();
}

/** @param {CardNeeds} app @param {string} address @param {boolean} hasServer */
function card(app, address, hasServer) {
  const close = () => {
    showCard(app, "");
    document.getElementById(`name-${address}`)?.focus();
  };
  return h(
    "div",
    {
      class: "card name-card",
      key: "name-card",
      id: "name-card",
      role: "group",
      "aria-label": t("names.card"),
      "data-card": address,
    },
    addressLine(app, address, "copy-name-address", "name-address"),
    app.nicknames?.of(address) &&
      h("p", { class: "hint", id: "name-words" }, t("names.words", { name: wordsOf(address) })),
    hasServer && namingForm(app, address, app.account(address)),
    h(
      "div",
      { class: "row" },
      hasServer && h("a", { id: "name-page", href: `#/player/${address}` }, t("names.page")),
      h("button", { id: "name-close", type: "button", class: "small quiet", onclick: close }, t("account.close")),
    ),
  );
}

/** Return the full address with a button that copies it. @param {Uses} app @param {string} address @param {string} copyId @param {string} [id] */
export const addressLine = (app, address, copyId, id) =>
  h(
    "p",
    { class: "row address-line" },
    h("span", { class: "mono whole", id }, address),
    copyButton(app, address, copyId, t("match.copy-address", { address })),
  );

/**
 * Return the form that names an account: with a public nickname if the account is the player's own,
 * or else with a private petname.
 * @param {NamingNeeds} app @param {string} address @param {Account|undefined} own
 */
export const namingForm = (app, address, own) =>
  own && app.nicknames ? nicknameForm(app, own, app.nicknames) : petnameForm(app, address);

/** @param {Uses} app @param {Account} account @param {Nicknames} nicknames */
function nicknameForm(app, account, nicknames) {
  const { address } = account;
  const { isPending = false, why = null } = nicknames.saves.get(address) ?? {};
  return nameForm(app, address, {
    kind: "nickname",
    label: t("names.nickname"),
    value: nicknames.of(address),
    why,
    hint: t("names.signed"),
    isPending,
    onType: () => {
      if (!isPending) nicknames.saves.delete(address);
    },
    save: async (name) => {
      if (!(await nicknames.save(account, name))) return;
      storePetname(address, ""); // remove the petname, because it would hide the new nickname
      const id = `nickname-${address}`;
      if (app.ui.typed[id] === name) delete app.ui.typed[id];
      app.redraw();
    },
  });
}

/** @param {Uses} app @param {string} address */
function petnameForm(app, address) {
  const { ui } = app;
  const id = `petname-${address}`;
  return nameForm(app, address, {
    kind: "petname",
    label: t("names.petname"),
    value: petnameOf(address),
    why: whyNoPetname(String(ui.typed[id] ?? petnameOf(address))) ?? ui.petnameTrouble,
    hint: t("names.private"),
    onType: () => {
      ui.petnameTrouble = null;
    },
    save: (name) => {
      if (whyNoPetname(name)) return;
      ui.petnameTrouble = storePetname(address, name);
      delete ui.typed[id];
      app.redraw();
    },
  });
}

/**
 * @param {Uses} app @param {string} address
 * @param {{kind: string, label: string, value: string, why: I18nText|null, hint: string, isPending?: boolean, onType: () => void, save: (name: string) => void}} form
 */
function nameForm(app, address, { kind, label, value, why, hint, isPending = false, onType, save }) {
  const { ui } = app;
  const id = `${kind}-${address}`;
  const read = () => String(ui.typed[id] ?? value);
  const type = (/** @type {Event} */ event) => {
    ui.typed[id] = /** @type {HTMLInputElement} */ (event.target).value;
    onType();
    app.redraw();
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    save(read()); // read the field, because Enter can come before the page has stored the last letter
  };
  return h(
    "form",
    { class: "naming", key: `form-${id}`, onsubmit: submit, [`data-${kind}`]: address },
    h("label", { for: id }, label),
    h(
      "div",
      { class: "row" },
      h("input", {
        id,
        value: read(),
        autocomplete: "off",
        spellcheck: false,
        oninput: type,
        "aria-describedby": `why-${id}`,
      }),
      // Keep the button enabled, because a disabled button would block the Enter key. The line
      // below explains what is wrong with the name.
      h("button", { type: "submit", class: "small", "data-pending": isPending }, t("names.keep")),
    ),
    h(
      "p",
      { class: why ? "why trouble" : "why", id: `why-${id}`, role: "status", "data-why": why?.key },
      why ? translate(why) : hint,
    ),
  );
}
