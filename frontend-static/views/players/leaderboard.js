/** The page with the leaderboard of each game. */

import { leaderboardPath } from "../../app/lobby/leaderboards.js";
import { h } from "../../lib/dom.js";
import { ADDRESS } from "../../lib/patterns.js";
import { t, translate } from "../../i18n/translate.js";
import { playerLink, ratingText } from "../parts/labels.js";

/** @import { Leaderboards } from "../../app/lobby/leaderboards.js" */
/** @import { Nicknames } from "../../server/nicknames.js" */
/** @import { Opponents } from "../../app/lobby/opponents.js" */
/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Ui } from "../../app/ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { CachedAnswer } from "../../app/lobby/leaderboards.js" */
/** @import { GameInfo, Json } from "../../types.js" */
/** @typedef {{accounts: Accounts, leaderboards: Leaderboards, nicknames: Nicknames, opponents: Opponents, redraw: () => void, server: ServerState, ui: Ui}} Uses */

export const COUNTS = ["played", "won", "lost", "drawn"];

/** @param {CachedAnswer|undefined} found */
export const waitingNote = (found) =>
  h(
    "p",
    { class: "hint", role: found?.why ? "alert" : "status" },
    found?.why ? translate(found.why) : t("page.loading"),
  );

/** @param {Uses} app */
export function leaderboardPage(app) {
  return [
    h(
      "main",
      { id: "main", class: "lobby standings" },
      h("h1", null, t("players.heading")),
      h("p", { class: "lead" }, t("players.lead"), " ", t("players.unsure-why")),
      playerSearch(app),
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

/** Return a form that finds a player by nickname or address. @param {Uses} app */
function playerSearch(app) {
  const { nicknames, ui } = app;
  const read = () => String(ui.typed["find-player"] ?? "").trim();
  const typed = read();
  const go = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = read(); // read the field, because Enter can come before the page has stored the last letter
    const address = ADDRESS.test(text) || !text ? text : await nicknames.find(text);
    if (address && read() === text) location.hash = `#/player/${address}`;
  };
  const type = (/** @type {Event} */ event) => {
    ui.typed["find-player"] = /** @type {HTMLInputElement} */ (event.target).value;
    app.redraw();
  };
  const why = typed === nicknames.missing?.name ? nicknames.missing.why : null;
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
        autocomplete: "off",
        spellcheck: false,
        oninput: type,
        "aria-describedby": "find-why",
      }),
    ),
    h("button", { id: "find-go", type: "submit", disabled: !typed }, t("players.go")),
    h("p", { class: "why", id: "find-why", role: "status", "data-why": why?.key }, why ? translate(why) : ""),
  );
}

/** @param {Uses} app */
function peopleOnly(app) {
  const change = (/** @type {Event} */ event) => {
    app.ui.peopleOnly = /** @type {HTMLInputElement} */ (event.target).checked;
    app.redraw();
  };
  const box = { id: "people-only", type: "checkbox", checked: app.ui.peopleOnly, onchange: change };
  return h("label", { class: "field bool" }, h("span", null, t("players.people")), h("input", box));
}

/** @param {Uses} app @param {GameInfo} game */
function leaderboard(app, { slug, title }) {
  const found = app.leaderboards.of(leaderboardPath(slug, app.ui.peopleOnly));
  const players = /** @type {Json[]|undefined} */ (found?.answer?.players);
  const heads = [...["rank", "player", "rating"], ...COUNTS].map((key) =>
    h("th", { scope: "col", class: key === "player" ? "" : "number", "data-column": key }, t(`players.${key}`)),
  );
  const rows = (players ?? []).map(({ rank, address, rating, rivals, ...counts }) =>
    h(
      "tr",
      { key: address, "data-player": address, "data-mine": Boolean(app.accounts.find(address)) },
      h("td", { class: "number" }, String(rank)),
      h(
        "td",
        { class: "who" },
        playerLink(address),
        app.accounts.find(address) && h("span", { class: "tag" }, t("match.you")),
      ),
      h("td", { class: "number" }, ratingText(rating, rivals)),
      COUNTS.map((key) => h("td", { class: "number", "data-column": key }, String(counts[key]))),
    ),
  );
  const table = rows.length
    ? h("table", null, h("thead", null, h("tr", null, heads)), h("tbody", null, rows))
    : h("p", { class: "hint" }, t("players.nobody"));
  return h(
    "section",
    { class: "card", key: slug, id: `leaderboard-${slug}`, "aria-labelledby": `best-${slug}` },
    h("h2", { id: `best-${slug}` }, title),
    players ? table : waitingNote(found),
  );
}
