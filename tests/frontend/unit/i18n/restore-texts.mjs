// Removes the texts that a test adds to the page's tables, which all tests share.
import { languages } from "../../../../frontend-static/i18n/tables.js";

/** Restore the tables of texts when a test ends. */
export function restoreTextsAfter(context) {
  const before = structuredClone(languages);
  context.after(() => Object.assign(languages, before));
}
