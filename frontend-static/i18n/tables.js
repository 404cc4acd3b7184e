/**
 * Loads the message tables of each language. A game's table is loaded when its language is in use
 * and the game is loaded.
 */

import { DEFAULT, locale } from "./language.js";

/** A part of a message that intl-messageformat has parsed. @typedef {{type: number, value: any, options?: Record<string, {value: Part[]}>}} Part */
/**
 * An ICU message. In the built page, messages that have choices are already parsed, so the page
 * contains no parser. @typedef {string|Part[]} Message
 */
/** @typedef {Record<string, Message>} Messages The messages in a table, by key. */
/** @typedef {(language: string) => Promise<{default: Messages}>} LoadMessages Loads a table. Rejects if there are no messages in the language. */

/** The messages of the page and of the loaded games, by language. @type {Record<string, Messages>} */
export const languages = {};

/** The languages whose page messages are loaded. @type {Set<string>} */
const loaded = new Set();

/** @type {Map<string, LoadMessages>} */
const games = new Map();

/**
 * Add a game's messages. Each key must begin with the game's slug, so that a game can't replace
 * other messages.
 * @param {string} slug @param {Record<string, Messages>} texts the game's tables, by language
 */
export function addGameTexts(slug, texts) {
  const foreign = Object.values(texts)
    .flatMap(Object.keys)
    .filter((key) => !key.startsWith(`${slug}.`));
  if (foreign.length) throw new Error(`${slug} can't define the texts ${foreign.join(", ")}`);
  for (const [name, table] of Object.entries(texts)) Object.assign((languages[name] ??= {}), table);
}

/**
 * Load a game's texts in the current language, or in English if the game has no texts in that
 * language. `loadLanguage` loads its texts in other languages. @param {string} slug @param {LoadMessages} load
 */
export async function loadGameTexts(slug, load) {
  games.set(slug, load);
  await loadOfGame(slug, load, locale());
}

/**
 * Load the messages of the page and of the loaded games in a language. Rejects if they can't be
 * loaded.
 * @param {string} name
 */
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
