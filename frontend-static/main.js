/**
 * The entry point of the page. It requests the texts while the rest of the page is still loading.
 */

import { loadFirstParts } from "./app/loading/first-parts.js";
import { locale, restoreLanguage } from "./i18n/language.js";
import { loadLanguage } from "./i18n/tables.js";

restoreLanguage();
const parts = Promise.all([import("./page.js"), loadLanguage(locale())]);
await loadFirstParts(parts.then(([{ start }]) => start()));
