/** The lobby, the page with the games, the player's own matches, and all players' matches. */

import { h } from "../../lib/dom.js";
import { t } from "../../i18n/translate.js";
import { titleOf } from "../parts/labels.js";
import { gameCard } from "./game-card.js";
import { lists } from "./lists.js";
import { ownMatches } from "./own-matches.js";

/** @import { AbandonedMatches } from "../../app/lobby/abandoned.js" */
/** @import { Child } from "../../lib/dom.js" */
/** @typedef {import("./game-card.js").Uses & import("./lists.js").Uses & import("./own-matches.js").Uses & {abandoned: AbandonedMatches}} Uses */

/** @param {Uses} app @param {Child} [foot] shown below everything else */
export function lobbyPage(app, foot) {
  const { accounts, server } = app;
  const { list, why, isAnswered } = app.opponents;
  const hasComputer = list.length > 0 || !(why || isAnswered); // until the server answers, assume that there are computer players, so that nothing moves later
  const lead = `lobby.lead${hasComputer ? "" : "-people"}${accounts.sponsorship.isFree(accounts.me) ? "" : "-paid"}`;
  return [
    h(
      "main",
      { id: "main", class: "lobby" },
      h(
        "div",
        { class: "welcome" },
        h("h1", null, t("lobby.heading")),
        h(
          "p",
          { class: "lead" },
          h("span", { class: !server.health && "unknown" }, t(lead)),
          " ",
          h("a", { href: "#/players", id: "to-players" }, t("lobby.to-players")),
        ),
      ),
      isLoaded(app)
        ? [closedWhileAway(app), ownMatches(app), h("div", { class: "cards" }, games(app)), lists(app), foot]
        : h("p", { class: "hint arrivals", role: "status" }, t(hasNoGames(app) ? "lobby.no-games" : "page.loading")),
    ),
  ];
}

/** Return a note that names the matches that the page has closed by itself. @param {Uses} app */
function closedWhileAway(app) {
  const closed = [...app.abandoned.closing].filter(([, { state }]) => state === "mined" || state === "final");
  const names = closed.map(([match]) => titleOf(app, match)).join(", ");
  return (
    names && h("p", { key: "closed-away", class: "hint", id: "closed-away" }, t("lobby.closed-away", { match: names }))
  );
}

/** @param {Uses} app */
const games = (app) => [...app.server.games.values()].map((game) => gameCard(app, game));

/**
 * Return true if all data for the lobby is loaded. The lobby appears as a whole, so that nothing
 * moves later. @param {Uses} app
 */
const isLoaded = ({ myMatches, server }) =>
  server.games.size > 0 && Boolean(server.board("lobby")) && (myMatches.isAnswered || server.connection !== "live");

/** @param {Uses} app */
const hasNoGames = ({ server }) => Boolean(server.health && server.head) && server.games.size === 0;
