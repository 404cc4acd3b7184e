/** The lobby: a card a game with a board that moves, and the matches. */

import { fields, inputsOf, whyInputs } from "./actions.js";
import { opens } from "./chain.js";
import { h } from "./dom.js";
import { life, trouble } from "./life.js";
import { badge, boardHost, name } from "./parts.js";
import { age, ofGame, say, t } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Action, GameInfo, Summary, Tx } from "./types.js" */

const LIVES = 5;
const ROWS = 25;

/** @param {App} app @returns {Summary[]} newest first */
export function matches(app) {
  const all = /** @type {Summary[]} */ (Object.values(app.board("lobby")?.matches ?? {}));
  return all.sort((a, b) => b.created - a.created || b.id - a.id);
}

/** The match that a game's card shows: one that is being played, or the latest. @param {App} app @param {string} slug */
export function featured(app, slug) {
  const own = matches(app).filter(({ game }) => game === slug);
  const running = own.filter(({ status }) => status === "playing").sort((a, b) => b.time - a.time);
  return running[0] ?? own.find(({ players }) => players.length > 0) ?? own[0];
}

/** @param {App} app */
export function lobbyPage(app) {
  const loading = app.games.size === 0 && h("p", { class: "hint", role: "status" }, app.health ? t("lobby.no-games") : t("page.loading"));
  return [h("main", { id: "main", class: "lobby" },
    h("h1", null, t("lobby.heading")),
    h("p", { class: "lead" }, t("lobby.lead")),
    loading,
    h("div", { class: "cards" }, [...app.games.values()].map((game) => card(app, game))),
    lists(app),
  )];
}

/** @param {App} app @param {GameInfo} game */
function card(app, game) {
  const shown = featured(app, game.slug);
  const board = shown
    ? h("a", { class: "peek", href: `#/match/${shown.match}`, "aria-label": `${game.title} ${shown.id}` }, boardHost(app, shown.match, true), h("span", { class: "peek-note" }, t(shown.status === "playing" ? "lobby.live" : "lobby.last"), ` · ${shown.id}`))
    : h("div", { class: "peek" }, h("p", { class: "hint" }, t("lobby.no-match")));
  const create = game.actions.find((action) => opens(game, action));
  return h("article", { class: "card game", id: `game-${game.slug}`, key: game.slug, "data-game": game.slug },
    board,
    h("div", { class: "about" },
      h("h2", null, game.title),
      h("p", { class: "hint" }, t(ofGame(game.slug, "game.lead"))),
      h("button", { id: `play-${game.slug}`, type: "button", class: "loud", disabled: !shown && Boolean(app.whyNothing()), onclick: () => play(app, game) }, t("lobby.play")),
      create && opener(app, game, create)));
}

/** Where a visitor can take part at once; else a new match is opened, and shown when it is there. @param {App} app @param {GameInfo} game */
function play(app, game) {
  const open = matches(app).filter((match) => match.game === game.slug && match.status === "open");
  const mine = matches(app).find((match) => match.game === game.slug && match.status === "playing" && match.players.includes(app.me));
  const best = open.find(({ players }) => players.some((player) => player !== app.me)) ?? mine ?? open[0];
  if (best) location.hash = `#/match/${best.match}`;
  else {
    const create = game.actions.find((action) => opens(game, action));
    if (create) app.goTo(app.act(game.slug, create, "", inputsOf(app, game.slug, create)));
  }
}

/** @param {App} app @param {GameInfo} game @param {Action} create */
function opener(app, game, create) {
  const why = app.whyNothing() ?? whyInputs(app, game.slug, create);
  const own = app.transactions.list.filter((tx) => tx.game === game.slug && tx.match === "");
  const id = `new-match-${game.slug}`;
  const go = (/** @type {Event} */ event) => { event.preventDefault(); if (!why) app.act(game.slug, create, "", inputsOf(app, game.slug, create)); };
  return h("form", { class: "opener", "aria-label": t("lobby.new"), onsubmit: go },
    fields(app, game.slug, create, `new-${game.slug}`),
    h("button", { id, type: "submit", disabled: Boolean(why), "aria-describedby": `why-${id}` }, t("lobby.new")),
    h("p", { class: "why", id: `why-${id}` }, why ? say(why) : ""),
    h("ul", { class: "lives", id: `lives-${game.slug}` }, own.slice(-LIVES).map(story)));
}

/** @param {Tx} tx */
function story(tx) {
  const link = tx.opened && h("a", { href: `#/match/${tx.opened}`, "data-opened": tx.opened }, t("tx.opened", { match: tx.opened }));
  return h("li", { key: `story-${tx.id}` }, life(tx), link, trouble(tx));
}

/** @param {App} app */
function lists(app) {
  if (!app.board("lobby")) return null;
  const all = matches(app);
  const over = (/** @type {Summary} */ { status }) => status === "finished" || status === "cancelled";
  return [
    list(app, "running", all.filter((match) => !over(match))),
    list(app, "finished", all.filter(over).sort((a, b) => b.time - a.time)),
  ];
}

/** @param {App} app @param {"running"|"finished"} which @param {Summary[]} rows */
function list(app, which, rows) {
  const head = ["match", "players", "state", "moves", "age"].map((key) => h("th", { scope: "col", class: `col-${key}` }, t(`lobby.${key}`)));
  const empty = h("p", { class: "hint" }, t(`lobby.none-${which}`));
  return h("section", { key: which, class: "list", "aria-labelledby": `list-${which}` },
    h("h2", { id: `list-${which}` }, t(`lobby.${which}`)),
    rows.length === 0 ? empty : h("table", { id: `matches-${which}` }, h("thead", null, h("tr", null, head)), h("tbody", null, rows.slice(0, ROWS).map((match) => row(app, match)))));
}

/** @param {App} app @param {Summary} match */
function row(app, { match, game, id, players, status, ply, time }) {
  const title = t("match.title", { game: app.games.get(game)?.title ?? game, id });
  const shown = players.slice(0, 3).map((address, seat) => h("span", { class: "seat" }, badge(seat), name(address)));
  const rest = players.length > 3 ? h("span", { class: "hint" }, `+${players.length - 3}`) : null;
  const mine = players.some((address) => app.account(address)) && h("span", { class: "tag" }, t("lobby.yours"));
  return h("tr", { key: match, "data-match": match, "data-status": status },
    h("td", { class: "col-match" }, h("a", { href: `#/match/${match}` }, title), mine),
    h("td", { class: "col-players" }, h("div", null, shown.length ? [shown, rest] : h("span", { class: "hint" }, t("lobby.no-players")))),
    h("td", { class: "col-state" }, h("span", { class: `status ${status}` }, t(`status.${status}`))),
    h("td", { class: "col-moves number" }, String(app.renderers.get(game)?.moves(ply) ?? ply)),
    h("td", { class: "col-age number" }, t("age.ago", { age: age(Date.now() / 1000 - time) })));
}
