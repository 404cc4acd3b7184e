/** The lobby: a card a game with a board that moves, and the matches. */

import { h } from "./dom.js";
import { opener as fileOpener } from "./filepage.js";
import { closeness } from "./mine.js";
import { opener, opening } from "./new.js";
import { badge, boardHost, playerLink } from "./parts.js";
import { age, ofGame, short, t } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Action, GameInfo, Summary } from "./types.js" */

const ROWS = 25;
/** Where there is room, the options of a new match are open from the start. */
const wide = window.matchMedia("(min-width: 56.01rem)");

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
    h("p", { class: "lead" }, t("lobby.lead"), " ", h("a", { href: "#/players", id: "to-players" }, t("lobby.to-players"))),
    loading,
    h("div", { class: "cards" }, [...app.games.values()].map((game) => card(app, game))),
    lists(app),
    fileOpener(app),
  )];
}

/** @param {App} app @param {GameInfo} game */
function card(app, game) {
  const { slug } = game;
  const shown = featured(app, slug);
  const board = shown
    ? h("a", { class: "peek", href: `#/match/${shown.match}`, "aria-label": `${game.title} ${shown.id}` }, boardHost(app, shown.match, true), h("span", { class: "peek-note" }, t(shown.status === "playing" ? "lobby.live" : "lobby.last"), ` · ${shown.id}`))
    : h("div", { class: "peek" }, h("div", { class: "board small empty" }), h("span", { class: "peek-note" }, t("lobby.no-match")));
  const create = opening(game);
  const stopped = !awaiting(app, slug) && !app.renderers.get(slug)?.composes && Boolean(app.whyNothing());
  return h("article", { class: "card game", id: `game-${slug}`, key: slug, "data-game": slug },
    board,
    h("div", { class: "about" },
      h("h2", null, game.title),
      h("p", { class: "hint" }, t(ofGame(slug, "game.lead"))),
      h("button", { id: `play-${slug}`, type: "button", class: "loud", disabled: stopped, onclick: () => play(app, game) }, t("lobby.play"))),
    create && options(app, game, create));
}

/** A match of one's own making: by what is typed here, or in a place of its own. @param {App} app @param {GameInfo} game @param {Action} create */
function options(app, game, create) {
  if (app.renderers.get(game.slug)?.composes) return h("div", { class: "options" }, h("a", { id: `new-${game.slug}`, class: "button", href: `#/new/${game.slug}` }, t("lobby.new")));
  return h("details", { class: "options", open: wide.matches }, h("summary", null, t("lobby.own")), opener(app, game, create, false));
}

/** Where a visitor can take part at once: invited, open to anyone, being played, or one's own that waits. @param {App} app @param {string} slug */
function awaiting(app, slug) {
  const own = matches(app).filter(({ game }) => game === slug);
  const open = own.filter(({ status }) => status === "open");
  return open.find(({ opponent }) => opponent === app.me)
    ?? open.find(({ opponent, players }) => !opponent && players.some((player) => player !== app.me))
    ?? own.find(({ status, players }) => status === "playing" && players.includes(app.me))
    ?? open.find(({ opponent, players }) => !opponent || players.includes(app.me));
}

/** To such a match; else a new one is opened, and shown when it is there. @param {App} app @param {GameInfo} game */
function play(app, game) {
  const best = awaiting(app, game.slug);
  const create = opening(game);
  if (best) location.hash = `#/match/${best.match}`;
  else if (app.renderers.get(game.slug)?.composes) location.hash = `#/new/${game.slug}`;
  else if (create && !app.why("", create, {}, app.me, game.slug)) app.goTo(app.act(game.slug, create, ""));
}

/** @param {App} app */
function lists(app) {
  if (!app.board("lobby")) return null;
  app.mine.look();
  const all = matches(app);
  const over = (/** @type {Summary} */ { status }) => status === "finished" || status === "cancelled";
  return [
    list(app, "running", app.mine.with(all).filter((match) => !over(match)).sort(byTurn(app))),
    list(app, "finished", all.filter(over).sort((a, b) => b.time - a.time)),
  ];
}

/** Where it is one's own turn, then one's other ones, then the rest; the newest first. @param {App} app @returns {(a: Summary, b: Summary) => number} */
const byTurn = (app) => (a, b) => closeness(app, a) - closeness(app, b) || b.created - a.created || b.id - a.id;

/** @param {App} app @param {"running"|"finished"} which @param {Summary[]} rows */
function list(app, which, rows) {
  const head = ["match", "players", "state", "moves", "age"].map((key) => h("th", { scope: "col", class: `col-${key}` }, t(`lobby.${key}`)));
  const empty = h("p", { class: "hint" }, t(`lobby.none-${which}`));
  const turns = which === "running" ? rows.filter((match) => closeness(app, match) === 0).length : 0;
  return h("section", { key: which, class: "list", "aria-labelledby": `list-${which}` },
    h("h2", { id: `list-${which}` }, t(`lobby.${which}`)),
    turns > 0 && h("p", { class: "hint", id: "your-turn" }, t("lobby.your-turns", { n: turns })),
    rows.length === 0 ? empty : h("table", { id: `matches-${which}` }, h("thead", null, h("tr", null, head)), h("tbody", null, rows.slice(0, ROWS).map((match) => row(app, match)))));
}

/** @param {App} app @param {Summary} summary */
function row(app, summary) {
  const { match, game, id, players, status, ply, time, opponent, mover } = summary;
  const title = t("match.title", { game: app.games.get(game)?.title ?? game, id });
  const shown = players.slice(0, 3).map((address, seat) => h("span", { class: "seat" }, badge(seat, app.renderers.get(game)), playerLink(address)));
  const rest = players.length > 3 ? h("span", { class: "hint" }, `+${players.length - 3}`) : null;
  const turn = status !== "finished" && status !== "cancelled" && closeness(app, summary) === 0;
  const playing = turn && status === "playing";
  const mine = players.some((address) => app.account(address)) && h("span", { class: playing ? "tag loud" : "tag", title: playing ? mover : "" }, t(playing ? "lobby.your-turn" : "lobby.yours"));
  const asked = status === "open" && opponent && h("span", { class: opponent === app.me ? "tag loud" : "tag", title: opponent, "data-for": opponent }, opponent === app.me ? t("lobby.for-you") : t("lobby.for", { name: short(opponent) }));
  return h("tr", { key: match, "data-match": match, "data-status": status, "data-game": game, "data-turn": turn },
    h("td", { class: "col-match" }, h("a", { href: `#/match/${match}` }, title), mine),
    h("td", { class: "col-players" }, h("div", null, shown.length ? [shown, rest] : h("span", { class: "hint" }, t("lobby.no-players")), asked)),
    h("td", { class: "col-state" }, h("span", { class: `status ${status}` }, t(`status.${status}`))),
    h("td", { class: "col-moves number" }, String(app.renderers.get(game)?.moves?.(ply) ?? ply)),
    h("td", { class: "col-age number" }, t("age.ago", { age: age(Date.now() / 1000 - time) })));
}
