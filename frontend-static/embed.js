/** The entry of a framed page, `/embed/GAME/ID`: a match for onlookers. What it imports knows no wallet and no account's keys. */

import { firstParts } from "./app/loading/first-parts.js";
import { FramedMatch } from "./app/match/framed.js";
import { draw } from "./lib/dom.js";
import { recallTheme } from "./lib/theme.js";
import { locale, recallLanguage } from "./i18n/language.js";
import { loadLanguage } from "./i18n/tables.js";
import { t } from "./i18n/translate.js";
import { settled } from "./names/names.js";
import { embedPage } from "./views/embed.js";
import { onTimelineKey } from "./views/match/timeline/keys.js";

const ADDRESS = /\/embed\/([a-z0-9-]{1,40}\/[0-9]{1,15})(?:@([0-9]{1,10}))?$/;

const [, match = "", digits = "0"] = ADDRESS.exec(location.pathname) ?? [];
const root = /** @type {HTMLElement} */ (document.getElementById("page"));
let waiting = false;

/** Many changes, one drawing. */
function redraw() {
  if (waiting) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    if (framed.module?.failed) void framed.newVersion.look();
    settled(() => draw(root, [embedPage(framed)]));
    document.title = `${match} · ${t("page.title")}`;
  }, 0);
}

recallLanguage();
await firstParts(loadLanguage(locale()));
recallTheme();
const framed = new FramedMatch(match, redraw);
window.addEventListener("keydown", (event) => {
  if (onTimelineKey(event, framed.playback)) redraw();
});
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
redraw();
void framed.start(Number(digits));
