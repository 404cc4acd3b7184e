/** The maximum cost of a transaction, and how much of it is missing. */

import { decimal } from "../../i18n/quantities.js";
import { inEther } from "../../lib/ether.js";
import { rpc } from "../../server/jsonrpc.js";

/** @import { Accounts } from "./accounts.js" */
/** @import { I18nText, Tx } from "../../types.js" */

/** No transaction takes less gas. */
const MIN_GAS = 21_000n;

/**
 * Why an account certainly can't pay: the text names the maximum cost.
 * @param {Pick<Accounts, "balances">} accounts @param {bigint} fee the most that a unit of gas would be offered now, in wei @param {string} payer @param {bigint} amount in wei, sent along @param {bigint} cap of gas @returns {I18nText|null}
 */
export function missingFunds({ balances }, fee, payer, amount, cap) {
  const have = balances.get(payer) ?? 0n;
  const minimum = amount + MIN_GAS * fee;
  if (have > minimum || minimum === 0n) return null;
  return fundsText(amount ? "why.poor-ether" : "why.short", have, amount || cap * fee, amount + cap * fee - have);
}

/** @param {string} key @param {bigint} have @param {bigint} need @param {bigint} missing all in wei @returns {I18nText} */
const fundsText = (key, have, need, missing) => ({
  key,
  args: { need: decimal(inEther(need, true)), have: decimal(inEther(have)), missing: decimal(inEther(missing, true)) },
});

/** Adds the missing amount to a node's refusal, which does not name it. @param {Accounts} accounts @param {bigint} fee @param {Tx} tx */
export async function addMissingFunds(accounts, fee, tx) {
  const call = { from: tx.account, to: tx.to, data: tx.data };
  const gas = await rpc("eth_estimateGas", [call, "pending"]).then(BigInt, () => tx.gasCap);
  const need = tx.value + gas * fee;
  const have = await accounts.balanceOf(tx.account);
  if (tx.reason && have < need)
    tx.reason = { ...tx.reason, sentence: fundsText("node.funds-missing", have, need, need - have) };
  accounts.redraw();
}
