/** A match as it is seen: board, players, what happened; the same now, at an earlier moment, and from a file. */

import { clock } from "../../games/shared/clock.js";
import { hasEnded } from "../../lib/board.js";
import { h } from "../../lib/dom.js";
import { banner } from "./result.js";
import { feed } from "./feed.js";
import { boardHost, pictureOf } from "../parts/board-host.js";
import { players } from "./players.js";
import { timeLine } from "./timeline.js";
import { ofGame, say, t } from "../../i18n/translate.js";

/** @import { Child } from "../../lib/dom.js" */
/** @import { Json, Phrase, Picture, Renderer, Stage } from "../../types.js" */

/**
 * What only some matches show, by place: above all, on the board, beside the links below it, beside how it ended, before the
 * players, before and instead of the list of moves.
 * @typedef {Partial<Record<"above"|"refusal"|"links"|"again"|"begin"|"actions", Child|Child[]|null|false|undefined|any>>} Extras
 */

/** @param {Stage} stage @param {string} match @param {Extras} extras */
export function scene(stage, match, { above, refusal, links, again, begin, actions }) {
  const [slug] = match.split("/");
  const renderer = /** @type {Renderer} */ (stage.renderers.get(slug));
  const view = stage.view(match);
  const { board } = view;
  const over = hasEnded(board);
  return h("main", { id: "main", class: "match-page", "data-match": match, "data-status": board.status, "data-game": slug, "data-past": stage.past.at?.seq },
    h("div", { class: "stage", vars: { "--ratio": ratio(stage, match, renderer) } },
      above, boardHost(stage, match, false), caption(stage, match, renderer, refusal), timeLine(stage, match, renderer, links),
      over && renderer.afterword && h("section", { class: "afterword", id: "afterword", key: "afterword" }, renderer.afterword(view))),
    h("div", { class: "side" },
      outcome(stage, match, again),
      head(stage, match, renderer, board),
      begin,
      players(stage, match, renderer),
      actions,
      feed(stage, match, renderer),
      inWords(stage, match, renderer),
    ));
}

/** How it ended, beside the board, which stays as large as it was. @param {Stage} stage @param {string} match @param {any} again */
function outcome(stage, match, again) {
  const shown = banner(stage, match.split("/")[0], stage.board(match) ?? {}, again);
  const { at, last } = stage.past;
  if (shown || !at || !hasEnded(stage.latest(match) ?? {})) return shown;
  return h("div", { id: "before-the-end", class: "banner before", key: "banner" }, h("strong", null, t("past.before-the-end", { seq: at.seq, last })));
}

/** Width over height of the board as it is drawn now. @param {Stage} stage @param {string} match @param {Renderer} renderer */
function ratio(stage, match, renderer) {
  const picture = pictureOf(stage, match, renderer);
  if (!picture) return 1;
  const layout = stage.layouts.get(stage.games.get(match.split("/")[0])?.layout ?? "");
  return layout?.ratio?.(picture) ?? picture.width / picture.height;
}

/** What it is, whose turn, and the clock where it is nobody's in particular. @param {Stage} stage @param {string} match @param {Renderer} renderer @param {Json} board */
function head(stage, match, renderer, board) {
  const [slug, id] = match.split("/");
  const title = stage.games.get(slug)?.title ?? slug;
  const name = t("match.title", { game: title, id: board.rematchOf });
  const leads = stage.link(match, 0).startsWith("#/match/"); // a file leads nowhere
  const before = board.rematchOf && h("p", { class: "hint", id: "rematch-of" }, t("match.rematch-of"), " ", leads ? h("a", { href: `#/match/${slug}/${board.rematchOf}` }, name) : name);
  return h("header", { class: "head" },
    h("h1", null, t("match.title", { game: title, id })),
    before,
    h("div", { class: "row" },
      h("p", { id: "whose", class: "whose", "data-status": board.status, "aria-live": "polite" }, say(stand(renderer, board, stage.order ? stage.me : ""))), // nobody is told to move in the past
      board.mover ? null : clock(board, stage.now())));
}

/** Whose turn it is; before the match, and after a reorg or a new chain took it away: that there is none. @param {Renderer} renderer @param {Json} board @param {string} me @returns {Phrase} */
const stand = (renderer, board, me) => (board.status === "none" ? { key: "why.not-opened" } : renderer.whose(board, me));

/** What is under the pointer, what the board refused, and what the colours of a piece's map mean. @param {Stage} stage @param {string} match @param {Renderer} renderer @param {any} refusal */
function caption(stage, match, renderer, refusal) {
  const view = stage.view(match);
  const codes = renderer.legend?.(view) ?? [];
  const pointed = stage.ui.pointed >= 0 && stage.ui.pointed < cells(pictureOf(stage, match, renderer));
  const said = pointed ? renderer.describe(view, stage.ui.pointed) : "";
  const legend = codes.length > 0 && h("span", { class: "legend", id: "legend" }, h("span", null, t(ofGame(match.split("/")[0], "match.legend"), { unit: stage.ui.selected })), codes.map(code));
  return h("div", { class: "caption", id: "caption" }, refusal, h("span", { class: "cell" }, said), legend);
}

/** @param {Phrase} phrase */
function code(phrase) {
  const kind = phrase.key.split(".").at(-1);
  return h("span", { class: `code ${kind}` }, h("i", { vars: { "--kind": `var(--field-${kind}, var(--ground-line))` } }), say(phrase));
}

/** @param {Picture|null} picture @returns {number} */
const cells = (picture) => (picture?.parts ?? [picture]).reduce((sum, part) => sum + (part ? part.width * part.height : 0), 0);

/** The board for who can't see it: where something is. @param {Stage} stage @param {string} match @param {Renderer} renderer */
function inWords(stage, match, renderer) {
  const view = stage.view(match);
  const picture = pictureOf(stage, match, renderer);
  const rows = (picture ? placesOf(picture) : []).map(({ id, cell }) => h("li", { key: id }, renderer.describe(view, cell)));
  const nobody = t(ofGame(match.split("/")[0], "match.nobody"));
  return h("section", { class: "unseen", "aria-label": t("match.text-board") }, h("ul", { id: "board-text" }, rows.length ? rows : h("li", null, nobody)), h("p", null, say(stand(renderer, view.board, view.me))));
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
