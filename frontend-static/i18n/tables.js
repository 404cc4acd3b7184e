/** The tables of each language: loaded when it is spoken, those of a game when the game is there. */

import { DEFAULT, locale } from "./language.js";

/** Of a parsed message, as intl-messageformat has it. @typedef {{type: number, value: any, options?: Record<string, {value: Part[]}>}} Part */
/** A message of ICU. The built page has parsed those with choices: it holds no parser. @typedef {string|Part[]} Message */
/** @typedef {Record<string, Message>} Messages By their keys. */
/** @typedef {(language: string) => Promise<{default: Messages}>} LoadMessages Rejects where there are none of the language. */

/** Texts by language, those of the page and of its games. @type {Record<string, Messages>} */
export const languages = {};

/** The languages whose texts of the page are there. @type {Set<string>} */
const loaded = new Set();

/** @type {Map<string, LoadMessages>} */
const games = new Map();

/**
 * Adds the texts of a game. Each of its keys begins with its slug, so that no game speaks for another one or for the page.
 * @param {string} slug @param {Record<string, Messages>} texts a table per language
 */
export function addGameTexts(slug, texts) {
  const foreign = Object.values(texts)
    .flatMap(Object.keys)
    .filter((key) => !key.startsWith(`${slug}.`));
  if (foreign.length) throw new Error(`${slug} can't name the texts ${foreign.join(", ")}`);
  for (const [name, table] of Object.entries(texts)) Object.assign((languages[name] ??= {}), table);
}

/** Loads a game's texts in the page's language, and in each that is spoken later; in English where it has none. @param {string} slug @param {LoadMessages} load */
export async function loadGameTexts(slug, load) {
  games.set(slug, load);
  await loadOfGame(slug, load, locale());
}

/** Loads what the page says in a language. Rejects when it can't be loaded. @param {string} name */
export async function loadLanguage(name) {
  await Promise.all([loadOfPage(name), ...[...games].map(([slug, load]) => loadOfGame(slug, load, name))]);
}

/** @param {string} name */
async function loadOfPage(name) {
  if (loaded.has(name)) return;
  const found = await import(`./messages/${name}.json`, { with: { type: "json" } });
  languages[name] = { ...found.default, ...languages[name] };
  loaded.add(name);
}

/** @param {string} slug @param {LoadMessages} load @param {string} name */
async function loadOfGame(slug, load, name) {
  const found = await load(name).catch((error) => {
    if (name === DEFAULT) throw error;
    return load(DEFAULT);
  });
  addGameTexts(slug, { [name]: found.default });
}
