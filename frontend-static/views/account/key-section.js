/**
 * The account drawer's section for keys. Here, players can rename and back up the account's key,
 * and import other keys.
 */

import { h } from "../../lib/dom.js";
import { copyButton } from "../parts/copy.js";
import { t, translate } from "../../i18n/translate.js";

/** @import { Ui } from "../../app/ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { KeyForms } from "../../chain/wallet/key-forms.js" */
/** @import { Account } from "../../types.js" */
/** @typedef {{accounts: Accounts, keyForms: KeyForms, redraw: () => void, ui: Ui}} Uses */

const input = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target);

/** @param {Uses} app */
export function keySection(app) {
  const account = app.accounts.find(app.accounts.me);
  const forms = app.keyForms;
  return h(
    "section",
    { class: "keys", "aria-labelledby": "keys-title" },
    h("h3", { id: "keys-title" }, t("account.keys")),
    !app.accounts.keys.isPersistent &&
      h("p", { class: "trouble", role: "alert", id: "not-kept" }, t("account.not-kept")),
    account?.kind === "browser"
      ? browserKeyPart(app, forms, account)
      : h("p", { class: "hint" }, t(`account.key-${account?.kind ?? "injected"}`)),
    importForm(forms),
    forms.done && h("p", { class: "hint", role: "status", id: "key-done" }, translate(forms.done)),
  );
}

/** @param {Uses} app @param {KeyForms} forms @param {Account} account */
function browserKeyPart(app, forms, account) {
  const type = (/** @type {Event} */ event) => {
    forms.naming = { address: account.address, name: input(event).value };
  };
  return [
    h("p", { class: "hint" }, t("account.key-warning")),
    app.accounts.keys.isPersistent && h("p", { class: "hint" }, t("account.key-stored")),
    h(
      "label",
      { class: "field text", for: "key-name" },
      h("span", null, t("account.key-name")),
      h("input", {
        id: "key-name",
        key: `name-${account.address}`,
        type: "text",
        maxlength: 40,
        value: forms.nameOf(account),
        placeholder: t("account.browser", { name: account.name }),
        autocomplete: "off",
        spellcheck: "false",
        oninput: type,
        onchange: () => void forms.rename(account),
      }),
    ),
    h(
      "p",
      { class: account.backedUp ? "hint" : "warning", id: "backup-state", "data-backed-up": account.backedUp === true },
      t(account.backedUp ? "account.backed-up" : "account.not-backed-up"),
    ),
    h(
      "div",
      { class: "pair-of" },
      openFormButton(forms, "saving", "save-key", "account.save-key"),
      openFormButton(forms, "showing", "show-key", forms.isOpen("showing") ? "account.hide-key" : "account.show-key"),
    ),
    forms.isOpen("showing") && privateKeyPart(app, forms, account),
    forms.isOpen("saving") && exportForm(forms, account),
  ];
}

/** @param {KeyForms} forms @param {"showing"|"saving"|"bringing"} form @param {string} id @param {string} key the message key of the label */
const openFormButton = (forms, form, id, key) =>
  h(
    "button",
    { id, type: "button", "aria-expanded": String(forms.isOpen(form)), onclick: () => forms.toggle(form) },
    t(key),
  );

/** @param {Uses} app @param {KeyForms} forms @param {Account} account */
function privateKeyPart(app, forms, account) {
  return h(
    "div",
    { class: "form", key: "showing" },
    h("p", { class: "mono whole", id: "private-key" }, account.key),
    h(
      "div",
      { class: "row" },
      copyButton(app, String(account.key), "copy-key", t("match.copy")),
      !account.backedUp &&
        h(
          "button",
          { id: "key-kept", type: "button", class: "small", onclick: () => void forms.confirm(account) },
          t("account.kept"),
        ),
    ),
  );
}

/** @param {KeyForms} forms @param {Account} account */
function exportForm(forms, account) {
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    void forms.save(account);
  };
  return h(
    "form",
    { class: "form", key: "saving", onsubmit: send },
    h("p", { class: "hint" }, t("account.save-lead")),
    passwordField(forms, "save-password", "new-password"),
    submitAndProgress(forms, "save-file", "account.save-file"),
  );
}

/** @param {KeyForms} forms */
function importForm(forms) {
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    void forms.importKey();
  };
  const form = () =>
    h(
      "form",
      { class: "form", key: "bringing", onsubmit: send },
      !forms.file &&
        h(
          "label",
          { class: "field text", for: "key-text" },
          h("span", null, t("account.key-text")),
          h("input", {
            id: "key-text",
            type: "text",
            class: "mono",
            value: forms.text,
            placeholder: "0x…",
            autocomplete: "off",
            spellcheck: "false",
            oninput: (/** @type {Event} */ e) => forms.setField("text", input(e).value),
          }),
        ),
      keystoreField(forms),
      forms.file && passwordField(forms, "file-password", "off"),
      (forms.file || forms.text) && submitAndProgress(forms, "bring", "account.bring"),
      !(forms.file || forms.text) && errorText(forms),
    );
  return h(
    "div",
    { class: "stack" },
    openFormButton(forms, "bringing", "bring-key", "account.bring-key"),
    forms.isOpen("bringing") && form(),
  );
}

/** Return a field where the player chooses a keystore file or drops one. @param {KeyForms} forms */
function keystoreField(forms) {
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    void forms.chooseFile(event.dataTransfer?.files[0]);
  };
  const choose = (/** @type {Event} */ event) => {
    void forms.chooseFile(input(event).files?.[0]);
  };
  return h(
    "label",
    {
      class: "drop",
      id: "key-drop",
      for: "key-file",
      ondrop: drop,
      ondragover: (/** @type {Event} */ event) => event.preventDefault(),
    },
    h("span", null, forms.file ? forms.file.name : t("account.drop")),
    h("input", { id: "key-file", type: "file", accept: ".json,application/json", onchange: choose }),
  );
}

/** @param {KeyForms} forms @param {string} id @param {string} autocomplete */
function passwordField(forms, id, autocomplete) {
  const type = forms.passwordShown ? "text" : "password";
  return [
    h(
      "label",
      { class: "field text", for: id },
      h("span", null, t("account.password")),
      h("input", {
        id,
        type,
        value: forms.password,
        autocomplete,
        spellcheck: "false",
        oninput: (/** @type {Event} */ e) => forms.setField("password", input(e).value),
      }),
    ),
    h(
      "label",
      { class: "field bool", for: `${id}-show` },
      h("span", null, t("account.password-show")),
      h("input", {
        id: `${id}-show`,
        type: "checkbox",
        checked: forms.passwordShown,
        onchange: () => forms.showPassword(),
      }),
    ),
  ];
}

/** Return the end of a form: the submit button, the progress bar and the error. @param {KeyForms} forms @param {string} id @param {string} key the message key of the label */
function submitAndProgress(forms, id, key) {
  const busy = forms.progress !== null;
  return [
    h("button", { id, type: "submit", class: "loud", disabled: busy }, t(key)),
    busy && h("progress", { key: "progress", max: 1, value: forms.progress, "aria-label": t("account.working") }),
    errorText(forms),
  ];
}

/** @param {KeyForms} forms */
const errorText = (forms) =>
  forms.error && h("p", { class: "trouble", role: "alert", id: "key-wrong", key: "wrong" }, translate(forms.error));
