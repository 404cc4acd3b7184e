/** Both sides of a match in one browser: before the page shows what one player alone may see, that player says so. */

import { h } from "./dom.js";
import { shortHex, t } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Stage } from "./types.js" */

/** Whether somebody else was at the page last, who plays the other side. @param {App} app @param {string} match */
export function isCovered(app, match) {
  const { me } = app;
  const board = app.board(match);
  const others = app.accounts.some(({ address }) => address !== me && board?.players?.[address]);
  if (!board || !others) app.faces.set(match, me); // nobody to hide it from
  else if (app.renderers.get(match.split("/")[0])?.secret?.(app.view(match))) return (app.faces.get(match) ?? app.first) !== me;
  return false;
}

/** A stage as who looks on sees it, from the side of who is awaited. @param {Stage} stage @returns {Stage} */
export function asCovered(stage) {
  const nobody = { me: "", side: stage.me, pending: [], desk: { state: {}, change: stage.redraw } };
  return Object.assign(Object.create(stage), { order: null, view: (/** @type {string} */ match) => ({ ...stage.view(match), ...nobody }) });
}

/** @param {App} app @param {string} match */
export function cover(app, match) {
  const name = shortHex(app.me);
  const uncover = () => {
    app.faces.set(match, app.me);
    app.redraw();
    setTimeout(() => document.getElementById("board")?.focus(), 0);
  };
  return h("section", { class: "cover", id: "cover", key: `cover-${match}-${app.me}`, "data-cover": app.me, "aria-labelledby": "cover-title" },
    h("div", { class: "card" },
      h("h2", { id: "cover-title" }, t("match.hand-over-to", { name })),
      h("p", { class: "hint" }, t("cover.lead")),
      h("button", { id: "uncover", type: "button", class: "loud", onclick: uncover, drawn: (/** @type {HTMLElement} */ element) => focusOnce(app, element) }, t("cover.show", { name }))));
}

/** @type {WeakSet<Element>} */
const focused = new WeakSet();

/** The button that was pressed is gone with the former player. @param {App} app @param {HTMLElement} element */
function focusOnce(app, element) {
  if (focused.has(element)) return;
  focused.add(element);
  if (!app.ui.drawer && !app.ui.help) setTimeout(() => element.focus(), 0);
}
