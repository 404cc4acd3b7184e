/**
 * The choice of a captain: the contract that aims the shots of the player's next ship. The player
 * can choose no captain, a ready-made captain, or any contract by its address.
 */

import { firstText, t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";

/** @import { Action, Json, RenderContext } from "../../types.js" */
/** @import { Tree } from "../../lib/dom.js" */

const OTHER = "other";

/**
 * Return the captain that the player has chosen: "" for none, the address of a ready-made captain,
 * or OTHER for an address that the player types.
 * @param {RenderContext} context @returns {string}
 */
export const chosen = ({ board, draft }) => (board.captains ? (draft?.state.captain ?? "") : "");

/**
 * Return true if the page shows an action's input. The input for a captain's address is shown only
 * if the player has chosen to type the address.
 * @param {RenderContext} context @param {string} actionId
 */
export const hasInput = (context, actionId) => actionId !== "register-captain" || chosen(context) === OTHER;

/**
 * Return the argument with the address of the chosen ready-made captain. If the player types the
 * address, return no argument.
 * @param {RenderContext} context @returns {Json}
 */
export const captainArgs = (context) => (hasInput(context, "register-captain") ? {} : { captain: chosen(context) });

/** Return the input for choosing a captain, which is above the button that puts a ship to sea. @param {RenderContext} context @param {Pick<Action, "name">} action @returns {Tree|null} */
export function form(context, { name }) {
  if (name !== "register" || !context.board.captains) return null;
  const ready = (context.companions ?? []).map(({ name: key, address }) => ({ key, value: address }));
  const now = chosen(context);
  const choose = (/** @type {string} */ value) => () => {
    context.draft.state.captain = value;
    context.draft.change();
  };
  return h(
    "fieldset",
    { class: "captains", key: "captains" },
    h("legend", null, t("touche-coule.captain.legend")),
    [{ key: "none", value: "" }, ...ready, { key: OTHER, value: OTHER }].map(({ key, value }) =>
      h(
        "label",
        { key, for: `captain-${key}` },
        h("input", {
          ...{ type: "radio", id: `captain-${key}`, name: "captain", checked: value === now },
          onchange: choose(value),
        }),
        h(
          "span",
          null,
          h("b", null, firstText([`touche-coule.companion.${key}`], key)),
          h("span", null, firstText([`touche-coule.captain.${key}`], value)),
        ),
      ),
    ),
  );
}
