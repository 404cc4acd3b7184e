/** Small things that several views show: addresses, copy buttons, owners' shapes, boards. */

import { h } from "./dom.js";
import { isDark } from "./theme.js";
import { outline } from "./layouts/shapes.js";
import { short, t } from "./words.js";

/** @import { App } from "./app.js" */

/** Its own shape and colour tell an owner. @param {number} seat */
export function badge(seat) {
  const path = h("path", { d: outline(seat % 6, 6.2), class: "hull" });
  return h("svg", { class: `badge owner-${seat % 8}`, width: 18, height: 18, viewBox: "-9 -9 18 18", "aria-hidden": "true" }, path);
}

/** @param {string} address */
export const name = (address) => h("span", { class: "address", title: address, "data-address": address }, short(address));

/** @param {App} app @param {string} text what to copy @param {string} id @param {string} label @param {string} [shown] */
export function copier(app, text, id, label, shown = t("match.copy")) {
  const copy = async () => {
    await navigator.clipboard?.writeText(text).catch(() => undefined);
    app.ui.copied = id;
    app.redraw();
    setTimeout(() => { app.ui.copied = ""; app.redraw(); }, 1500);
  };
  return h("button", { id, type: "button", class: "small quiet copy", "aria-label": label, onclick: copy }, app.ui.copied === id ? t("match.copied") : shown);
}

/** @type {WeakMap<Element, any>} */
const mounted = new WeakMap();

/** What the last drawing was made of: drawn anew only when one of these differs. @type {WeakMap<Element, any[]>} */
const shown = new WeakMap();

/** Where a layout draws: mounted once, shown anew at each drawing. @param {App} app @param {string} match @param {boolean} still */
export function boardHost(app, match, still) {
  const board = app.board(match);
  const [slug] = match.split("/");
  const game = app.games.get(slug);
  const renderer = app.renderers.get(slug);
  if (!game || !renderer || !board?.width) return h("div", { class: still ? "board small empty" : "board empty", key: `empty-${match}` });
  const view = () => app.view(match);
  const hand = {
    select: (/** @type {number} */ cell) => { app.ui.selected = renderer.select(view(), cell); app.redraw(); },
    describe: (/** @type {number} */ cell) => renderer.describe(view(), cell),
    point: (/** @type {number} */ cell) => { if (app.ui.pointed !== cell) { app.ui.pointed = cell; app.redraw(); } },
  };
  const drawn = (/** @type {HTMLElement} */ host) => {
    if (!mounted.has(host)) mounted.set(host, new (app.layouts.get(game.layout))(host, hand, { still }));
    const seen = still ? { ...view(), selected: 0 } : view();
    const marks = [seen.board, seen.selected, seen.mine.size, seen.pending.map(({ id, state }) => id + state).join(), isDark()];
    if (marks.every((mark, i) => mark === shown.get(host)?.[i])) return;
    shown.set(host, marks);
    mounted.get(host).show(renderer.picture(seen));
  };
  const common = { key: `board-${match}`, drawn, opaque: true, "data-match": match };
  if (still) return h("div", { ...common, class: "board small", "aria-hidden": "true" });
  const label = t("match.board-label", { width: board.width, height: board.height });
  return h("div", { ...common, id: "board", class: "board", role: "grid", tabindex: 0, "aria-label": label, "aria-activedescendant": "board-cell" });
}
