/**
 * The state of the player's last move in a match: pending, done, or stored until the page can send
 * it.
 */

import { seatOf } from "../../../app/submit.js";
import { isDone, hasNoEffect } from "../../../chain/tx/states.js";
import { h } from "../../../lib/dom.js";
import { actionName, txActions } from "../../parts/tx-status.js";
import { t } from "../../../i18n/translate.js";

/** @import { LiveMatches } from "../../../app/match/live.js" */
/** @import { TransactionManager } from "../../../chain/tx/manager.js" */
/** @import { Accounts } from "../../../chain/wallet/accounts.js" */
/** @typedef {{accounts: Accounts, live: LiveMatches, transactions: TransactionManager}} Uses */

/**
 * Return the state of the player's last move. Return null if an earlier visit sent the move. Also
 * return null if the move failed, because the page shows failures elsewhere.
 * @param {Uses} app @param {string} match
 */
export function lastPress(app, match) {
  const { me } = app.accounts;
  const tx = [...app.transactions.list, ...app.live.renderContext(match).pending].findLast(
    (one) =>
      one.match === match && seatOf(one) === me && (app.transactions.canCancel(one) || app.transactions.isCurrent(one)),
  );
  if (!tx || hasNoEffect(tx)) return null;
  const isKept = app.transactions.isUnanswered && app.transactions.canCancel(tx);
  const stage = isKept ? "kept" : isDone(tx.state) ? "done" : "pending";
  return h(
    "span",
    { class: "last-press", id: "last-press", key: "last-press", role: "status", "data-stage": stage },
    h("i", { "aria-hidden": "true" }),
    t(`press.${stage}`, { action: actionName(tx) }),
    isKept && txActions(app, tx),
  );
}
