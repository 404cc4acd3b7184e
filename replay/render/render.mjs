// The page's renderers, run by Node: a line of JSON in for each moment of a match, a line of JSON out. `node render.mjs FOLDER SLUG
// LAYOUT LANGUAGE`, where FOLDER has the page's modules.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, slug, layout, language] = process.argv.slice(2);
const page = (name) => import(new URL(name, pathToFileURL(`${folder}/`)));

/** What a renderer asks a browser for; nothing is kept. */
globalThis.localStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

const [{ still }, { drawing, xml }, { addGameTexts }, { useLanguage }, renderer, { default: boards }] =
  await Promise.all([
    page("history/snapshot.js"),
    page("history/snapshot-svg.js"),
    page("i18n/translate.js"),
    page("i18n/language.js"),
    page(`games/${slug}.js`),
    page(`layouts/${layout}.js`),
  ]);
addGameTexts(slug, renderer.texts);
useLanguage(language);

function answer(line) {
  try {
    const input = JSON.parse(line);
    const made = still(renderer, input);
    return input.drawn ? { still: made, svg: xml(drawing(made, boards)) } : { still: made };
  } catch (error) {
    return { error: String(error) };
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(answer(line))}\n`);
