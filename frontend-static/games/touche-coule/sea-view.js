/**
 * The two views of the sea. One view shows the real sea, which is public. The second view shows
 * only what the player's own ships know.
 */

import { t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";
import { CODE, afloat, mapOf } from "./ships.js";

/** @import { Tree } from "../../lib/dom.js" */
/** @import { Json, Mark, RenderContext } from "../../types.js" */

const VIEWS = ["all", "own"];
const KINDS = ["", "own", "fired", "ally"];

/** Return fields for the cells that these ships know about. @param {Json} board @param {number[]} numbers the numbers of built-in ships @returns {Mark[]} */
export function knownFields(board, numbers) {
  const known = new Uint8Array((board.width ?? 0) * (board.height ?? 0));
  for (const number of numbers)
    mapOf(board, number).forEach((code, cell) => {
      if (known[cell] !== CODE.own && code) known[cell] = code;
    });
  return [...known].flatMap((code, cell) =>
    code ? [{ cell, kind: KINDS[code], shape: code === CODE.fired ? "dot" : undefined }] : [],
  );
}

/** Return the viewer's built-in ships, which keep a map of what they know. @param {RenderContext} context */
export const shipsWithMaps = ({ board, me }) =>
  board.status === "playing"
    ? afloat(board, me)
        .filter(([, { captain }]) => !captain)
        .map(([number]) => number)
    : [];

/** Return true if the player has chosen the view with only what the player's own ships know. @param {RenderContext} context */
export const showsOwnView = (context) => context.draft?.state.sea === "own" && shipsWithMaps(context).length > 0;

/** Return the control that switches between the two views of the sea. @param {RenderContext} context @returns {Tree|null} */
export function notices(context) {
  if (shipsWithMaps(context).length === 0) return null;
  const now = showsOwnView(context) ? "own" : "all";
  const choose = (/** @type {string} */ view) => () => {
    context.draft.state.sea = view;
    context.draft.change();
  };
  return h(
    "div",
    { class: "sea-views", key: "sea-views", role: "group", "aria-label": t("touche-coule.sea.label") },
    VIEWS.map((view) =>
      h(
        "button",
        {
          key: view,
          id: `sea-${view}`,
          type: "button",
          class: "small",
          "aria-pressed": String(view === now),
          onclick: choose(view),
        },
        t(`touche-coule.sea.${view}`),
      ),
    ),
    h("p", { class: "hint", key: "hint" }, t(`touche-coule.sea.${now}-hint`)),
  );
}
