/** Clock and stake of a match as they are shown: where one agrees to them, before that, and in the lobby. */

import { h } from "../../lib/dom.js";
import { clockText, isHasty, rateText, stakeText, termsText, warning } from "../../games/shared/terms.js";
import { t } from "../../i18n/translate.js";

/** @import { App } from "../../app/app.js" */
/** @import { MatchTerms } from "../../games/shared/terms.js" */
/** @typedef {Pick<App, "tokens">} Needs What it uses of the page. */

/** At the button that agrees, with a warning where there is little time. @param {Needs} app @param {MatchTerms} match */
export function agreed(app, match) {
  const terms = termsText(match, app.tokens.formatAmount);
  return (
    terms && [
      h("p", { class: "agreed", id: "agreed", "data-hasty": isHasty(match) }, terms),
      isHasty(match) && h("p", { class: "hasty", id: "hasty", role: "note" }, warning(match)),
    ]
  );
}

/** One below the other, in an invitation. @param {Needs} app @param {MatchTerms} match */
export function agreement(app, match) {
  const { formatAmount } = app.tokens;
  const terms = {
    "match.clock": clockText(match),
    "match.stake": stakeText(match, formatAmount),
    "match.rate": rateText(match, formatAmount),
  };
  const rows = Object.entries(terms).filter(([, text]) => text);
  if (!rows.length) return null;
  return h(
    "dl",
    { class: "agreement", id: "terms", "aria-label": t("match.terms"), "data-hasty": isHasty(match) },
    rows.map(([key, text]) => [h("dt", null, t(key)), h("dd", { "data-term": key }, text)]),
  );
}

/** A line of the lobby; it warns while the match is open. @param {Needs} app @param {MatchTerms & {status: string}} match @param {string} [id] @param {(terms: string) => string} [sentence] that the terms stand in */
export function termsLine(app, match, id, sentence = (terms) => terms) {
  const terms = termsText(match, app.tokens.formatAmount);
  const isOpen = match.status === "open";
  return (
    terms &&
    h(
      "p",
      { class: "hint terms", id, "data-hasty": isOpen && isHasty(match), title: isOpen ? warning(match) : "" },
      sentence(terms),
    )
  );
}
