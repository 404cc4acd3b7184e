/** The forms above the buttons: the settings of a new match, and the list of planned attacks. */

import { h } from "../../../lib/dom.js";
import { t } from "../../../i18n/translate.js";
import { plannedAttacks } from "../actions.js";
import { form as newMatchForm } from "./new-match.js";
import { removeAttack } from "./plan.js";

/** @import { Tree } from "../../../lib/dom.js" */
/** @import { Action, RenderContext } from "../../../types.js" */

/** @param {RenderContext} context @param {Action} action @param {string} prefix @returns {Tree|null} */
export function form(context, action, prefix) {
  if (action.name !== "attack") return newMatchForm(context, action, prefix);
  const planned = plannedAttacks(context);
  if (!planned.length) return null;
  return h(
    "ol",
    { class: "planned", id: "planned", key: "planned", "aria-label": t("conquest.plan.title") },
    planned.map(({ at, text, label }) =>
      h(
        "li",
        { key: `planned-${at}` },
        h("span", null, text),
        h(
          "button",
          {
            type: "button",
            class: "small",
            id: `take-back-${at}`,
            title: label,
            "aria-label": label,
            onclick: () => removeAttack(context, at),
          },
          t("conquest.plan.take-back"),
        ),
      ),
    ),
  );
}
