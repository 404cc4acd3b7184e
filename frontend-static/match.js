/** One match: the board, and beside it who plays, what can be done and what happened. */

import { actionList } from "./actions.js";
import { h } from "./dom.js";
import { feed } from "./feed.js";
import { boardHost, copier } from "./parts.js";
import { players } from "./players.js";
import { boardHash } from "./board.js";
import { ofGame, say, short, t } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Json, Renderer } from "./types.js" */

/** @param {App} app @param {string} match */
export function matchPage(app, match) {
  const [slug, id] = match.split("/");
  const game = app.games.get(slug);
  const renderer = app.renderers.get(slug);
  const board = app.board(match);
  const missing = app.missing.get(match) ?? (app.health && !game ? slug : undefined);
  if (missing !== undefined && !board) return [h("main", { id: "main", class: "alone" }, nothing(match))];
  if (game && app.health && !renderer) return [h("main", { id: "main", class: "alone" }, h("p", { role: "alert" }, t("page.no-renderer", { game: game.title })))];
  if (!game || !renderer || !board) return [h("main", { id: "main", class: "match-page" }, h("h1", { class: "unseen" }, match), h("div", { class: "stage" }, boardHost(app, match, false), h("p", { class: "hint", role: "status" }, t("page.loading"))))];
  return [h("main", { id: "main", class: "match-page", "data-match": match, "data-status": board.status },
    h("div", { class: "stage", vars: { "--ratio": board.width / board.height } }, banner(app, slug, board), boardHost(app, match, false), caption(app, slug, match, renderer), timeLine(app, match)),
    h("div", { class: "side" },
      h("header", { class: "head" }, h("h1", null, t("match.title", { game: game.title, id })), h("p", { id: "whose", class: "whose", "data-status": board.status, "aria-live": "polite" }, say(renderer.whose(board)))),
      lonely(app, match, board, renderer),
      players(app, match, renderer),
      actionList(app, game, match),
      feed(app, match, renderer),
      inWords(app, slug, match, renderer),
    ))];
}

/** @param {string} match */
function nothing(match) {
  return h("div", { class: "card nothing", role: "alert" }, h("h1", null, t("page.nothing-there")), h("p", null, t("page.no-such-match", { match })), h("a", { href: "#/", class: "button" }, t("page.to-lobby")));
}

/** @param {App} app @param {string} slug @param {Json} board */
function banner(app, slug, board) {
  if (board.status !== "finished" && board.status !== "cancelled") return null;
  const name = short(board.winner ?? "0x");
  const mine = board.players?.[app.me];
  const own = board.winner && app.account(board.winner);
  const cases = { cancelled: "match.cancelled", draw: "match.draw", won: own && board.winner === app.me ? "match.you-won" : mine && !own ? "match.you-lost" : "match.won" };
  const key = board.status === "cancelled" ? cases.cancelled : (cases[/** @type {"won"} */ (board.reason)] ?? "match.ended");
  return h("div", { id: "banner", class: "banner", role: "status", "data-reason": board.reason, key: "banner" }, h("strong", null, t(ofGame(slug, key), { name })), h("a", { href: "#/", class: "button" }, t("match.again")));
}

/** What is under the pointer, and what the colours of a piece's map mean. @param {App} app @param {string} slug @param {string} match @param {Renderer} renderer */
function caption(app, slug, match, renderer) {
  const view = app.view(match);
  const codes = renderer.legend(view);
  const said = app.ui.pointed >= 0 && app.ui.pointed < view.board.width * view.board.height ? renderer.describe(view, app.ui.pointed) : "";
  const legend = codes.length > 0 && h("span", { class: "legend", id: "legend" }, h("span", null, t(ofGame(slug, "match.legend"), { unit: app.ui.selected })), codes.map((code) => h("span", { class: `code ${code.key.split(".").at(-1)}` }, h("i"), say(code))));
  return h("p", { class: "caption", id: "caption" }, h("span", { class: "cell" }, said), legend);
}

/** Where the match stands. The place of the time line, along which a later issue lets one go back. @param {App} app @param {string} match */
function timeLine(app, match) {
  const entry = app.socket.entries.get(match);
  if (!entry) return null;
  const hash = hashOf(entry.board);
  return h("div", { class: "time-line", id: "time-line" },
    h("span", { "data-seq": entry.seq }, t("match.position", { seq: entry.seq, height: entry.block.height })),
    h("span", { class: "mono", title: hash }, t("match.hash", { hash: hash.slice(0, 10) })),
    copier(app, `${location.origin}${location.pathname}#/match/${match}`, "copy-link", t("match.copy-link"), t("match.copy-link")));
}

/** @type {WeakMap<object, string>} */
const hashes = new WeakMap();

/** @param {Json} board */
function hashOf(board) {
  const hash = hashes.get(board) ?? boardHash(board);
  hashes.set(board, hash);
  return hash;
}

/** @param {App} app @param {string} match @param {Json} board @param {Renderer} renderer */
function lonely(app, match, board, renderer) {
  if (board.status !== "open" || renderer.seats(board).length !== 1) return null;
  const link = `${location.origin}${location.pathname}#/match/${match}`;
  return h("section", { class: "card lonely", id: "lonely", key: "lonely" },
    h("h2", null, t("match.waiting")),
    h("p", { class: "hint" }, t("match.waiting-lead")),
    h("div", { class: "row" },
      h("input", { class: "link", id: "link", readonly: true, value: link, "aria-label": t("match.copy-link"), onfocus: (/** @type {Event} */ e) => /** @type {HTMLInputElement} */ (e.target).select() }),
      copier(app, link, "send-link", t("match.copy-link"), t("match.copy-link"))),
    h("button", { id: "both-sides", type: "button", onclick: () => void bothSides(app, match) }, t("match.both-sides")),
  );
}

/** A second wallet of this browser takes the other side: an unused one there is, or a new one. @param {App} app @param {string} match */
async function bothSides(app, match) {
  const seated = app.board(match)?.players ?? {};
  const other = app.accounts.find(({ address, kind }) => kind === "browser" && !seated[address]);
  if (other) app.use(other);
  else app.makeAccount();
  await app.fund(app.me);
  const game = app.games.get(match.split("/")[0]);
  const join = game?.actions.find(({ name }) => name === app.renderers.get(game.slug)?.join);
  if (game && join) app.act(game.slug, join, match, {});
}

/** The board for who can't see it. @param {App} app @param {string} slug @param {string} match @param {Renderer} renderer */
function inWords(app, slug, match, renderer) {
  const view = app.view(match);
  const { board } = view;
  const picture = renderer.picture(view);
  const rows = picture.pieces.map(({ id, cell }) => h("li", { key: id }, renderer.describe(view, cell)));
  return h("section", { class: "unseen", "aria-label": t("match.text-board") }, h("ul", { id: "board-text" }, rows.length ? rows : h("li", null, t(ofGame(slug, "match.nobody")))), h("p", null, say(renderer.whose(board))));
}
