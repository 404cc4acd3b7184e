/** The page with a game's rules: a short text and example boards. */

import { gameKey, t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";
import { boardHost } from "../parts/board-host.js";

/** @import { LiveMatches } from "../../app/match/live.js" */
/** @import { ServerState } from "../../app/server-state.js" */
/** @import { RuleBoard } from "../../types.js" */
/** @typedef {{live: LiveMatches, server: ServerState}} Uses */

const LINES = [1, 2, 3];

/** @param {Uses} app @param {string} slug @param {string} [origin] the match and event from which the player opened the rules */
export function rulesPage(app, slug, origin) {
  const title = app.server.games.get(slug)?.title;
  const rules = app.server.renderers.get(slug)?.rules;
  if (!title || !rules) return [messagePage(app, slug)];
  return [
    h(
      "main",
      { id: "main", class: "rules-page", "data-rules": slug, "data-game": slug },
      h("h1", null, t("rules.heading", { game: title })),
      LINES.map((n) => h("p", { class: "rule" }, t(gameKey(slug, `rules.line-${n}`)))),
      h(
        "section",
        { class: "rule-boards", "aria-label": t("rules.boards") },
        rules.map((one, i) => example(app, slug, one, i)),
      ),
      app.server.renderers.get(slug)?.hasTutorial &&
        h("a", { id: "rules-learn", class: "button", href: `#/learn/${origin ?? slug}` }, t("learn.open")),
      origin
        ? h("a", { id: "rules-back", class: "button", href: `#/match/${origin}` }, t("rules.back"))
        : h("a", { id: "rules-back", class: "button", href: "#/" }, t("rules.play")),
    ),
  ];
}

/** @param {Uses} app @param {string} slug @param {RuleBoard} one @param {number} i */
const example = (app, slug, { board, caption }, i) =>
  h(
    "figure",
    { key: `rule-${i}`, "data-rule-board": i },
    boardHost(app.live.withBoard(board), `${slug}/rules-${i}`, true),
    h("figcaption", null, t(caption)),
  );

/** @param {Uses} app @param {string} slug */
function messagePage(app, slug) {
  const loaded = app.server.health && app.server.games.size;
  return h(
    "main",
    { id: "main", class: "alone" },
    h(
      "div",
      { class: "card nothing", role: "status" },
      h("p", null, loaded ? t("rules.none", { game: slug }) : t("page.loading")),
      h("a", { href: "#/", class: "button" }, t("page.to-lobby")),
    ),
  );
}
