/** Texts by their keys: those that all games share, one table per language, and what each game adds. */

import { en } from "./en.js";

/** @import { I18nText, Json } from "../types.js" */

/** @type {Record<string, Record<string, string>>} */
export const languages = { en };
const language = "en";

/**
 * Adds the texts of a game. Each of its keys begins with its slug, so that no game speaks for another one or for the page.
 * @param {string} slug @param {Record<string, Record<string, string>>} texts a table per language
 */
export function addGameTexts(slug, texts) {
  const foreign = Object.values(texts)
    .flatMap(Object.keys)
    .filter((key) => !key.startsWith(`${slug}.`));
  if (foreign.length) throw new Error(`${slug} can't name the texts ${foreign.join(", ")}`);
  for (const [name, table] of Object.entries(texts)) languages[name] = { ...languages[name], ...table };
}

/** @param {string} key */
export const has = (key) => Object.hasOwn(languages[language], key);

/**
 * A text. An unknown key shows itself, so that it is seen.
 * @param {string} key @param {Json} [args]
 */
export function t(key, args = {}) {
  const template = has(key) ? languages[language][key] : key;
  return template.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) => {
    if (one === undefined) return String(args[name] ?? "");
    return Number(args[name]) === 1 ? one : many;
  });
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
  computers.has(address) ? t("opponents.named", { name: computers.get(address) }) : "";

/** `0x70…c8`, two digits and two: enough to distinguish the players of one match in a sentence; a computer by its name. @param {string} hex an address or a hash */
export const shortHex = (hex) => computerName(hex) || `${hex.slice(0, 4)}…${hex.slice(-2)}`;

/** `0x7099…79c8`, four and four, where money is decided: 32 bits, so that nobody finds another that looks alike in a second. @param {string} hex */
export const longHex = (hex) => `${hex.slice(0, 6)}…${hex.slice(-4)}`;

/** @param {number} seconds */
export function age(seconds) {
  if (seconds < 60) return t("age.seconds", { n: Math.max(0, Math.round(seconds)) });
  if (seconds < 3600) return t("age.minutes", { n: Math.floor(seconds / 60) });
  if (seconds < 172_800) return t("age.hours", { n: Math.floor(seconds / 3600) });
  return t("age.days", { n: Math.floor(seconds / 86_400) });
}

/** A time in words: `90 seconds`, `2 minutes`, `1 hour 30 minutes`. @param {number} seconds */
export function duration(seconds) {
  if (seconds < 120) return t("clock.long-seconds", { n: seconds });
  const parts = {
    "whole-days": Math.floor(seconds / 86_400),
    hours: Math.floor(seconds / 3600) % 24,
    "long-minutes": Math.floor(seconds / 60) % 60,
    "long-seconds": seconds % 60,
  };
  return Object.entries(parts)
    .filter(([, n]) => n)
    .map(([unit, n]) => t(`clock.${unit}`, { n }))
    .join(" ");
}

/** A clock's length as one chooses it. @param {number} seconds */
export function span(seconds) {
  if (seconds === 0) return t("clock.none");
  if (seconds % 86_400 === 0) return t("clock.whole-days", { n: seconds / 86_400 });
  if (seconds % 3600 === 0) return t("clock.hours", { n: seconds / 3600 });
  return seconds % 60 === 0 ? t("clock.minutes", { n: seconds / 60 }) : t("age.seconds", { n: seconds });
}
