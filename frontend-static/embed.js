/**
 * The entry point of `/embed/GAME/ID`, the page that other sites show in a frame. It shows a match
 * to watchers and has no keys.
 */

import { loadFirstParts } from "./app/loading/first-parts.js";
import { locale, restoreLanguage } from "./i18n/language.js";
import { loadLanguage } from "./i18n/tables.js";

restoreLanguage();
const parts = Promise.all([import("./views/framed-match.js"), loadLanguage(locale())]);
await loadFirstParts(parts.then(([{ start }]) => start()));
