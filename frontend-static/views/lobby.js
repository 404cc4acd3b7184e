/** The lobby: a card a game with a board that moves, and the matches. */

import { termsLine } from "./parts/agreement.js";
import { hasEnded } from "../lib/board.js";
import { h } from "../lib/dom.js";
import { fileSection as fileOpener } from "./replay-file.js";
import { closeness } from "../app/lobby/my-matches.js";
import { awaiting, finished, firstRows, joinable, lobbyEntry, running, unlisted } from "../app/lobby/rows.js";
import { boardHost } from "./parts/board-host.js";
import { badge, computerMark, playerLink, titleOf } from "./parts/labels.js";
import { newMatchForm, openingAction } from "./parts/new-match-form.js";
import { playComputer } from "./parts/opponents.js";
import { age, computers, gameKey, shortHex, t } from "../i18n/translate.js";

/** @import { App } from "../app/app.js" */
/** @import { Action, GameInfo, Summary } from "../types.js" */
/** @typedef {Pick<App, "accounts"|"goTo"|"live"|"myMatches"|"opponents"|"redraw"|"server"|"setAddress"|"submitAction"|"tokens"|"transactions"|"ui"|"why"|"whyCantSend">} Needs What it uses of the page. */

/** Where there is room, the options of a new match are open from the start. */
const wide = window.matchMedia("(min-width: 56.01rem)");

/** @param {Needs} app */
export function lobbyPage(app) {
  const loading =
    app.server.games.size === 0 &&
    h("p", { class: "hint", role: "status" }, app.server.health ? t("lobby.no-games") : t("page.loading"));
  return [
    h(
      "main",
      { id: "main", class: "lobby" },
      h("h1", null, t("lobby.heading")),
      h(
        "p",
        { class: "lead" },
        t("lobby.lead"),
        " ",
        h("a", { href: "#/players", id: "to-players" }, t("lobby.to-players")),
      ),
      loading,
      h(
        "div",
        { class: "cards" },
        [...app.server.games.values()].map((game) => card(app, game)),
      ),
      lists(app),
      fileOpener(app),
    ),
  ];
}

/** @param {Needs} app @param {GameInfo} game */
function card(app, game) {
  const { slug } = game;
  const create = openingAction(game);
  const best = awaiting(app, slug);
  const stopped = !best && !app.server.renderers.get(slug)?.hasNewMatchPage && Boolean(app.whyCantSend());
  return h(
    "article",
    { class: "card game", id: `game-${slug}`, key: slug, "data-game": slug },
    preview(app, game),
    h(
      "div",
      { class: "about" },
      h("h2", null, game.title),
      h("p", { class: "hint" }, t(gameKey(slug, "game.lead"))),
      best && joinable(app, best) && agreed(app, best),
      h(
        "button",
        { id: `play-${slug}`, type: "button", class: "loud", disabled: stopped, onclick: () => play(app, game) },
        t("lobby.play"),
      ),
      create && playComputer(app, game, create),
    ),
    create && options(app, game, create),
  );
}

/** The game's featured match; without one the board that a match begins with. @param {Needs} app @param {GameInfo} game */
function preview(app, { slug, title, start }) {
  const { featured: match, board } = lobbyEntry(app, slug);
  if (!match)
    return h(
      "div",
      { class: "peek" },
      boardHost(app.live.withBoard(start ?? null), `${slug}/0`, true),
      h("span", { class: "peek-note" }, t("lobby.no-match")),
    );
  const known = board ?? app.server.board(match);
  const id = match.split("/")[1];
  const live = app.server.board("lobby")?.matches[match]?.status === "playing";
  return h(
    "a",
    { class: "peek", href: `#/match/${match}`, "data-featured": match, "aria-label": `${title} ${id}` },
    boardHost(app.live.withBoard(known), match, true),
    h("span", { class: "peek-note" }, t(live ? "lobby.live" : "lobby.last", { id })),
  );
}

/** What one agrees to in the match that Play leads to. @param {Needs} app @param {Summary} summary */
function agreed(app, summary) {
  return termsLine(app, summary, `terms-${summary.game}`, (terms) =>
    t("lobby.awaits", { match: titleOf(app, summary.match), terms }),
  );
}

/** Opens a match: by inputs here, or on the game's own page. @param {Needs} app @param {GameInfo} game @param {Action} create */
function options(app, game, create) {
  if (app.server.renderers.get(game.slug)?.hasNewMatchPage)
    return h(
      "div",
      { class: "options" },
      h("a", { id: `new-${game.slug}`, class: "button", href: `#/new/${game.slug}` }, t("lobby.new")),
    );
  return h(
    "details",
    { class: "options", open: wide.matches },
    h("summary", null, t("lobby.own")),
    newMatchForm(app, game, create, false),
  );
}

