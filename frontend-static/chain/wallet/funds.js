/** Calculates the maximum cost of a transaction, and the amount of ether that its account lacks. */

import { decimal } from "../../i18n/quantities.js";
import { worth } from "../../i18n/worth.js";
import { inEther } from "../../lib/ethereum/ether.js";
import { rpc } from "../../server/jsonrpc.js";

/** @import { Accounts } from "./accounts.js" */
/** @import { Health, I18nText, Tx } from "../../types.js" */

/** The amount of gas that every transaction uses at least. */
const MIN_GAS = 21_000n;

/**
 * Return a text that explains why an account certainly can't pay, with the maximum cost. Return
 * null if the account might be able to pay.
 * @param {Pick<Accounts, "balances"|"health">} accounts @param {bigint} fee the current maximum fee per gas, in wei @param {string} payer @param {bigint} amount the amount of ether that the transaction sends, in wei @param {bigint} cap the transaction's gas limit @param {bigint} dataFee the fee for the transaction's data, in wei @returns {I18nText|null}
 */
export function missingFunds({ balances, health }, fee, payer, amount, cap, dataFee) {
  const have = balances.get(payer) ?? 0n;
  const minimum = amount + MIN_GAS * fee + dataFee;
  if (have > minimum || minimum === 0n) return null;
  return fundsText(
    amount ? "why.poor-ether" : "why.short",
    have,
    amount || cap * fee + dataFee,
    amount + cap * fee + dataFee - have,
    health?.rate,
  );
}

/** @param {string} key @param {bigint} have @param {bigint} need @param {bigint} missing the amount that the account lacks; all amounts are in wei @param {Health["rate"]} rate @returns {I18nText} */
function fundsText(key, have, need, missing, rate) {
  const money = worth(Number(inEther(missing, true)), rate);
  const [needed, lacking] = [need, missing].map((sum) => decimal(inEther(sum, true)));
  const args = { need: needed, have: decimal(inEther(have)), missing: lacking, worth: money && ` (${money})` };
  return { key, args };
}

/**
 * A node has rejected a transaction because its account lacks ether. Add the missing amount to the
 * transaction's reason, because the node doesn't report the amount. @param {Accounts} accounts @param {bigint} fee @param {{of: (tx: Tx) => Promise<bigint>}} l1Fees returns the transaction's data fee @param {Tx} tx
 */
export async function addMissingFunds(accounts, fee, l1Fees, tx) {
  const call = { from: tx.account, to: tx.to, data: tx.data };
  const [gas, dataFee] = await Promise.all([
    rpc("eth_estimateGas", [call, "pending"]).then(BigInt, () => tx.gasCap),
    l1Fees.of(tx).catch(() => 0n),
  ]);
  const need = tx.value + gas * fee + dataFee;
  const have = await accounts.balanceOf(tx.account);
  if (tx.reason && have < need)
    tx.reason = {
      ...tx.reason,
      sentence: fundsText("node.funds-missing", have, need, need - have, accounts.health?.rate),
    };
  accounts.redraw();
}
