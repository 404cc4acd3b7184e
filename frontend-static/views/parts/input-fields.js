/** The form fields for an action's inputs. Each kind of input has its own control. */

import { clocksOf, defaultOf, inputKey, inputsOf, isAccount, labelOf, optionOf, tokenOf } from "../../app/inputs.js";
import { span, t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";

/** @import { Ui } from "../../app/ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Tokens } from "../../chain/wallet/tokens.js" */
/** @import { Action, Input } from "../../types.js" */
/** @typedef {{accounts: Accounts, redraw: () => void, tokens: Tokens, ui: Ui}} Uses */

/**
 * A function that returns the label of an option, from the input's name, the option's value, and
 * the default label. @typedef {(name: string, value: number, words: string) => string} OptionText
 */

/** @param {Uses} app @param {string} slug @param {Action} action @param {string} prefix a prefix that makes the IDs unique @param {string} [match] the match, or "" if the action opens one @param {OptionText} [optionText] */
export function fields(app, slug, action, prefix, match = "", optionText = (_name, _value, words) => words) {
  if (action.inputs.length === 0) return null;
  return h(
    "div",
    { class: "fields" },
    action.inputs.map((input) => field(app, slug, action, input, `${prefix}-${input.name}`, match, optionText)),
  );
}

const read = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target);

/** @param {Uses} app @param {string} slug @param {Action} action @param {Input} input @param {string} id @param {string} match @param {OptionText} optionText */
function field(app, slug, action, input, id, match, optionText) {
  const key = inputKey(slug, input.name, match, app.accounts.me);
  const value = app.ui.typed[key] ?? defaultOf(input);
  const keep = (/** @type {any} */ typed) => {
    app.ui.typed[key] = typed;
    app.redraw();
  };
  const common = { id, "data-input": input.name };
  const text = {
    type: "text",
    value: String(value),
    spellcheck: "false",
    autocomplete: "off",
    oninput: (/** @type {Event} */ e) => keep(read(e).value.trim()),
  };
  /** @type {Record<string, Record<string, any>>} */
  const kinds = {
    int: {
      type: "number",
      min: input.minimum,
      max: input.maximum,
      value: String(value),
      oninput: (/** @type {Event} */ e) => keep(read(e).value),
    },
    bool: { type: "checkbox", checked: Boolean(value), onchange: (/** @type {Event} */ e) => keep(read(e).checked) },
    address: { ...text, placeholder: "0x…" },
    opponent: { ...text, placeholder: t("input.anyone") },
    token: { ...text, placeholder: t("input.ether") },
    amount: { ...text, placeholder: "0", inputmode: "decimal" },
    text: { ...text, oninput: (/** @type {Event} */ e) => keep(read(e).value) },
  };
  const choose = (/** @type {Event} */ e) => keep(Number(read(e).value));
  const options = optionsOf(slug, input);
  const control = options
    ? h(
        "select",
        {
          ...common,
          onchange: choose,
          value: String(value),
          drawn: (/** @type {HTMLSelectElement} */ e) => {
            if (e.value !== String(value)) e.value = String(value);
          },
        },
        options.map(([option, words]) =>
          h("option", { key: option + 1, value: String(option) }, optionText(input.name, option, words)),
        ),
      )
    : h("input", { ...common, ...(kinds[input.kind] ?? kinds.address) });
  return h(
    "label",
    { key: id, class: `field ${input.kind}`, for: id },
    h("span", null, labelOf(slug, input), unit(app, slug, action, input, match)),
    control,
  );
}

/** Return the value and label of each option, or null if the player types the value. @param {string} slug @param {Input} input @returns {[number, string][]|null} */
function optionsOf(slug, input) {
  if (input.kind === "clock") return clocksOf(input).map((seconds) => [seconds, span(seconds)]);
  return input.kind === "choice" ? input.options.map((option) => [option.value, optionOf(slug, input, option)]) : null;
}

/** Return the unit of an amount, in parentheses. @param {Uses} app @param {string} slug @param {Action} action @param {Input} input @param {string} match */
function unit(app, slug, action, input, match) {
  if (input.kind !== "amount") return null;
  const token = tokenOf(input, inputsOf(app, slug, action, match, app.accounts.me));
  return ` (${token && isAccount(token) ? (app.tokens.info(token)?.symbol ?? "…") : t("input.eth")})`;
}