/** To the match that awaits one; else a new one is opened, and shown when it is there. @param {Needs} app @param {GameInfo} game */
function play(app, game) {
  const best = awaiting(app, game.slug);
  const create = openingAction(game);
  if (best) location.hash = `#/match/${best.match}`;
  else if (app.server.renderers.get(game.slug)?.hasNewMatchPage) location.hash = `#/new/${game.slug}`;
  else if (create && !app.why("", create, {}, app.accounts.me, game.slug))
    app.goTo(app.submitAction(game.slug, create, ""));
}

/** @param {Needs} app */
const lists = (app) =>
  app.server.board("lobby") && [list(app, "running", running(app)), list(app, "finished", finished(app))];

/** @param {Needs} app @param {"running"|"finished"} which @param {Summary[]} rows */
function list(app, which, rows) {
  const headings = ["match", "players", "state", "moves", "age"].map((key) =>
    h("th", { scope: "col", class: `col-${key}` }, t(`lobby.${key}`)),
  );
  const empty = h("p", { class: "hint" }, t(`lobby.none-${which}`));
  const turns = which === "running" ? rows.filter((match) => closeness(app, match) === 0).length : 0;
  const first = app.ui.all === which ? rows : firstRows(app, rows);
  return h(
    "section",
    { key: which, class: "list", "aria-labelledby": `list-${which}` },
    h("h2", { id: `list-${which}` }, t(`lobby.${which}`)),
    turns > 0 && h("p", { class: "hint", id: "your-turn" }, t("lobby.your-turns", { n: turns })),
    rows.length === 0
      ? empty
      : h(
          "table",
          { id: `matches-${which}` },
          h("thead", null, h("tr", null, headings)),
          h(
            "tbody",
            null,
            first.map((match) => row(app, match)),
          ),
        ),
    first.length < rows.length &&
      h(
        "button",
        {
          id: `all-${which}`,
          type: "button",
          class: "small",
          onclick: () => {
            app.ui.all = which;
            app.redraw();
          },
        },
        t("lobby.show-all", { n: rows.length }),
      ),
    which === "running" && more(app, rows),
  );
}

/** How many the list lacks, and whose most of them are. @param {Needs} app @param {Summary[]} rows */
function more(app, rows) {
  const { n, byOpener } = unlisted(app, rows);
  return [
    n > byOpener.reduce((sum, one) => sum + one.n, 0) &&
      h("p", { class: "hint", id: "unlisted" }, t("lobby.more", { n })),
    byOpener.length > 0 &&
      h(
        "ul",
        { class: "more", id: "more-open" },
        byOpener.map(({ key, title, opener, n }) =>
          h(
            "li",
            { key, class: "hint", "data-more": opener },
            t("lobby.more-by", { game: title, n }),
            " ",
            playerLink(opener),
          ),
        ),
      ),
  ];
}

/** @param {Needs} app @param {Summary} summary */
function row(app, summary) {
  const { match, game, players, status, ply, time, opponent, mover, morePlayers = 0 } = summary;
  const names = players
    .slice(0, 3)
    .map((address, seat) =>
      h("span", { class: "seat" }, badge(seat, app.server.renderers.get(game)), playerLink(address)),
    );
  const rest = players.length > 3 ? h("span", { class: "hint" }, `+${players.length - 3 + morePlayers}`) : null;
  const terms = hasEnded(summary) ? null : termsLine(app, summary);
  const turn = !hasEnded(summary) && closeness(app, summary) === 0;
  const playing = turn && status === "playing";
  const mine =
    players.some((address) => app.accounts.find(address)) &&
    h(
      "span",
      { class: playing ? "tag loud" : "tag", title: playing ? mover : "" },
      t(playing ? "lobby.your-turn" : "lobby.yours"),
    );
  const invitation =
    status === "open" &&
    opponent &&
    h(
      "span",
      { class: opponent === app.accounts.me ? "tag loud" : "tag", title: opponent, "data-for": opponent },
      computerMark(opponent),
      opponent === app.accounts.me
        ? t("lobby.for-you")
        : t("lobby.for", { name: computers.get(opponent) ?? shortHex(opponent) }),
    );
  return h(
    "tr",
    { key: match, "data-match": match, "data-status": status, "data-game": game, "data-turn": turn },
    h("td", { class: "col-match" }, h("a", { href: `#/match/${match}` }, titleOf(app, match)), mine, terms),
    h(
      "td",
      { class: "col-players" },
      h("div", null, names.length ? [names, rest] : h("span", { class: "hint" }, t("lobby.no-players")), invitation),
    ),
    h("td", { class: "col-state" }, h("span", { class: `status ${status}` }, t(`status.${status}`))),
    h("td", { class: "col-moves number" }, String(app.server.renderers.get(game)?.moveCount?.(ply) ?? ply)),
    h("td", { class: "col-age number" }, t("age.ago", { age: age(Date.now() / 1000 - time) })),
  );
}
