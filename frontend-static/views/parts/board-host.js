/**
 * The element that contains a match's board. It is created once. When the picture of the board
 * changes, the board is drawn in it again.
 */

import { asCovered } from "../../app/match/privacy.js";
import { h } from "../../lib/dom.js";
import { isDark } from "../../lib/theme.js";
import { language } from "../../i18n/language.js";
import { gameKey, t } from "../../i18n/translate.js";
import { namesRevision } from "../../names/names.js";

/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { BoardInput, Layout, Picture, RenderContext, Renderer } from "../../types.js" */

/** @type {WeakMap<Element, Layout>} */
const mounted = new WeakMap();

/**
 * The values from which each board was last drawn. A board is drawn again only if one of its values
 * has changed.
 * @type {WeakMap<Element, any[]>}
 */
const drawnMarks = new WeakMap();

/**
 * The current input handlers of each board. The handlers change with each drawing, while the layout
 * object stays the same.
 * @type {WeakMap<Element, BoardInput>}
 */
const inputs = new WeakMap();

/**
 * Return the element that contains a match's board. If `still` is true, the board is small and
 * ignores clicks and keys. @param {MatchContext} matchContext @param {string} match @param {boolean} still
 */
export function boardHost(matchContext, match, still) {
  const visibleContext = still && matchContext.covers?.(match) ? asCovered(matchContext) : matchContext;
  const [slug] = match.split("/");
  const game = visibleContext.games.get(slug);
  const renderer = visibleContext.renderers.get(slug);
  const picture = renderer && pictureOf(visibleContext, match, renderer, still);
  if (!game || !renderer || !picture)
    return h("div", { class: still ? "board small empty" : "board empty", key: `empty-${match}` });
  const input = {
    press: (/** @type {number} */ cell) => press(visibleContext, match, renderer, cell),
    describe: (/** @type {number} */ cell) => describe(visibleContext, match, renderer, cell),
    inspect: (/** @type {number} */ cell) => renderer.inspect?.(visibleContext.renderContext(match), cell) ?? null,
    point: (/** @type {number} */ cell) => {
      if (visibleContext.ui.pointed !== cell) {
        visibleContext.ui.pointed = cell;
        visibleContext.redraw();
      }
    },
  };
  const drawn = (/** @type {HTMLElement} */ host) => {
    inputs.set(host, input);
    const layout = mounted.get(host) ?? new (visibleContext.layouts.get(game.layout))(host, inputOf(host), { still });
    mounted.set(host, layout);
    const marks = [picture, isDark()];
    if (marks.every((mark, i) => mark === drawnMarks.get(host)?.[i])) return;
    drawnMarks.set(host, marks);
    layout.show(picture);
  };
  const common = { key: `board-${match}`, drawn, opaque: true, "data-match": match, "data-game": slug };
  if (still) return h("div", { ...common, class: "board small", "aria-hidden": "true" });
  const label = t(gameKey(slug, "match.board-label"), { width: picture.width, height: picture.height });
  return h("div", {
    ...common,
    id: "board",
    class: "board",
    role: "grid",
    tabindex: 0,
    "aria-label": label,
    "aria-activedescendant": "board-cell",
  });
}

/** Return a description of a cell. It mentions a pending move on the cell. @param {MatchContext} matchContext @param {string} match @param {Renderer} renderer @param {number} cell */
export function describe(matchContext, match, renderer, cell) {
  const context = matchContext.renderContext(match);
  const what = renderer.describe(context, cell);
  const under = pictureOf(matchContext, match, renderer)?.waiting ?? waiting(context);
  return under.includes(cell) ? t(matchContext.waitingText ?? "press.cell", { what }) : what;
}

/** @param {Element} host @returns {BoardInput} */
function inputOf(host) {
  const now = () => /** @type {BoardInput} */ (inputs.get(host));
  return {
    press: (cell) => now().press(cell),
    describe: (cell) => now().describe(cell),
    point: (cell) => now().point(cell),
    inspect: (cell) => now().inspect(cell),
  };
}

/** The cached pictures of boards, with the values from which each was made. @type {Map<string, {marks: any[], picture: Picture}>} */
const pictures = new Map();

/**
 * Return the picture of a match, or null if its board is still unknown. The picture marks cells
 * with pending moves, unless the game marks them itself.
 * @param {MatchContext} matchContext @param {string} match @param {Renderer} renderer @param {boolean} [still] @returns {Picture|null}
 */
export function pictureOf(matchContext, match, renderer, still = false) {
  if (!matchContext.board(match)) return null;
  const context = still ? { ...matchContext.renderContext(match), selected: 0 } : matchContext.renderContext(match);
  const draft = JSON.stringify(context.draft.state, (_, value) => (typeof value === "bigint" ? String(value) : value));
  const marks = [
    language,
    namesRevision(),
    context.board,
    context.me,
    context.selected,
    context.ownAccounts.size,
    context.events,
    context.seq,
    context.latestBoard,
    context.viewAs,
    context.pending.map(({ id, state }) => id + state).join(),
    draft,
  ];
  const key = `${match} ${still}`;
  const cached = pictures.get(key);
  if (cached && marks.every((mark, i) => mark === cached.marks[i])) return cached.picture;
  const picture = { waiting: waiting(context), won: isWon(context), ...renderer.picture(context) };
  pictures.set(key, { marks, picture });
  return picture;
}

/** Return true if one of this browser's accounts has won. @param {RenderContext} context */
const isWon = ({ board, ownAccounts }) => board.status === "finished" && ownAccounts.has(board.winner);

/** @param {RenderContext} context */
const waiting = ({ pending }) => pending.flatMap(({ cell }) => (cell === undefined ? [] : [cell]));

/**
 * Handle a click or the Enter key on a cell. If the click or key makes no move, select the
 * piece on the cell.
 * @param {MatchContext} matchContext @param {string} match @param {Renderer} renderer @param {number} cell
 */
function press(matchContext, match, renderer, cell) {
  const context = matchContext.renderContext(match);
  if (!matchContext.submitPress?.(match, renderer.press?.(context, cell) ?? null, cell))
    matchContext.ui.selected = renderer.select?.(context, cell) ?? 0;
  matchContext.redraw();
}
