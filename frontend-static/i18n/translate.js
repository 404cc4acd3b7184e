/** Texts by their keys: those that all games share, a table per language, and what each game adds. */

import { IntlMessageFormat } from "intl-messageformat";
import { DEFAULT, PSEUDO, language, locale } from "./language.js";
import { pseudo } from "./pseudo.js";
import { clockLength } from "./quantities.js";
import en from "./messages/en.json" with { type: "json" };
import fr from "./messages/fr.json" with { type: "json" };
import zh from "./messages/zh.json" with { type: "json" };

export { age, ago, duration } from "./quantities.js";

/** @import { I18nText, Json } from "../types.js" */
/** @typedef {(args: Json) => string} FillIn */

/** @type {Record<string, Record<string, string>>} */
export const languages = { en: { ...en }, fr: { ...fr }, zh: { ...zh } };

/** Messages of ICU, ready to be filled in, by language and text. @type {Record<string, Map<string, FillIn>>} */
const compiled = {};
/** @type {Record<string, ReturnType<typeof formattersOf>>} */
const formattersBy = {};
/** Parts of a message, as intl-messageformat names them. */
const LITERAL = 0;
const ARGUMENT = 1;

/**
 * Adds the texts of a game. Each of its keys begins with its slug, so that no game speaks for another one or for the page.
 * @param {string} slug @param {Record<string, Record<string, string>>} texts a table per language
 */
export function addGameTexts(slug, texts) {
  const foreign = Object.values(texts)
    .flatMap(Object.keys)
    .filter((key) => !key.startsWith(`${slug}.`));
  if (foreign.length) throw new Error(`${slug} can't name the texts ${foreign.join(", ")}`);
  for (const [name, table] of Object.entries(texts)) Object.assign((languages[name] ??= {}), table);
}

/** A text in the page's language; in English where a game's table lacks it. @param {string} key @returns {string|undefined} */
function messageOf(key) {
  for (const name of [locale(), DEFAULT]) if (Object.hasOwn(languages[name], key)) return languages[name][key];
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
  return message.includes("{") ? fillIn(message, args) : message;
}

/** What the chain calls its coin: `{coin}` in any text. */
let coin = "ETH";

/** @param {string} symbol as the server says it */
export function nameCoin(symbol) {
  coin = symbol;
}

export const coinSymbol = () => coin;

/** @param {string} message @param {Json} args */
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

/**
 * Most messages only have values in them, which a drawing fills in thousands of times: these are joined here.
 * @param {string} text @param {string} tag of its language @returns {FillIn}
 */
function compile(text, tag) {
  const formatters = (formattersBy[tag] ??= formattersOf(tag));
  const message = new IntlMessageFormat(text, tag, undefined, { ignoreTag: true, formatters });
  const parts = /** @type {{type: number, value: string}[]} */ (message.getAst());
  if (parts.every(({ type }) => type === LITERAL || type === ARGUMENT))
    return (args) => parts.map(({ type, value }) => (type === LITERAL ? value : String(args[value] ?? ""))).join("");
  const names = [...text.matchAll(/\{(\w+)/g)].map((found) => found[1]);
  const nothing = Object.fromEntries(names.map((name) => [name, ""]));
  return (args) => String(message.format({ ...nothing, ...args }));
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

/** The names of computer players by their addresses, as the server tells them. @type {ReadonlyMap<string, string>} */
export let computers = new Map();

/** The same names stay the same map: who keeps sentences sees whether they are still right. @param {ReadonlyMap<string, string>} names */
export function nameComputers(names) {
  if (String([...names]) !== String([...computers])) computers = names;
}

/** @param {string} address @returns {string} "": it is no computer */
export const computerName = (address) =>
  computers.has(address) ? t("opponents.named", { name: strengthName(computers.get(address) ?? "") }) : "";

/** A computer's strength, with its number if it has one. @param {string} name as the server has it: `lookout 2` */
export const strengthName = (name) => name.replace(/^[a-z][a-z0-9-]*/, (one) => firstText([`strength.${one}`], one));

/** `0x70…c8`, two digits and two: enough to distinguish the players of one match in a sentence; a computer by its name. @param {string} hex an address or a hash */
export const shortHex = (hex) => computerName(hex) || `${hex.slice(0, 4)}…${hex.slice(-2)}`;

/** `0x7099…79c8`, four and four, where money is decided: 32 bits, so that nobody finds another that looks alike in a second. @param {string} hex */
export const longHex = (hex) => `${hex.slice(0, 6)}…${hex.slice(-4)}`;

/** A clock's length as one chooses it. @param {number} seconds */
export const span = (seconds) => (seconds ? clockLength(seconds) : t("clock.none"));
