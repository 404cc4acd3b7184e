/** Looks up messages by key, and inserts arguments into them. */

import { IntlMessageFormat } from "intl-messageformat";
import { DEFAULT, PSEUDO, language, locale } from "./language.js";
import { pseudo } from "./pseudo.js";
import { clockLength } from "./quantities.js";
import { languages } from "./tables.js";

export { age, ago, duration } from "./quantities.js";

/** @import { Message } from "./tables.js" */
/** @import { I18nText, Json } from "../types.js" */
/** @typedef {(args: Json) => string} FillIn */

/** For each language, a map from each message to its compiled function. @type {Record<string, Map<Message, FillIn>>} */
const compiled = {};
/** @type {Record<string, ReturnType<typeof formattersOf>>} */
const formattersBy = {};
const ARGUMENT = /\{(\w+)\}/;
/**
 * Matches a message that contains a choice, such as a plural. Other messages have only plain
 * arguments.
 */
const CHOICE = /\{\w+,/;

/** Return the message in the page's language, or in English if that language lacks it. @param {string} key @returns {Message|undefined} */
function messageOf(key) {
  for (const name of [locale(), DEFAULT]) if (Object.hasOwn(languages[name] ?? {}, key)) return languages[name][key];
  return undefined;
}

/** @param {string} key */
export const has = (key) => messageOf(key) !== undefined;

/**
 * Return the text for a key. If the key is unknown, return the key itself, so that the mistake is
 * visible on the page.
 * @param {string} key @param {Json} [args]
 */
export function t(key, args = {}) {
  const found = messageOf(key);
  if (found === undefined) return key;
  const message = language === PSEUDO ? pseudo(found) : found;
  return typeof message === "string" && !message.includes("{") ? message : fillIn(message, args);
}

/** The symbol of the chain's coin, which replaces `{coin}` in all messages. */
let coin = "ETH";

/** @param {string} symbol the coin's symbol, as the server reports it */
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

/**
 * Return Intl's formatters for a language. They are created only once, because creating formatters
 * is slow. intl-messageformat would create its own. @param {string} tag
 */
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

/** A proxy handler that replaces missing arguments with an empty text. @type {ProxyHandler<Json>} */
const NOTHING_MISSING = { has: () => true, get: (args, name) => args[String(name)] ?? "" };

/**
 * Compile a message to a function that fills in arguments. Most messages contain only plain
 * arguments. For these messages, joining the parts is faster than a formatter.
 * @param {Message} message @param {string} tag the message's language @returns {FillIn}
 */
function compile(message, tag) {
  if (typeof message === "string" && !CHOICE.test(message)) {
    const parts = message.split(ARGUMENT); // every second part is the name of an argument
    return (args) => parts.map((part, i) => (i % 2 ? String(args[part] ?? "") : part)).join("");
  }
  const formatters = (formattersBy[tag] ??= formattersOf(tag));
  const format = new IntlMessageFormat(/** @type {any} */ (message), tag, undefined, { ignoreTag: true, formatters });
  return (args) => String(format.format(new Proxy(args, NOTHING_MISSING)));
}

/** @param {I18nText} phrase */
export const translate = ({ key, args }) => t(key, args);

/** Find the first key that has a text, and return its text. If no key has one, return `otherwise`. @param {string[]} keys @param {string} otherwise */
export function firstText(keys, otherwise) {
  const key = keys.find(has);
  return key ? t(key) : otherwise;
}

/**
 * Return the key of a text. If the game has its own text, return the key of that text. Otherwise,
 * return the key of the text that all games share.
 * @param {string} slug @param {string} key
 */
export const gameKey = (slug, key) => (has(`${slug}.${key}`) ? `${slug}.${key}` : key);

/** Shorten a hash to its first two and last two digits: `0x70…c8`. @param {string} hex */
export const shortHex = (hex) => `${hex.slice(0, 4)}…${hex.slice(-2)}`;

/**
 * Shorten an address to its first four and last four digits: `0x7099…79c8`. Use this for decisions
 * about money: an attacker needs about four billion tries to find an address with the same eight
 * digits.
 * @param {string} hex
 */
export const longHex = (hex) => `${hex.slice(0, 6)}…${hex.slice(-4)}`;

/** Return the time per move as text. If it's 0, return a text that says that there is no clock. @param {number} seconds */
export const span = (seconds) => (seconds ? clockLength(seconds) : t("clock.none"));
