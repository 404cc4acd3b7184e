/** Checks the values that a player has typed for an action, and converts them to ABI arguments. */

import { ZERO_ADDRESS, isAddress } from "../lib/ethereum/address.js";
import { hexlify, toUtf8Bytes } from "../lib/ethereum/bytes.js";
import { parseUnits } from "../lib/ethereum/ether.js";
import { interfaceOf } from "../lib/ethereum/abi.js";
import { ADDRESS, AMOUNT } from "../lib/patterns.js";
import { firstText, gameKey } from "../i18n/translate.js";

/** @import { Tokens } from "../chain/wallet/tokens.js" */
/** @import { Action, Deposit, GameInfo, I18nText, Input, Json } from "../types.js" */
/** @typedef {{typed: Record<string, any>}} Typed The values that the player has typed. `inputKey` returns the key of each value. */
/** @typedef {{ui: Typed, accounts: {me: string}, tokens?: Tokens}} TypedInputs The typed values and the player who types them. */

const ETHER = 18;
/** The pattern of an amount of zero. It also fits an unfinished amount, such as `0.`. */
export const NOTHING = /^[0.]*$/;
/**
 * The clocks that the page offers, in seconds per move; 0 is no limit. A contract can allow fewer.
 */
const CLOCKS = [0, 60, 300, 3600, 86_400, 259_200];
/** The kinds of inputs that the page clears once a match is opened: the stake and the opponent. */
const ONCE = ["amount", "opponent"];

/**
 * Return true if a text is an account's address. If the text mixes upper and lower case, the
 * checksum must be valid. @param {string} text
 */
export const isAccount = (text) => ADDRESS.test(text) && isAddress(text);

/** @param {Input} input */
export function clocksOf({ minimum, maximum, default: preset }) {
  const all = new Set([...CLOCKS, ...(preset === null || preset === undefined ? [] : [Number(preset)])]);
  return [...all].filter((seconds) => seconds >= minimum && seconds <= maximum).sort((a, b) => a - b);
}

/** @param {Input} input */
export function defaultOf(input) {
  if (input.default !== null && input.default !== undefined) return input.default;
  if (input.kind === "clock") return clocksOf(input)[0];
  if (input.kind === "choice") return input.options[0]?.value;
  return { int: 0, bool: false }[input.kind] ?? "";
}

/**
 * Return the key under which the page stores a typed value. For an action that opens a match, the
 * key contains the game. Otherwise, it contains the match and the player, so that one account's
 * text is never sent for another account.
 * @param {string} slug @param {string} name the input's name @param {string} match the match, or "" if the action opens one @param {string} account the player who types
 */
export const inputKey = (slug, name, match, account) => `${match ? `${match} ${account}` : slug}.${name}`;

/** @param {string} slug @param {Input} input */
export const labelOf = (slug, { name, label }) => firstText([gameKey(slug, `input.${name}`)], label);

/** @param {{ui: Typed}} app @param {string} slug @param {Action} action @param {string} [match] the match, or "" if the action opens one @param {string} [account] the player who types @returns {Record<string, any>} */
export function inputsOf(app, slug, action, match = "", account = "") {
  return Object.fromEntries(
    action.inputs.map((input) => [
      input.name,
      app.ui.typed[inputKey(slug, input.name, match, account)] ?? defaultOf(input),
    ]),
  );
}

/** Return the label of one option of a select input. @param {string} slug @param {Input} input @param {{value: number, label: string}} option */
export const optionOf = (slug, { name }, { value, label }) =>
  firstText([gameKey(slug, `input.${name}.${value}`)], label);

/** Return the token that the player has typed for an amount, or "" if the amount is in ether. @param {Input} input @param {Json} typed @returns {string} */
export function tokenOf({ token: name }, typed) {
  const token = name ? (typed[name] ?? "") : "";
  return token === ZERO_ADDRESS ? "" : token;
}

/** Return the number of decimals of an amount's token, or undefined if the token isn't loaded yet. @param {TypedInputs} app @param {Input} input @param {Json} typed */
function decimalsOf(app, input, typed) {
  const token = tokenOf(input, typed);
  return token ? app.tokens?.info(token)?.decimals : ETHER;
}

