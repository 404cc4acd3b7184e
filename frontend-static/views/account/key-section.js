/** The drawer's part on the key of the account: its name, its backup, and how another key is brought here. */

import { h } from "../../lib/dom.js";
import { copier } from "../parts/copy.js";
import { say, t } from "../../i18n/translate.js";

/** @import { App } from "../../app/app.js" */
/** @import { KeyDesk } from "../../chain/wallet/key-forms.js" */
/** @import { Account } from "../../types.js" */

const input = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target);

/** @param {App} app */
export function keySection(app) {
  const account = app.account(app.me);
  const desk = app.keyDesk;
  return h("section", { class: "keys", "aria-labelledby": "keys-title" }, h("h3", { id: "keys-title" }, t("account.keys")),
    !app.keys.lasting && h("p", { class: "trouble", role: "alert", id: "not-kept" }, t("account.not-kept")),
    account?.kind === "browser" ? own(app, desk, account) : h("p", { class: "hint" }, t(`account.key-${account?.kind ?? "injected"}`)),
    bring(desk),
    desk.done && h("p", { class: "hint", role: "status", id: "key-done" }, say(desk.done)));
}

/** @param {App} app @param {KeyDesk} desk @param {Account} account */
function own(app, desk, account) {
  const type = (/** @type {Event} */ event) => { desk.naming = { address: account.address, name: input(event).value }; };
  return [
    h("p", { class: "hint" }, t("account.key-warning")),
    h("label", { class: "field text", for: "key-name" }, h("span", null, t("account.key-name")),
      h("input", { id: "key-name", key: `name-${account.address}`, type: "text", maxlength: 40, value: desk.nameOf(account), placeholder: t("account.browser", { name: account.name }), autocomplete: "off", spellcheck: "false", oninput: type, onchange: () => void desk.rename(account) })),
    h("p", { class: account.backedUp ? "hint" : "warning", id: "backup-state", "data-backed-up": account.backedUp === true }, t(account.backedUp ? "account.backed-up" : "account.not-backed-up")),
    h("div", { class: "pair-of" },
      opener(desk, "saving", "save-key", "account.save-key"),
      opener(desk, "shown", "show-key", desk.isOpen("shown") ? "account.hide-key" : "account.show-key")),
    desk.isOpen("shown") && shown(app, desk, account),
    desk.isOpen("saving") && saving(desk, account),
  ];
}

/** @param {KeyDesk} desk @param {"shown"|"saving"|"bringing"} form @param {string} id @param {string} key of its text */
const opener = (desk, form, id, key) => h("button", { id, type: "button", "aria-expanded": String(desk.isOpen(form)), onclick: () => desk.toggle(form) }, t(key));

/** @param {App} app @param {KeyDesk} desk @param {Account} account */
function shown(app, desk, account) {
  return h("div", { class: "form", key: "shown" },
    h("p", { class: "mono whole", id: "private-key" }, account.key),
    h("div", { class: "row" },
      copier(app, String(account.key), "copy-key", t("match.copy")),
      !account.backedUp && h("button", { id: "key-kept", type: "button", class: "small", onclick: () => void desk.confirm(account) }, t("account.kept"))));
}

/** @param {KeyDesk} desk @param {Account} account */
function saving(desk, account) {
  const send = (/** @type {Event} */ event) => { event.preventDefault(); void desk.save(account); };
  return h("form", { class: "form", key: "saving", onsubmit: send },
    h("p", { class: "hint" }, t("account.save-lead")),
    password(desk, "save-password", "new-password"),
    worked(desk, "save-file", "account.save-file"));
}

/** @param {KeyDesk} desk */
function bring(desk) {
  const send = (/** @type {Event} */ event) => { event.preventDefault(); void desk.bring(); };
  const form = () => h("form", { class: "form", key: "bringing", onsubmit: send },
    !desk.file && h("label", { class: "field text", for: "key-text" }, h("span", null, t("account.key-text")),
      h("input", { id: "key-text", type: "text", class: "mono", value: desk.text, placeholder: "0x…", autocomplete: "off", spellcheck: "false", oninput: (/** @type {Event} */ e) => desk.type("text", input(e).value) })),
    chooser(desk),
    desk.file && password(desk, "file-password", "off"),
    (desk.file || desk.text) && worked(desk, "bring", "account.bring"),
    !(desk.file || desk.text) && wrong(desk));
  return h("div", { class: "stack" }, opener(desk, "bringing", "bring-key", "account.bring-key"), desk.isOpen("bringing") && form());
}

/** A file is chosen, or dropped here. @param {KeyDesk} desk */
function chooser(desk) {
  const drop = (/** @type {DragEvent} */ event) => { event.preventDefault(); void desk.take(event.dataTransfer?.files[0]); };
  const choose = (/** @type {Event} */ event) => { void desk.take(input(event).files?.[0]); };
  return h("label", { class: "drop", id: "key-drop", for: "key-file", ondrop: drop, ondragover: (/** @type {Event} */ event) => event.preventDefault() },
    h("span", null, desk.file ? desk.file.name : t("account.drop")),
    h("input", { id: "key-file", type: "file", accept: ".json,application/json", onchange: choose }));
}

/** @param {KeyDesk} desk @param {string} id @param {string} autocomplete */
function password(desk, id, autocomplete) {
  const type = desk.passwordShown ? "text" : "password";
  return [
    h("label", { class: "field text", for: id }, h("span", null, t("account.password")),
      h("input", { id, type, value: desk.password, autocomplete, spellcheck: "false", oninput: (/** @type {Event} */ e) => desk.type("password", input(e).value) })),
    h("label", { class: "field bool", for: `${id}-show` }, h("span", null, t("account.password-show")),
      h("input", { id: `${id}-show`, type: "checkbox", checked: desk.passwordShown, onchange: () => desk.showPassword() })),
  ];
}

/** The button of a form, how far it has come, and what is wrong. @param {KeyDesk} desk @param {string} id @param {string} key of its text */
function worked(desk, id, key) {
  const busy = desk.progress !== null;
  return [
    h("button", { id, type: "submit", class: "loud", disabled: busy }, t(key)),
    busy && h("progress", { key: "progress", max: 1, value: desk.progress, "aria-label": t("account.working") }),
    wrong(desk),
  ];
}

/** @param {KeyDesk} desk */
const wrong = (desk) => desk.wrong && h("p", { class: "trouble", role: "alert", id: "key-wrong", key: "wrong" }, say(desk.wrong));
