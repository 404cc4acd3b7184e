/** Texts by their keys, filled in. */

import { IntlMessageFormat } from "intl-messageformat";
import { DEFAULT, PSEUDO, language, locale } from "./language.js";
import { pseudo } from "./pseudo.js";
import { clockLength } from "./quantities.js";
import { languages } from "./tables.js";

export { age, ago, duration } from "./quantities.js";

/** @import { Message } from "./tables.js" */
/** @import { I18nText, Json } from "../types.js" */
/** @typedef {(args: Json) => string} FillIn */

/** Messages ready to be filled in, by language and text. @type {Record<string, Map<Message, FillIn>>} */
const compiled = {};
/** @type {Record<string, ReturnType<typeof formattersOf>>} */
const formattersBy = {};
const ARGUMENT = /\{(\w+)\}/;
/** A message with more than values in it, such as a plural. */
const CHOICE = /\{\w+,/;

/** A text in the page's language; in English where a game's table lacks it. @param {string} key @returns {Message|undefined} */
function messageOf(key) {
  for (const name of [locale(), DEFAULT]) if (Object.hasOwn(languages[name] ?? {}, key)) return languages[name][key];
  return undefined;
}

/** @param {string} key */
export const has = (key) => messageOf(key) !== undefined;

/**
 * A text. An unknown key shows itself, so that it is seen.
 * @param {string} key @param {Json} [args]
 */
export function t(key, args = {}) {
  const found = messageOf(key);
  if (found === undefined) return key;
  const message = language === PSEUDO ? pseudo(found) : found;
  return typeof message === "string" && !message.includes("{") ? message : fillIn(message, args);
}

/** What the chain calls its coin: `{coin}` in any text. */
let coin = "ETH";

/** @param {string} symbol as the server says it */
export function nameCoin(symbol) {
  coin = symbol;
}

export const coinSymbol = () => coin;

/** @param {Message} message @param {Json} args */
function fillIn(message, args) {
  const messages = (compiled[locale()] ??= new Map());
  let made = messages.get(message);
  if (!made) messages.set(message, (made = compile(message, locale())));
  return made({ coin, ...args });
}

/** Intl's own parts, made once a language; intl-messageformat would look for them by their options at each message. @param {string} tag */
function formattersOf(tag) {
  const [numbers, ordinals, cardinals] = [
    new Intl.NumberFormat(tag),
    new Intl.PluralRules(tag, { type: "ordinal" }),
    new Intl.PluralRules(tag),
  ];
  return {
    /** @param {any} _ @param {any} [options] */
    getNumberFormat: (_, options) => (options ? new Intl.NumberFormat(tag, options) : numbers),
    /** @param {any} _ @param {any} [options] */
    getPluralRules: (_, options) => (options?.type === "ordinal" ? ordinals : cardinals),
    /** @param {any} _ @param {any} [options] */
    getDateTimeFormat: (_, options) => new Intl.DateTimeFormat(tag, options),
  };
}

/** What is not given is filled in as nothing. @type {ProxyHandler<Json>} */
const NOTHING_MISSING = { has: () => true, get: (args, name) => args[String(name)] ?? "" };

/**
 * Most messages only have values in them, which a drawing fills in thousands of times: these are joined here.
 * @param {Message} message @param {string} tag of its language @returns {FillIn}
 */
function compile(message, tag) {
  if (typeof message === "string" && !CHOICE.test(message)) {
    const parts = message.split(ARGUMENT); // every other one is the name of a value
    return (args) => parts.map((part, i) => (i % 2 ? String(args[part] ?? "") : part)).join("");
  }
  const formatters = (formattersBy[tag] ??= formattersOf(tag));
  const format = new IntlMessageFormat(/** @type {any} */ (message), tag, undefined, { ignoreTag: true, formatters });
  return (args) => String(format.format(new Proxy(args, NOTHING_MISSING)));
}

/** @param {I18nText} phrase */
export const translate = ({ key, args }) => t(key, args);

/** The first of these texts that exists; else the last argument. @param {string[]} keys @param {string} otherwise */
export function firstText(keys, otherwise) {
  const key = keys.find(has);
  return key ? t(key) : otherwise;
}

/** The key of a game's own text, if it has one; else of the shared one. @param {string} slug @param {string} key */
export const gameKey = (slug, key) => (has(`${slug}.${key}`) ? `${slug}.${key}` : key);

/** `0x70…c8`, two digits and two. @param {string} hex a hash */
export const shortHex = (hex) => `${hex.slice(0, 4)}…${hex.slice(-2)}`;

/** `0x7099…79c8`, four and four, where money is decided: 32 bits, so that nobody finds another that looks alike in a second. @param {string} hex */
export const longHex = (hex) => `${hex.slice(0, 6)}…${hex.slice(-4)}`;

/** A clock's length as one chooses it. @param {number} seconds */
export const span = (seconds) => (seconds ? clockLength(seconds) : t("clock.none"));
