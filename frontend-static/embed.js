/**
 * The entry point of `/embed/GAME/ID`. Other sites show this page in a frame. It shows a match to
 * people who watch it, and it has no keys.
 */

import { loadFirstParts } from "./app/loading/first-parts.js";
import { locale, restoreLanguage } from "./i18n/language.js";
import { loadLanguage } from "./i18n/tables.js";

restoreLanguage();
const parts = Promise.all([import("./views/framed-match.js"), loadLanguage(locale())]);
await loadFirstParts(parts.then(([{ start }]) => start()));
