/** The page where a player chooses the settings of a match before opening it. */

import { gameKey, t } from "../i18n/translate.js";
import { h } from "../lib/dom.js";
import { openingAction } from "../app/lobby/opponents.js";
import { newMatchForm } from "./parts/new-match-form.js";

/** @typedef {import("./parts/new-match-form.js").Uses} Uses */

/** @param {Uses} app @param {string} slug */
export function newPage(app, slug) {
  const game = app.server.games.get(slug);
  const create = game && openingAction(game);
  if (!game || !create) {
    const text =
      app.server.health && app.server.games.size ? t("page.no-such-game", { game: slug }) : t("page.loading");
    return [
      h(
        "main",
        { id: "main", class: "alone" },
        h(
          "div",
          { class: "card nothing", role: "status" },
          h("h1", null, t("lobby.new")),
          h("p", null, text),
          h("a", { href: "#/", class: "button" }, t("page.to-lobby")),
        ),
      ),
    ];
  }
  return [
    h(
      "main",
      { id: "main", class: "new-page", "data-new": slug, "data-game": slug },
      h("h1", null, t("lobby.new-of", { game: game.title })),
      h("p", { class: "lead" }, t(gameKey(slug, "game.lead"))),
      h("div", { class: "card" }, newMatchForm(app, game, create, true)),
    ),
  ];
}
