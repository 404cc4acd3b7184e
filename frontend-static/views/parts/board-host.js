/** Where a layout draws a match: mounted once, drawn anew when the picture differs. */

import { asCovered } from "../../app/privacy.js";
import { h } from "../../lib/dom.js";
import { isDark } from "../../lib/theme.js";
import { ofGame, t } from "../../i18n/translate.js";

/** @import { Hand, Layout, Picture, Renderer, Stage, View } from "../../types.js" */

/** @type {WeakMap<Element, Layout>} */
const mounted = new WeakMap();

/** What the last drawing was made of: drawn anew only when one of these differs. @type {WeakMap<Element, any[]>} */
const shown = new WeakMap();

/** What a press on a board does now: the layout stays while one looks back and returns. @type {WeakMap<Element, Hand>} */
const hands = new WeakMap();

/** Where a layout draws: mounted once, shown anew at each drawing. @param {Stage} stage @param {string} match @param {boolean} still */
export function boardHost(stage, match, still) {
  const app = still && stage.covers?.(match) ? asCovered(stage) : stage;
  const [slug] = match.split("/");
  const game = app.games.get(slug);
  const renderer = app.renderers.get(slug);
  const picture = renderer && pictureOf(app, match, renderer, still);
  if (!game || !renderer || !picture) return h("div", { class: still ? "board small empty" : "board empty", key: `empty-${match}` });
  const hand = {
    press: (/** @type {number} */ cell) => press(app, match, renderer, cell),
    describe: (/** @type {number} */ cell) => renderer.describe(app.view(match), cell),
    point: (/** @type {number} */ cell) => { if (app.ui.pointed !== cell) { app.ui.pointed = cell; app.redraw(); } },
  };
  const drawn = (/** @type {HTMLElement} */ host) => {
    hands.set(host, hand);
    const layout = mounted.get(host) ?? new (app.layouts.get(game.layout))(host, handOf(host), { still });
    mounted.set(host, layout);
    const marks = [picture, isDark()];
    if (marks.every((mark, i) => mark === shown.get(host)?.[i])) return;
    shown.set(host, marks);
    layout.show(picture);
  };
  const common = { key: `board-${match}`, drawn, opaque: true, "data-match": match, "data-game": slug };
  if (still) return h("div", { ...common, class: "board small", "aria-hidden": "true" });
  const label = t(ofGame(slug, "match.board-label"), { width: picture.width, height: picture.height });
  return h("div", { ...common, id: "board", class: "board", role: "grid", tabindex: 0, "aria-label": label, "aria-activedescendant": "board-cell" });
}

/** @param {Element} host @returns {Hand} */
function handOf(host) {
  const now = () => /** @type {Hand} */ (hands.get(host));
  return { press: (cell) => now().press(cell), describe: (cell) => now().describe(cell), point: (cell) => now().point(cell) };
}

/** Pictures are made anew only when what they are made of differs. @type {Map<string, {marks: any[], picture: Picture}>} */
const pictures = new Map();

/** What a match looks like, with the cells whose move is under way, unless the game knows better; null while it is not known. @param {Stage} app @param {string} match @param {Renderer} renderer @param {boolean} [still] @returns {Picture|null} */
export function pictureOf(app, match, renderer, still = false) {
  if (!app.board(match)) return null;
  const view = still ? { ...app.view(match), selected: 0 } : app.view(match);
  const desk = JSON.stringify(view.desk.state, (_, value) => (typeof value === "bigint" ? String(value) : value));
  const marks = [view.board, view.me, view.selected, view.mine.size, view.events, view.seq, view.later, view.side, view.pending.map(({ id, state }) => id + state).join(), desk];
  const key = `${match} ${still}`;
  const kept = pictures.get(key);
  if (kept && marks.every((mark, i) => mark === kept.marks[i])) return kept.picture;
  const picture = { waiting: waiting(view), ...renderer.picture(view) };
  pictures.set(key, { marks, picture });
  return picture;
}

/** @param {View} view */
const waiting = ({ pending }) => pending.flatMap(({ cell }) => (cell === undefined ? [] : [cell]));

/** What a click or Enter on a cell does: a move, where one can be made; else it selects. @param {Stage} app @param {string} match @param {Renderer} renderer @param {number} cell */
function press(app, match, renderer, cell) {
  const view = app.view(match);
  if (!app.order?.(match, renderer.press?.(view, cell) ?? null, cell)) app.ui.selected = renderer.select?.(view, cell) ?? 0;
  app.redraw();
}
