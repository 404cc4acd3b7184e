/** A player's page: the name, the figures, the ratings, the opponents and the matches. */

import { careerPaths, showPart } from "../../app/lobby/career.js";
import { playerPath } from "../../app/lobby/leaderboards.js";
import { age, t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";
import { playerName, ratingText } from "../parts/labels.js";
import { addressLine, namingForm } from "../parts/name-card.js";
import { challengeSection } from "./challenge.js";
import { ratingCurve } from "./curve.js";
import { COUNTS, waitingNote } from "./leaderboard.js";
import { matchList } from "./matches.js";
import { opponentList } from "./opponents.js";

/** @import { Leaderboards } from "../../app/lobby/leaderboards.js" */
/** @import { CachedAnswer } from "../../app/lobby/leaderboards.js" */
/** @import { CareerPart } from "../../app/ui.js" */
/** @import { Json } from "../../types.js" */
/** @typedef {import("./matches.js").Uses & import("./challenge.js").Uses & {leaderboards: Leaderboards}} Uses */

/** @param {Uses} app @param {string} player */
export function playerPage(app, player) {
  const found = app.leaderboards.of(playerPath(player));
  const answer = found?.answer;
  const address = answer?.address ?? player;
  return [
    h(
      "main",
      { id: "main", class: "lobby standings player-page", "data-player": player },
      h("h1", null, playerName(address)),
      h(
        "div",
        { class: "identity" },
        addressLine(app, address, "copy-player", "player-address"),
        namingForm(app, address, app.accounts.find(address)),
      ),
      challengeSection(app, address),
      answer ? figures(app, answer) : waitingNote(found),
      answer && answer.games.length > 0 && career(app, player, answer.games),
      h("p", { key: "all" }, h("a", { href: "#/players" }, t("players.all"))),
    ),
  ];
}

/**
 * Return the player's curves, matches and opponents. When the viewer selects another game or page,
 * keep the old data until all the new data is loaded, so that the page moves only once.
 * @param {Uses} app @param {string} player @param {Json[]} games
 */
function career(app, player, games) {
  const { part, before } = app.ui.career;
  const isThere = (/** @type {CareerPart} */ one) =>
    answersOfPart(app, player, one).every(({ answer, why }) => answer || why);
  const visible = [part, before].find((one) => one && isThere(one));
  return h(
    "div",
    { class: "career", key: "career", "aria-busy": String(visible !== part) },
    games.length > 1 && gameFilter(app, games),
    visible ? sections(app, player, visible) : waitingNote(undefined),
  );
}

/** @param {Uses} app @param {string} path @returns {CachedAnswer} */
const answerOf = (app, path) => app.leaderboards.of(path) ?? { at: 0 };

/** @param {Uses} app @param {string} player @param {CareerPart} part */
function answersOfPart(app, player, part) {
  const { running, finished, opponents, curves } = careerPaths(app, player, part);
  return [...running, finished, opponents, ...curves.map(({ path }) => path)].map((path) => answerOf(app, path));
}

/** @param {Uses} app @param {string} player @param {CareerPart} part */
function sections(app, player, part) {
  const paths = careerPaths(app, player, part);
  const of = (/** @type {string} */ path) => answerOf(app, path);
  const opponents = of(paths.opponents);
  return [
    h(
      "div",
      { class: "curves", key: "curves" },
      paths.curves.map(({ game, path }) => {
        const { answer } = of(path);
        return answer ? ratingCurve(app, game, answer) : waitingNote(of(path));
      }),
    ),
    matchList(app, "running", paths.running.map(of), part),
    h(
      "section",
      { class: "list", key: "rivals", "aria-labelledby": "rivals-title" },
      h("h2", { id: "rivals-title" }, t("players.rivals")),
      opponents.answer ? opponentList(app, opponents.answer, part.game) : waitingNote(opponents),
    ),
    matchList(app, "finished", [of(paths.finished)], part),
  ];
}

/** @param {Uses} app @param {Json[]} games */
function gameFilter(app, games) {
  const { game } = app.ui.career.part;
  const choose = (/** @type {Event} */ event) =>
    showPart(app, { game: /** @type {HTMLSelectElement} */ (event.target).value, cursors: [] });
  const option = (/** @type {string} */ value, /** @type {string} */ text) =>
    h("option", { value, selected: game === value }, text);
  return h(
    "div",
    { class: "filters", key: "games" },
    h(
      "select",
      { id: "career-game", "aria-label": t("lobby.filter.game"), onchange: choose },
      option("", t("lobby.filter.all-games")),
      games.map((one) => option(one.game, app.server.games.get(one.game)?.title ?? one.game)),
    ),
  );
}

/** @param {Uses} app @param {Json} answer */
function figures(app, answer) {
  if (answer.games.length === 0) return h("p", { class: "hint", id: "never-played" }, t("players.never"));
  const keys = ["rating", "rank", ...COUNTS, "running", "open"];
  const heads = [
    h("th", { scope: "col" }, t("players.game")),
    ...keys.map((key) => h("th", { scope: "col", class: "number" }, t(`players.${key}`))),
  ];
  const rows = answer.games.map((/** @type {Json} */ one) =>
    h(
      "tr",
      { key: one.game, "data-game-of": one.game },
      h("th", { scope: "row" }, app.server.games.get(one.game)?.title ?? one.game),
      keys.map((key) =>
        h(
          "td",
          { class: "number", "data-figure": key, "data-label": t(`players.${key}`) },
          key === "rating" ? ratingText(one.rating, one.rivals) : String(one[key] ?? "–"),
        ),
      ),
    ),
  );
  return [
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": t("players.one") },
      h("table", { id: "figures" }, h("thead", null, h("tr", null, heads)), h("tbody", null, rows)),
    ),
    answer.games.some((/** @type {Json} */ one) => one.played > 0) &&
      h("p", { class: "hint", key: "unsure" }, t("players.unsure-why")),
    answer.last &&
      h("p", { class: "hint", key: "last" }, t("players.last", { age: age(Date.now() / 1000 - answer.last) })),
  ];
}
