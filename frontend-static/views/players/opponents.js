/** A player's opponents, with the number of matches against each of them and the results. */

import { t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";
import { playerLink } from "../parts/labels.js";

/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Json } from "../../types.js" */
/** @typedef {{server: ServerState}} Uses */

/** @param {Uses} app @param {Json} answer the server's answer @param {string} game the game of all rows, or "" if the rows are about several games */
export function opponentList(app, { rivals: opponents, total }, game) {
  if (!opponents.length) return h("p", { class: "hint" }, t("players.no-rivals"));
  return [
    h(
      "ul",
      { class: "rows", id: "rivals" },
      opponents.map((/** @type {Json} */ one) => row(app, one, !game)),
    ),
    total > opponents.length && h("p", { class: "hint" }, t("players.more-rivals", { n: total - opponents.length })),
  ];
}

/** @param {Uses} app @param {Json} opponent @param {boolean} named true if the row contains the game's name */
function row(app, { address, game, played, won, lost, drawn, difference }, named) {
  const title = app.server.games.get(game)?.title ?? game;
  return h(
    "li",
    { class: "match-row", key: `${game} ${address}`, "data-rival": address, "data-of-game": game },
    playerLink(address),
    named && h("span", { class: "hint" }, title),
    h(
      "span",
      { class: "number", "data-record": `${won}-${lost}-${drawn}` },
      t("players.record", { n: played, won, lost, drawn }),
    ),
    h("span", { class: "figures" }, distance(Math.round(difference))),
  );
}

/** @param {number} n the change in the player's rating, in points */
function distance(n) {
  if (n === 0) return t("players.level");
  return n > 0 ? t("players.ahead", { n }) : t("players.behind", { n: -n });
}
