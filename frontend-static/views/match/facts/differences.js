/** The list of the first differences between the chain and the displayed board or file. */

import { h } from "../../../lib/dom.js";
import { t } from "../../../i18n/translate.js";

/** @import { Difference } from "../../../chain/verify/decode.js" */

const MAX_SHOWN = 4;
const MAX_LETTERS = 60;

/** @param {(Difference & {seq?: number})[]} differences `seq`: the number of the event that differs @param {string} [key] the message key of the text that shows the two values */
export function differenceList(differences, key = "checked.place") {
  const more = differences.length - MAX_SHOWN;
  return h(
    "ul",
    null,
    differences.slice(0, MAX_SHOWN).map((one) => line(one, key)),
    more > 0 && h("li", { class: "hint" }, t("checked.more", { n: more })),
  );
}

/** @param {Difference & {seq?: number}} found @param {string} key */
function line({ path, claimed, actual, seq }, key) {
  return h(
    "li",
    { "data-place": path, "data-event": seq },
    seq ? `${t("replay.event", { seq })} ` : null,
    h("span", { class: "mono" }, path),
    " ",
    t(key, { shown: value(claimed), real: value(actual) }),
  );
}

/** @param {any} found */
function value(found) {
  const text =
    found === undefined || found === null
      ? t("checked.nothing")
      : typeof found === "string"
        ? found
        : JSON.stringify(found);
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text;
}
