// Loads the page's texts in all languages as soon as a test imports this module. Loads a game's
// texts on request.
import { readFile } from "node:fs/promises";

import { LANGUAGES } from "../../../frontend-static/i18n/language.js";
import { addGameTexts, loadLanguage } from "../../../frontend-static/i18n/tables.js";

const names = Object.keys(LANGUAGES);
await Promise.all(names.map(loadLanguage));

/** Load a game's texts in all languages into the page's tables. @param {string} slug */
export async function gameTexts(slug) {
  const games = new URL("../../../frontend-static/games/", import.meta.url);
  const read = async (name) => [
    name,
    JSON.parse(await readFile(new URL(`${slug}/messages/${name}.json`, games), "utf8")),
  ];
  const texts = Object.fromEntries(await Promise.all(names.map(read)));
  addGameTexts(slug, texts);
  return texts;
}
