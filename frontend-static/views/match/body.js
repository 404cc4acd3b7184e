/**
 * Draws a match with its board, players and events. The board is the latest one, an earlier one, or
 * one from a file.
 */

import { hasEnded } from "../../lib/board.js";
import { h } from "../../lib/dom.js";
import { chainFacts, foldedFacts } from "./facts/chain-facts.js";
import { banner } from "./result.js";
import { feed } from "./feed.js";
import { boardHost, describe, pictureOf } from "../parts/board-host.js";
import { players } from "./players/players.js";
import { timeline } from "./timeline/timeline.js";
import { turnLine, turnTextOf } from "./turn-line.js";
import { gameKey, t, translate } from "../../i18n/translate.js";

/** @import { Child } from "../../lib/dom.js" */
/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { I18nText, Json, Picture, Renderer } from "../../types.js" */

/**
 * The elements that only some matches have. Each key is a place on the page. `above`: above the
 * players and the board. `beside`: for a player's address, the elements next to the player's name.
 * `rejection`: below the board. `facts`, `links`: below the timeline. `next`: next to the result.
 * `begin`, `actions`: before the list of moves.
 * @typedef {Partial<Record<"above"|"beside"|"rejection"|"facts"|"links"|"next"|"begin"|"actions", Child|Child[]|null|false|undefined|any>>} Extras
 */

/** @param {MatchContext} matchContext @param {string} match @param {Extras} extras */
export function matchBody(matchContext, match, { above, beside, rejection, facts, links, next, begin, actions }) {
  const [slug] = match.split("/");
  const renderer = /** @type {Renderer} */ (matchContext.renderers.get(slug));
  const context = matchContext.renderContext(match);
  const { board } = context;
  const over = hasEnded(board);
  return h(
    "main",
    {
      id: "main",
      class: "match-page",
      "data-match": match,
      "data-status": board.status,
      "data-game": slug,
      "data-past": matchContext.playback.playhead?.seq,
      vars: { "--ratio": ratio(matchContext, match, renderer) },
    },
    turnLine(matchContext, match, renderer),
    h(
      "div",
      { class: "stage", "data-layout": matchContext.games.get(slug)?.layout },
      above,
      players(matchContext, match, renderer, "top", beside),
      h("div", { class: "table", key: "table" }, boardHost(matchContext, match, false)),
      players(matchContext, match, renderer, "bottom", beside),
      caption(matchContext, match, renderer, rejection),
    ),
    h(
      "div",
      { class: "side" },
      matchHeader(matchContext, match, board),
      outcome(matchContext, match, next),
      begin,
      actions,
      feed(matchContext, match, renderer),
      timeline(matchContext, match, renderer, facts ?? foldedFacts([chainFacts(matchContext, match)]), links),
      inWords(matchContext, match, renderer),
    ),
    over &&
      renderer.endSummary &&
      h("section", { class: "afterword", id: "afterword", key: "afterword" }, renderer.endSummary(context)),
  );
}

/** Return the banner with the match's result, unless the player has closed the banner. @param {MatchContext} matchContext @param {string} match @param {any} next the buttons for the next steps */
function outcome(matchContext, match, next) {
  return matchContext.ui.closedEnd === match
    ? null
    : banner(matchContext, match, matchContext.board(match) ?? {}, next);
}

/** Return the aspect ratio (width / height) at which the board is drawn. @param {MatchContext} matchContext @param {string} match @param {Renderer} renderer */
function ratio(matchContext, match, renderer) {
  const picture = pictureOf(matchContext, match, renderer);
  if (!picture) return 1;
  const layout = matchContext.layouts.get(matchContext.games.get(match.split("/")[0])?.layout ?? "");
  return layout?.ratio?.(picture) ?? picture.width / picture.height;
}

/**
 * Return the header of the match: the title, the number of watchers and, if this match is a
 * rematch, a link to the match before it.
 * @param {MatchContext} matchContext @param {string} match @param {Json} board
 */
