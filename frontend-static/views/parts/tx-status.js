/**
 * The state of a transaction: a row of dots that fill up, a word and, if the transaction has
 * failed, the reason.
 */

import { h } from "../../lib/dom.js";
import { lastOf } from "../../chain/tx/model.js";
import { isDelayed, isDone, isFinal, isRetryable } from "../../chain/tx/states.js";
import { GWEI, formatUnits } from "../../lib/ethereum/ether.js";
import { decimal } from "../../i18n/quantities.js";
import { firstText, gameKey, t, translate } from "../../i18n/translate.js";

/** @import { TransactionManager } from "../../chain/tx/manager.js" */
/** @import { Reason, Tx, TxState } from "../../types.js" */
/** @typedef {{transactions: TransactionManager}} Uses */

/**
 * For each state, the number of filled dots. The five dots stand for the stages of a transaction:
 * checked, signed, sent, in a block, and final.
 * @type {Record<TxState, number>}
 */
const FILLED = {
  waiting: 0,
  simulated: 1,
  signed: 2,
  sent: 3,
  mined: 4,
  final: 5,
  failed: 4,
  refused: 1,
  replaced: 3,
  dropped: 2,
  retracted: 3,
  cancelled: 4,
};
const DOTS = 5;
const OUTSIDE_DRAWER = 4; // only the account drawer shows finality

/**
 * Return the name of an action. The name for a click on the board can differ from the name on the
 * action's button, because a click can do less than the button.
 * @param {Pick<Tx, "game"|"action"|"cell">} tx
 */
export function actionName({ game, action, cell }) {
  const keys = [cell !== undefined && `pressed.${action}`, `action.${action}`];
  return firstText(
    keys.flatMap((key) => (key ? gameKey(game, key) : [])),
    action,
  );
}

/**
 * Return the state in everyday words. If `isDetailed` is true, add the block and the fee, as in the
 * account drawer. @param {Tx} tx @param {boolean} isDetailed
 */
function stateName(tx, isDetailed) {
  if (!isDetailed && !(tx.state === "sent" && tx.stuck)) {
    if (!isDone(tx.state)) return t("tx.under-way");
    return t(tx.state === "mined" || tx.state === "final" ? "tx.done" : `tx.${tx.state}`);
  }
  if (tx.state === "mined" || tx.state === "final") return t(`tx.${tx.state}`, { block: tx.block });
  if (tx.state === "sent" && tx.raises)
    return t(tx.stuck ? "tx.stuck" : "tx.raised", { fee: gwei(tx.fees?.maxFeePerGas), limit: gwei(tx.limit) });
  if (tx.state === "failed" && tx.block !== undefined) return t("tx.failed-in", { block: tx.block });
  return t(`tx.${tx.state}`);
}

/** @param {Tx} tx @param {boolean} [isDetailed] true to add the facts from the chain, as in the account drawer */
export function txStatus(tx, isDetailed = false) {
  const dots = Array.from({ length: isDetailed ? DOTS : OUTSIDE_DRAWER }, (_, i) =>
    h("i", { class: i < FILLED[tx.state] ? "full" : "" }),
  );
  const state = stateName(tx, isDetailed);
  const label = t("tx.life", { action: actionName(tx), state });
  const props = {
    class: "life",
    "data-tx": tx.id,
    "data-state": isFinal(tx) ? "mined" : tx.state,
    "data-final": isFinal(tx),
    "data-action": tx.action,
    "data-hash": lastOf(tx),
    "data-nonce": tx.nonce,
  };
  return h(
    "span",
    { ...props, title: isDetailed && lastOf(tx) },
    h("span", { class: "dots", role: "img", "aria-label": label }, dots),
    h("span", { class: "state" }, state),
  );
}

/** @param {Tx} tx */
export const txError = (tx) => reasonBox(tx.reason, { key: `trouble-${tx.id}`, "data-trouble": tx.action });

/** Return the reason for a failure: a sentence, with the original message below it. @param {Reason|null|undefined} reason @param {Record<string, any>} [props] */
export function reasonBox(reason, props) {
  if (!reason) return null;
  const { sentence, small } = reason;
  return h(
    "div",
    { class: "trouble", role: "alert", ...props },
    h("p", null, translate(sentence)),
    h("small", { class: "mono" }, small),
  );
}

/**
 * Return the buttons for a transaction. A lost transaction can be sent again. For a stuck
 * transaction, the player can pay a higher fee or cancel it.
 * @param {Uses} app @param {Tx} tx
 */
export function txActions(app, tx) {
  const all = app.transactions;
  const button = (/** @type {string} */ key, /** @type {() => unknown} */ work, args = {}) =>
    h(
      "button",
      { key, type: "button", class: "small", "data-way": key, onclick: () => void work() },
      t(`tx.${key}`, args),
    );
  const waits = tx.state === "sent" && tx.nonce !== undefined && tx.raw && !tx.cancel && isDelayed(tx);
  const found = [
    isRetryable(tx) && !tx.settled && button("again", () => all.resubmit(tx)),
    waits && tx.stuck && button("pay-more", () => all.raiseLimit(tx), { limit: gwei((tx.limit ?? 0n) * 2n) }),
    (waits || (all.canCancel(tx) && isDelayed(tx))) && button("cancel", () => all.cancel(tx)),
  ].filter(Boolean);
  return found.length ? h("div", { class: "ways", key: `ways-${tx.id}` }, found) : null;
}

/** @param {bigint|undefined} wei the fee per unit of gas, in wei */
export const gwei = (wei) => decimal(Number(formatUnits(wei ?? 0n, GWEI)).toPrecision(3));
