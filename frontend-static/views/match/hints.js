/** A hint for new players. The page reserves space for the hint, so that it covers nothing. */

import { h } from "../../lib/dom.js";
import { gameKey, t } from "../../i18n/translate.js";

/** @import { Hints } from "../../app/match/hints.js" */
/** @import { ServerState } from "../../app/server-state.js" */
/** @typedef {{hints: Hints, server: Pick<ServerState, "renderer">}} Uses */

/** @param {Uses} app @param {string} match */
export function hint({ hints, server }, match) {
  if (!hints.hasRoom(match)) return null;
  const [slug] = match.split("/");
  const close = () => hints.close(match);
  return h(
    "aside",
    { id: "hint", key: "hint", class: hints.isAt(match) ? "first-hint" : "first-hint away", role: "status" },
    h("p", null, t(gameKey(slug, "hints.board"))),
    server.renderer(match)?.hasTutorial && h("a", { id: "hint-learn", href: `#/learn/${match}` }, t("learn.open")),
    h("button", { id: "hint-close", key: "close", type: "button", class: "small", onclick: close }, t("hints.close")),
  );
}
