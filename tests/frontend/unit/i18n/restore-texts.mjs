// Removes the texts that a test adds to the page's tables, because all tests share these tables.
import { languages } from "../../../../frontend-static/i18n/tables.js";

/** Restore the tables of texts when the test ends. */
export function restoreTextsAfter(context) {
  const before = structuredClone(languages);
  context.after(() => Object.assign(languages, before));
}
