/** The way from a match to its game's rules, which lead back to it. */

import { t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";

/** @import { App } from "../../app/app.js" */
/** @typedef {Pick<App, "playback"|"server">} Needs What it uses of the page. */

/** @param {Needs} app @param {string} match */
export function rulesLink({ playback, server }, match) {
  if (!server.renderer(match)?.rules) return null;
  const seq = playback.playhead?.seq;
  return h("a", { id: "to-rules", class: "small", href: `#/rules/${match}${seq ? `@${seq}` : ""}` }, t("rules.open"));
}
