/** One match: the board, and beside it who plays, what can be done and what happened. */

import { seatOf } from "./acting.js";
import { actionList, latest } from "./actions.js";
import { checkMark } from "./checkmark.js";
import { clock } from "./clock.js";
import { h } from "./dom.js";
import { banner } from "./ending.js";
import { feed } from "./feed.js";
import { invitation } from "./invitation.js";
import { trouble } from "./life.js";
import { boardHost, copier, pictureOf } from "./parts.js";
import { players } from "./players.js";
import { boardHash } from "./board.js";
import { isLost } from "./states.js";
import { ofGame, say, t } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { GameInfo, Json, Phrase, Picture, Renderer } from "./types.js" */

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
  const view = app.view(match);
  const over = board.status === "finished" || board.status === "cancelled";
  return [h("main", { id: "main", class: "match-page", "data-match": match, "data-status": board.status, "data-game": slug },
    h("div", { class: "stage", vars: { "--ratio": ratio(app, game, match, renderer) } },
      banner(app, slug, board), boardHost(app, match, false), caption(app, slug, match, renderer), timeLine(app, match),
      over && renderer.afterword && h("section", { class: "afterword", id: "afterword", key: "afterword" }, renderer.afterword(view))),
    h("div", { class: "side" },
      head(app, game, id, board, renderer),
      invitation(app, match, board, renderer),
      players(app, match, renderer),
      renderer.notices?.(view),
      actionList(app, game, match, renderer),
      feed(app, match, renderer),
      inWords(app, slug, match, renderer),
    ))];
}

/** Width over height of the board as it is drawn now. @param {App} app @param {GameInfo} game @param {string} match @param {Renderer} renderer */
function ratio(app, game, match, renderer) {
  const picture = pictureOf(app, match, renderer);
  if (!picture) return 1;
  return app.layouts.get(game.layout)?.ratio?.(picture) ?? picture.width / picture.height;
}

/** What it is, whose turn, and the clock where it is nobody's in particular. @param {App} app @param {GameInfo} game @param {string} id @param {Json} board @param {Renderer} renderer */
function head(app, game, id, board, renderer) {
  const { slug, title } = game;
  const before = board.rematchOf && h("p", { class: "hint", id: "rematch-of" }, t("match.rematch-of"), " ", h("a", { href: `#/match/${slug}/${board.rematchOf}` }, t("match.title", { game: title, id: board.rematchOf })));
  return h("header", { class: "head" },
    h("h1", null, t("match.title", { game: title, id })),
    before,
    h("div", { class: "row" },
      h("p", { id: "whose", class: "whose", "data-status": board.status, "aria-live": "polite" }, say(stand(renderer, board, app.me))),
      board.mover ? null : clock(board, app.now())));
}

/** Whose turn it is; before the match, and after a reorg or a new chain took it away: that there is none. @param {Renderer} renderer @param {Json} board @param {string} me @returns {Phrase} */
const stand = (renderer, board, me) => (board.status === "none" ? { key: "why.not-opened" } : renderer.whose(board, me));

/** @param {string} match */
function nothing(match) {
  return h("div", { class: "card nothing", role: "alert" }, h("h1", null, t("page.nothing-there")), h("p", null, t("page.no-such-match", { match })), h("a", { href: "#/", class: "button" }, t("page.to-lobby")));
}

/** What is under the pointer, what the board refused, and what the colours of a piece's map mean. @param {App} app @param {string} slug @param {string} match @param {Renderer} renderer */
function caption(app, slug, match, renderer) {
  const view = app.view(match);
  const codes = renderer.legend?.(view) ?? [];
  const pointed = app.ui.pointed >= 0 && app.ui.pointed < cells(pictureOf(app, match, renderer));
  const said = pointed ? renderer.describe(view, app.ui.pointed) : "";
  const legend = codes.length > 0 && h("span", { class: "legend", id: "legend" }, h("span", null, t(ofGame(slug, "match.legend"), { unit: app.ui.selected })), codes.map(code));
  return h("div", { class: "caption", id: "caption" }, refusal(app, match), h("span", { class: "cell" }, said), legend);
}

/** @param {Phrase} phrase */
function code(phrase) {
  const kind = phrase.key.split(".").at(-1);
  return h("span", { class: `code ${kind}` }, h("i", { vars: { "--kind": `var(--field-${kind}, var(--ground-line))` } }), say(phrase));
}

/** Why the cell that was pressed is no move: by the page before it is sent, or by the contract. @param {App} app @param {string} match */
function refusal(app, match) {
  const { refused } = app;
  if (refused?.match === match && refused.seq === app.socket.entries.get(match)?.seq) {
    return h("span", { class: "refused", id: "board-why", key: "board-why", role: "alert", "data-why": refused.why.key }, say(refused.why));
  }
  const last = app.transactions.list.findLast((tx) => tx.match === match && tx.cell !== undefined && seatOf(tx) === app.me);
  const ended = last && last === latest(app, match, last.action) && isLost(last);
  return ended ? trouble(last) : null;
}

/** @param {Picture|null} picture @returns {number} */
const cells = (picture) => (picture?.parts ?? [picture]).reduce((sum, part) => sum + (part ? part.width * part.height : 0), 0);

/** Where the match stands. The place of the time line, along which a later issue lets one go back. @param {App} app @param {string} match */
function timeLine(app, match) {
  const entry = app.socket.entries.get(match);
  if (!entry) return null;
  const hash = hashOf(entry.board);
  return h("div", { class: "time-line", id: "time-line" },
    h("span", { "data-seq": entry.seq }, t("match.position", { seq: entry.seq, height: entry.block.height })),
    h("span", { class: "mono", title: hash }, t("match.hash", { hash: hash.slice(0, 10) })),
    checkMark(app, match),
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

/** The board for who can't see it: where something is. @param {App} app @param {string} slug @param {string} match @param {Renderer} renderer */
function inWords(app, slug, match, renderer) {
  const view = app.view(match);
  const picture = pictureOf(app, match, renderer);
  const rows = (picture ? placesOf(picture) : []).map(({ id, cell }) => h("li", { key: id }, renderer.describe(view, cell)));
  return h("section", { class: "unseen", "aria-label": t("match.text-board") }, h("ul", { id: "board-text" }, rows.length ? rows : h("li", null, t(ofGame(slug, "match.nobody")))), h("p", null, say(stand(renderer, view.board, view.me))));
}

/** The pieces, and what a board of several parts shows without any, by cells that are counted on from part to part. @param {Picture} picture */
function placesOf(picture) {
  let first = 0;
  return (picture.parts ?? [picture]).flatMap((part, i) => {
    const marked = picture.parts ? [...part.marks.map(({ cell }) => cell), ...part.lines.map(({ from }) => from)] : [];
    const shown = [...part.pieces, ...[...new Set(marked)].map((cell) => ({ id: `cell-${cell}`, cell }))];
    const places = shown.map(({ id, cell }) => ({ id: `${i}-${id}`, cell: cell + first }));
    first += part.width * part.height;
    return places;
  });
}
