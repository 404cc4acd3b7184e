/** The leaderboard of each game, and one player's figures. */

import { copier } from "./parts/copy.js";
import { figuresOf, leaderboardOf } from "../app/lobby/leaderboards.js";
import { h } from "../lib/dom.js";
import { ADDRESS } from "../lib/patterns.js";
import { playerLink } from "./parts/labels.js";
import { age, t } from "../i18n/translate.js";

/** @import { App } from "../app/app.js" */
/** @import { CachedAnswer } from "../app/lobby/leaderboards.js" */
/** @import { GameInfo, Json } from "../types.js" */
/** @typedef {Pick<App, "accounts"|"leaderboards"|"opponents"|"redraw"|"server"|"ui">} Needs What it uses of the page. */

const COUNTS = ["played", "won", "lost", "drawn"];

/** @param {CachedAnswer|undefined} found */
const waiting = (found) =>
  h("p", { class: "hint", role: found?.why ? "alert" : "status" }, found?.why ?? t("page.loading"));

/** @param {number|null} rating */
const ratingText = (rating) => (rating === null ? "–" : rating.toFixed(0));

/** @param {Needs} app */
export function leaderboardPage(app) {
  return [
    h(
      "main",
      { id: "main", class: "lobby standings" },
      h("h1", null, t("players.heading")),
      h("p", { class: "lead" }, t("players.lead")),
      finder(app),
      app.opponents.list.length > 0 && peopleOnly(app),
      h(
        "div",
        { class: "cards" },
        [...app.server.games.values()].map((game) => leaderboard(app, game)),
      ),
      h("p", null, h("a", { href: "#/" }, t("page.to-lobby"))),
    ),
  ];
}

/** @param {Needs} app */
function finder(app) {
  const typed = String(app.ui.typed["find-player"] ?? "").trim();
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (ADDRESS.test(typed)) location.hash = `#/player/${typed}`;
  };
  const type = (/** @type {Event} */ event) => {
    app.ui.typed["find-player"] = /** @type {HTMLInputElement} */ (event.target).value;
    app.redraw();
  };
  const wrong = typed !== "" && !ADDRESS.test(typed);
  return h(
    "form",
    { class: "finder", onsubmit: go },
    h(
      "label",
      { class: "field address" },
      t("players.find"),
      h("input", {
        id: "find-player",
        value: typed,
        placeholder: "0x…",
        autocomplete: "off",
        spellcheck: false,
        oninput: type,
        "aria-describedby": "find-why",
      }),
    ),
    h("button", { id: "find-go", type: "submit", disabled: !ADDRESS.test(typed) }, t("players.go")),
    h("p", { class: "why", id: "find-why" }, wrong ? t("players.no-address") : ""),
  );
}

/** @param {Needs} app */
function peopleOnly(app) {
  const change = (/** @type {Event} */ event) => {
    app.ui.peopleOnly = /** @type {HTMLInputElement} */ (event.target).checked;
    app.redraw();
  };
  const box = { id: "people-only", type: "checkbox", checked: app.ui.peopleOnly, onchange: change };
  return h("label", { class: "field bool" }, h("span", null, t("players.people")), h("input", box));
}

/** @param {Needs} app @param {GameInfo} game */
function leaderboard(app, { slug, title }) {
  const found = app.leaderboards.of(leaderboardOf(slug, app.ui.peopleOnly));
  const players = /** @type {Json[]|undefined} */ (found?.answer?.players);
  const heads = [...["rank", "player", "rating"], ...COUNTS].map((key) =>
    h("th", { scope: "col", class: ["player"].includes(key) ? "" : "number" }, t(`players.${key}`)),
  );
  const rows = (players ?? []).map(({ rank, address, rating, ...counts }) =>
    h(
      "tr",
      { key: address, "data-player": address, "data-mine": Boolean(app.accounts.find(address)) },
      h("td", { class: "number" }, String(rank)),
      h("td", null, playerLink(address), app.accounts.find(address) && h("span", { class: "tag" }, t("match.you"))),
      h("td", { class: "number" }, ratingText(rating)),
      COUNTS.map((key) => h("td", { class: "number" }, String(counts[key]))),
    ),
  );
  const table = rows.length
    ? h("table", null, h("thead", null, h("tr", null, heads)), h("tbody", null, rows))
    : h("p", { class: "hint" }, t("players.nobody"));
  return h(
    "section",
    { class: "card", key: slug, id: `leaderboard-${slug}`, "aria-labelledby": `best-${slug}` },
    h("h2", { id: `best-${slug}` }, title),
    players ? table : waiting(found),
  );
}

/** @param {Needs} app @param {string} address */
export function playerPage(app, address) {
  const found = app.leaderboards.of(figuresOf(address));
  const answer = found?.answer;
  return [
    h(
      "main",
      { id: "main", class: "lobby standings", "data-player": address },
      h("h1", null, t("players.one")),
      h(
        "p",
        { class: "row whole" },
        h("span", { class: "mono" }, answer?.address ?? address),
        copier(app, answer?.address ?? address, "copy-player", t("match.copy-address", { address })),
      ),
      answer ? figures(app, answer) : waiting(found),
      h("p", null, h("a", { href: "#/players" }, t("players.all"))),
    ),
  ];
}

/** @param {Needs} app @param {Json} answer */
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
          { class: "number", "data-figure": key },
          key === "rating" ? ratingText(one.rating) : String(one[key] ?? "–"),
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
    answer.last && h("p", { class: "hint" }, t("players.last", { age: age(Date.now() / 1000 - answer.last) })),
  ];
}
