/** The entry point of the page. It loads the texts and the modules of the page at the same time. */

import { loadFirstParts } from "./app/loading/first-parts.js";
import { locale, restoreLanguage } from "./i18n/language.js";
import { loadLanguage } from "./i18n/tables.js";

restoreLanguage();
const parts = Promise.all([import("./page.js"), loadLanguage(locale())]);
await loadFirstParts(parts.then(([{ start }]) => start()));
