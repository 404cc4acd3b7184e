/**
 * The terms of a match (clock and stake), and the cost of an action. The cost is in the chain's
 * coin and, if the server has an exchange rate, also in money.
 */

import { h } from "../../lib/dom.js";
import { clockText, leavesLittleTime, rateText, stakeText, termsText, warning } from "../../games/shared/terms.js";
import { costOf } from "../../app/submit.js";
import { significant } from "../../i18n/quantities.js";
import { t } from "../../i18n/translate.js";
import { isWorthShowing, worth } from "../../i18n/worth.js";
import { formatEther } from "../../lib/ethereum/ether.js";

/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Tokens } from "../../chain/wallet/tokens.js" */
/** @import { MatchTerms } from "../../games/shared/terms.js" */
/** @import { Action } from "../../types.js" */
/** @typedef {{tokens: Tokens}} Uses */
/** @typedef {{accounts: Accounts, server: ServerState}} Priced The parts of the page's state on which a price depends. */

/**
 * Return the terms that the player accepts with a button. If the clock leaves little time, add a
 * warning. @param {Uses} app @param {MatchTerms} match
 */
export function termsAndWarning(app, match) {
  const terms = termsText(match, app.tokens.formatAmount);
  return (
    terms && [
      h("p", { class: "agreed", id: "agreed", "data-hasty": leavesLittleTime(match) }, terms),
      leavesLittleTime(match) && h("p", { class: "hasty", id: "hasty", role: "note" }, warning(match)),
    ]
  );
}

/** Return the terms as a list, for the card of an invitation. @param {Uses} app @param {MatchTerms} match */
export function termsList(app, match) {
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
    { class: "agreement", id: "terms", "aria-label": t("match.terms"), "data-hasty": leavesLittleTime(match) },
    rows.map(([key, text]) => [h("dt", null, t(key)), h("dd", { "data-term": key }, text)]),
  );
}

/**
 * Return the terms for a line in the lobby. While the match is open, the line also has a warning if
 * the clock leaves little time. @param {Uses} app @param {MatchTerms & {status: string}} match @param {string} [id] @param {(terms: string) => string} [sentence] returns a sentence that contains the terms
 */
export function termsLine(app, match, id, sentence = (terms) => terms) {
  const terms = termsText(match, app.tokens.formatAmount);
  const isOpen = match.status === "open";
  return (
    terms &&
    h(
      "p",
      { class: "hint terms", id, "data-hasty": isOpen && leavesLittleTime(match), title: isOpen ? warning(match) : "" },
      sentence(terms),
    )
  );
}

/**
 * A placeholder for an unknown cost. It is as wide as a typical cost, so that nothing moves later.
 */
const PLACEHOLDER = "0.00010";

/** @param {Pick<Priced, "server">} app @param {Action} action @param {number} times @returns {number|null} null if the cost is unknown */
function coinCost(app, action, times) {
  const wei = costOf(app, action);
  return wei === null ? null : Number(formatEther(wei * BigInt(times)));
}

/**
 * Return the cost of an action as text, such as `about 0.000036 ETH (€0.09)`, or "" while the cost
 * is unknown. @param {Pick<Priced, "server">} app @param {Action} action @param {number} [times] the number of times that the action is sent
 */
export function costText(app, action, times = 1) {
  const coins = coinCost(app, action, times);
  if (coins === null) return "";
  const amount = significant(coins);
  const money = worth(coins, app.server.health?.rate);
  return money ? t("cost.money", { amount, money }) : t("cost.about", { amount });
}

/**
 * Return true if moves cost the player nothing. In that case, the page shows no costs and reserves
 * no space for them.
 * @param {Pick<Priced, "accounts">} app
 */
const isFree = ({ accounts }) => accounts.sponsorship.isFree(accounts.me);

/** Return true if the page should show the cost of an action: it is known and high enough. @param {Priced} app @param {Action} action @param {number} [times] the number of times that the action is sent */
function hasVisibleCost(app, action, times = 1) {
  const coins = coinCost(app, action, times);
  return coins !== null && !isFree(app) && isWorthShowing(coins, app.server.health);
}

/**
 * Return the cost that is shown next to a button. If the cost is hidden, it keeps its space, so
 * that nothing below it moves. @param {Priced} app @param {Action} action
 */
export function cost(app, action) {
  if (hasVisibleCost(app, action))
    return h("small", { class: "cost", key: "cost", "data-cost": action.name }, costText(app, action));
  return action.gas.usual && !isFree(app)
    ? h(
        "small",
        { class: "cost unknown", key: "cost", "aria-hidden": "true" },
        t("cost.about", { amount: PLACEHOLDER }),
      )
    : null;
}

/**
 * Return the cost of a click that sends an action several times (`times`). If the cost is hidden,
 * it keeps its space. @param {Priced} app @param {Action} action @param {number} times @param {string} key the message key of the sentence
 */
export function seriesCost(app, action, times, key) {
  if (isFree(app)) return null;
  const args = {
    one: costText(app, action) || PLACEHOLDER,
    n: times,
    all: costText(app, action, times) || PLACEHOLDER,
  };
  const props = hasVisibleCost(app, action, times)
    ? { class: "cost", "data-cost": action.name }
    : { class: "cost unknown", "aria-hidden": "true" };
  return h("small", { ...props, key: "cost" }, t(key, args));
}

/** Return the cost of an action that a click on the board sends. @param {Priced} app @param {Action} action */
export function moveCost(app, action) {
  const text = t("cost.move", { cost: costText(app, action) });
  return (
    hasVisibleCost(app, action) &&
    h("small", { class: "cost", key: "cost", "data-cost": action.name, title: text }, text)
  );
}