function matchHeader(matchContext, match, board) {
  const [slug, id] = match.split("/");
  const title = matchContext.games.get(slug)?.title ?? slug;
  const name = t("match.title", { game: title, id: board.rematchOf });
  const leads = matchContext.link(match, 0).startsWith("#/match/"); // a match in a file has no links to other matches
  const before =
    board.rematchOf &&
    h(
      "p",
      { class: "hint", id: "rematch-of" },
      t("match.rematch-of"),
      " ",
      leads ? h("a", { href: `#/match/${slug}/${board.rematchOf}` }, name) : name,
    );
  const others = spectatorCount(matchContext, match, board);
  const watched =
    others > 0 &&
    h("span", { id: "watchers", class: "hint", "data-others": others }, t("match.watchers", { n: others }));
  return h(
    "header",
    { class: "head" },
    h("div", { class: "row" }, h("h1", null, t("match.title", { game: title, id })), watched),
    before,
  );
}

/** Return the number of watchers other than this page and the players. @param {MatchContext} matchContext @param {string} match @param {Json} board */
function spectatorCount(matchContext, match, { players = {} }) {
  const opponents = Object.keys(players).filter((address) => !matchContext.account(address)).length;
  return (matchContext.watchers?.(match) ?? 0) - 1 - opponents;
}

/**
 * Return the line below the board: a description of the cell under the pointer, the reason why a
 * click was rejected, and the legend for the selected piece.
 * @param {MatchContext} matchContext @param {string} match @param {Renderer} renderer @param {any} rejection
 */
function caption(matchContext, match, renderer, rejection) {
  const context = matchContext.renderContext(match);
  const codes = renderer.legend?.(context) ?? [];
  const pointed =
    matchContext.ui.pointed >= 0 && matchContext.ui.pointed < cells(pictureOf(matchContext, match, renderer));
  const description = pointed ? describe(matchContext, match, renderer, matchContext.ui.pointed) : "";
  const legend =
    codes.length > 0 &&
    h(
      "span",
      { class: "legend", id: "legend" },
      h("span", null, t(gameKey(match.split("/")[0], "match.legend"), { unit: matchContext.ui.selected })),
      codes.map(legendEntry),
    );
  return h("div", { class: "caption", id: "caption" }, rejection, h("span", { class: "cell" }, description), legend);
}

/** @param {I18nText} phrase */
function legendEntry(phrase) {
  const kind = phrase.key.split(".").at(-1);
  return h(
    "span",
    { class: `code ${kind}` },
    h("i", { vars: { "--kind": `var(--field-${kind}, var(--ground-line))` } }),
    translate(phrase),
  );
}

/** @param {Picture|null} picture @returns {number} */
const cells = (picture) =>
  (picture?.parts ?? [picture]).reduce((sum, part) => sum + (part ? part.width * part.height : 0), 0);

/** Return a description of the board's occupied cells, for screen readers. @param {MatchContext} matchContext @param {string} match @param {Renderer} renderer */
function inWords(matchContext, match, renderer) {
  const picture = pictureOf(matchContext, match, renderer);
  const rows = (picture ? occupiedCells(picture) : []).map(({ id, cell }) =>
    h("li", { key: id }, describe(matchContext, match, renderer, cell)),
  );
  const nobody = t(gameKey(match.split("/")[0], "match.nobody"));
  return h(
    "section",
    { class: "unseen", "aria-label": t("match.text-board") },
    h("ul", { id: "board-text" }, rows.length ? rows : h("li", null, nobody)),
    h("p", null, translate(turnTextOf(matchContext, match, renderer))),
  );
}

/**
 * Return the cells that have a piece. If the picture has several boards, also return the cells that
 * have a mark. Cells are numbered across all boards of the picture.
 * @param {Picture} picture
 */
function occupiedCells(picture) {
  let first = 0;
  return (picture.parts ?? [picture]).flatMap((part, i) => {
    const marked = picture.parts ? [...part.marks.map(({ cell }) => cell), ...part.lines.map(({ from }) => from)] : [];
    const occupied = [...part.pieces, ...[...new Set(marked)].map((cell) => ({ id: `cell-${cell}`, cell }))];
    const numbered = occupied.map(({ id, cell }) => ({ id: `${i}-${id}`, cell: cell + first }));
    first += part.width * part.height;
    return numbered;
  });
}
