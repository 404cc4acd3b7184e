// Texts that a test adds to the page's tables, and their removal: all tests share these tables.
import { languages } from "../../../../frontend-static/i18n/tables.js";

/** Put the tables of texts back when a test ends. */
export function keepTexts(context) {
  const before = structuredClone(languages);
  context.after(() => Object.assign(languages, before));
}