/** @type {Record<string, (input: Input, value: any, label: string, app: TypedInputs) => I18nText|null>} */
const CHECKS = {
  int: ({ minimum, maximum }, value, label) => {
    const fits = Number.isInteger(Number(value)) && value !== "" && value >= minimum && value <= maximum;
    return fits ? null : { key: "why.input", args: { label, minimum, maximum } };
  },
  address: (_, value, label) => (isAccount(value) ? null : { key: "why.address", args: { label } }),
  opponent: (_, value, label, app) => {
    if (value && !isAccount(value)) return { key: "why.opponent", args: { label } };
    return value && value.toLowerCase() === app.accounts.me.toLowerCase()
      ? { key: "why.yourself", args: { label } }
      : null;
  },
  token: (_, value, label) => (!value || isAccount(value) ? null : { key: "why.token", args: { label } }),
  amount: (_, value, label) => (!value || AMOUNT.test(value) ? null : { key: "why.amount", args: { label } }),
  choice: ({ options }, value, label) =>
    options.some((option) => option.value === Number(value)) ? null : { key: "why.choice", args: { label } },
  text: ({ maximum }, value, label) => {
    const n = toUtf8Bytes(value).length;
    return n > maximum ? { key: "why.text", args: { label, maximum, n } } : null;
  },
};

/**
 * Return the reason why the typed inputs aren't valid, or null if they are. Don't check inputs that
 * are in `values`, because a click on the board supplies them. @param {TypedInputs} app @param {string} slug @param {Action} action @param {Json} [values] @param {string} [match] @param {string} [account] @returns {I18nText|null}
 */
export function whyInputs(app, slug, action, values = {}, match = "", account = "") {
  const typed = inputsOf(app, slug, action, match, account);
  for (const input of action.inputs.filter(({ name }) => !(name in values))) {
    const value = typed[input.name];
    const label = labelOf(slug, input);
    const why =
      CHECKS[input.kind]?.(input, value, label, app) ??
      (input.kind === "amount" ? whyDecimals(app, input, typed, label) : null);
    if (why) return why;
  }
  return null;
}

/**
 * If an amount has more decimals than its token, return the reason why the amount isn't valid.
 * Otherwise, return null. Until the token's number of decimals is known, only an amount of zero is
 * valid. @param {TypedInputs} app @param {Input} input @param {Json} typed @param {string} label @returns {I18nText|null}
 */
function whyDecimals(app, input, typed, label) {
  const text = String(typed[input.name]);
  const token = tokenOf(input, typed);
  const decimals = decimalsOf(app, input, typed);
  if (decimals === undefined && !NOTHING.test(text) && isAccount(token))
    return app.tokens?.info(token) ? { key: "why.token-unread", args: { token } } : { key: "why.token-asking" };
  const digits = text.split(".")[1]?.length ?? 0;
  return decimals !== undefined && digits > decimals ? { key: "why.places", args: { label, decimals } } : null;
}

/** Return the typed inputs as ABI arguments. The keys are their names. All must be valid. @param {TypedInputs} app @param {GameInfo} game @param {Action} action @param {string} [match] @param {string} [account] @returns {Json} */
export function valuesOf(app, game, action, match = "", account = "") {
  const typed = inputsOf(app, game.slug, action, match, account);
  const types = interfaceOf(game.abi ?? []).getFunction(action.signature)?.inputs ?? [];
  return Object.fromEntries(
    action.inputs.map((input) => {
      const value = typed[input.name];
      const type = types.find((/** @type {{name: string}} */ { name }) => name === input.name)?.type;
      /** @type {Record<string, () => any>} */
      const made = {
        opponent: () => value || ZERO_ADDRESS,
        token: () => value || ZERO_ADDRESS,
        amount: () => (NOTHING.test(value) ? 0n : parseUnits(value, decimalsOf(app, input, typed))),
        text: () => (type === "bytes" ? hexlify(toUtf8Bytes(value)) : value),
      };
      return [input.name, made[input.kind]?.() ?? value];
    }),
  );
}

/** Delete the stake and the opponent that the player has typed for a match, once it is opened. @param {Typed} ui @param {string} slug @param {Action} action */
export function forget(ui, slug, action) {
  for (const { name, kind } of action.inputs) if (ONCE.includes(kind)) delete ui.typed[inputKey(slug, name, "", "")];
}

/** @typedef {Pick<Input, "name"|"kind"|"token">} VisibleInput */

/** The deposit that the terms of a match show. @type {VisibleInput[]} */
export const TERMS = [{ name: "stake", kind: "amount", token: "token" }];

/**
 * Return true if one of these inputs shows a deposit's amount in the deposit's coin or token. The
 * server describes inputs and deposits. A dishonest server could describe a deposit in ether that
 * has the amount of a worthless token. @param {Deposit} pays @param {VisibleInput[]} inputs
 */
export const showsDeposit = (pays, inputs) =>
  inputs.some(
    ({ name, kind, token }) => kind === "amount" && name === pays.amount && (token ?? "") === (pays.token ?? ""),
  );

/** Return the action that a button sends. If no input shows the deposit, leave out the deposit. @param {Action} action @param {VisibleInput[]} inputs @returns {Action} */
export const withVisibleDeposit = (action, inputs) =>
  action.pays && !showsDeposit(action.pays, inputs) ? { ...action, pays: null } : action;
