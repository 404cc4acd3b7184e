/**
 * Draws boards in Node: `node node-render.mjs SLUG LAYOUT LANGUAGE`. Each input line is a JSON
 * object that describes a match's board. For each of them, the program writes the drawing as one
 * line of JSON.
 */

import { createInterface } from "node:readline";

import { still } from "./snapshot.js";
import { drawing, xml } from "./snapshot-svg.js";
import { loadGameTexts, loadLanguage } from "../i18n/tables.js";
import { locale, useLanguage } from "../i18n/language.js";
import { LAYOUTS } from "../layouts/layouts.js";

const [slug, layout, language] = process.argv.slice(2);

/** Replaces the browser's localStorage, which renderers read. The replacement stores nothing. */
globalThis.localStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

useLanguage(language);
const [renderer, { default: boards }] = await Promise.all([
  import(`../games/${slug}/renderer.js`),
  LAYOUTS[layout](),
  loadLanguage(locale()),
  loadGameTexts(slug, (name) => import(`../games/${slug}/messages/${name}.json`, { with: { type: "json" } })),
]);

/** @param {string} line */
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
