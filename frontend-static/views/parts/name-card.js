/** What an account is called, its address in full, and the name that the player gives it. */

import { h } from "../../lib/dom.js";
import { keepNickname, nicknameOf } from "../../names/names.js";
import { whyNoNickname } from "../../names/nicknames.js";
import { t, translate } from "../../i18n/translate.js";
import { copier } from "./copy.js";
import { playerButton } from "./labels.js";

/** @import { I18nText, Json } from "../../types.js" */
/** @typedef {{ui: {copied: string, typed: Json, nameCard: string, nicknameTrouble: I18nText|null}, redraw: () => void}} Needs What it uses of the page. */

/** The name as a button, with its card while that is open. @param {Needs} app @param {string} address @param {boolean} hasServer whether there is a page of the player */
export function pressableName(app, address, hasServer) {
  const open = app.ui.nameCard === address;
  const id = `name-${address}`;
  const onclick = () => showCard(app, open ? "" : address);
  return [playerButton(address, { id, open, onclick }), open && card(app, address, hasServer)];
}

/** @param {Needs} app @param {string} address "" for none */
function showCard(app, address) {
  app.ui.nameCard = address;
  app.ui.nicknameTrouble = null;
  app.redraw();
}

/** @param {Needs} app @param {string} address @param {boolean} hasServer */
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
    hasServer && nicknameForm(app, address),
    h(
      "div",
      { class: "row" },
      hasServer && h("a", { id: "name-page", href: `#/player/${address}` }, t("names.page")),
      h("button", { id: "name-close", type: "button", class: "small quiet", onclick: close }, t("account.close")),
    ),
  );
}

/** The address in full, to be read and copied. @param {Needs} app @param {string} address @param {string} copyId @param {string} [id] */
export const addressLine = (app, address, copyId, id) =>
  h(
    "p",
    { class: "row address-line" },
    h("span", { class: "mono whole", id }, address),
    copier(app, address, copyId, t("match.copy-address", { address })),
  );

/** Where the player names an account. @param {Needs} app @param {string} address @param {string} [label] */
export function nicknameForm(app, address, label = t("names.nickname")) {
  const { ui } = app;
  const id = `nickname-${address}`;
  const read = () => String(ui.typed[id] ?? nicknameOf(address));
  const typed = read();
  const why = whyNoNickname(typed) ?? ui.nicknameTrouble;
  const type = (/** @type {Event} */ event) => {
    ui.typed[id] = /** @type {HTMLInputElement} */ (event.target).value;
    ui.nicknameTrouble = null;
    app.redraw();
  };
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    const name = read(); // Enter may come before the last letter is drawn
    if (whyNoNickname(name)) return;
    ui.nicknameTrouble = keepNickname(address, name);
    delete ui.typed[id];
    app.redraw();
  };
  return h(
    "form",
    { class: "nickname", key: `form-${id}`, onsubmit: save, "data-nickname": address },
    h("label", { for: id }, label),
    h(
      "div",
      { class: "row" },
      h("input", {
        id,
        value: typed,
        autocomplete: "off",
        spellcheck: false,
        oninput: type,
        "aria-describedby": `why-${id}`,
      }),
      // always enabled: Enter does nothing beside a disabled button, and the line below says what is wrong
      h("button", { type: "submit", class: "small" }, t("names.keep")),
    ),
    h(
      "p",
      { class: "why", id: `why-${id}`, role: "status", "data-why": why?.key },
      why ? translate(why) : t("names.private"),
    ),
  );
}
