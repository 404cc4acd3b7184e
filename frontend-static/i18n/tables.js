/**
 * Loads each language's tables of messages. A game's table is loaded only if the game is loaded and
 * the language is in use.
 */

import { DEFAULT, locale } from "./language.js";

/** A part of a message that intl-messageformat has parsed. @typedef {{type: number, value: any, options?: Record<string, {value: Part[]}>}} Part */
/**
 * An ICU message. In the built page, messages with choices are parsed in advance, so the page needs
 * no parser. @typedef {string|Part[]} Message
 */
/** @typedef {Record<string, Message>} Messages A table of messages. The key is the message key. */
/** @typedef {(language: string) => Promise<{default: Messages}>} LoadMessages Loads a table of messages. Rejects if there is no table in the language. */

/** For each language, the messages of the page and of all loaded games. @type {Record<string, Messages>} */
export const languages = {};

/** The languages in which the page's own messages are loaded. @type {Set<string>} */
const loaded = new Set();

/** @type {Map<string, LoadMessages>} */
const games = new Map();

/**
 * Add a game's messages. Each key must begin with the game's slug, so that a game can't replace the
 * messages of the page or of another game.
 * @param {string} slug @param {Record<string, Messages>} texts the game's table for each language
 */
export function addGameTexts(slug, texts) {
  const foreign = Object.values(texts)
    .flatMap(Object.keys)
    .filter((key) => !key.startsWith(`${slug}.`));
  if (foreign.length) throw new Error(`${slug} can't define the texts ${foreign.join(", ")}`);
  for (const [name, table] of Object.entries(texts)) Object.assign((languages[name] ??= {}), table);
}

/**
 * Load a game's texts in the current language, or in English if the game isn't translated. If the
 * player later changes the language, `loadLanguage` loads the game's texts again. @param {string} slug @param {LoadMessages} load
 */
export async function loadGameTexts(slug, load) {
  games.set(slug, load);
  await loadOfGame(slug, load, locale());
}

/**
 * Load the messages of the page and of the loaded games in a language. Rejects if the messages
 * can't be loaded.
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
