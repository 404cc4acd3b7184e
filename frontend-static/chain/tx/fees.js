/**
 * Derives the fees of a transaction (EIP-1559) from recent blocks, and raises them in steps up to a
 * limit. All fees are in wei per unit of gas. This module has no side effects.
 */

/** @import { Fees } from "../../types.js" */

/**
 * The factor by which a replacement transaction raises both fees: 9/8. The node geth requires at
 * least 10 % more (`--txpool.pricebump`).
 */
const MORE = [9n, 8n];
/**
 * The limit to which the max fee can be raised, as a multiple of the transaction's first max fee.
 * The base fee can double within six blocks, so a lower limit could block the transaction.
 */
const LIMIT = 5n;

/**
 * The number of recent blocks from which the priority fee is derived, and two percentiles of the
 * fees in a block. The lower percentile is used for blocks with free space, and the higher one for
 * full blocks.
 */
export const [HISTORY_BLOCKS, PERCENTILES] = [10, [10, 50]];
/**
 * The highest priority fee that the page offers by itself, in wei per unit of gas. Without a limit,
 * a node could name a fee that moves the account's whole balance to the block's producer. A wrong
 * base fee can't do this, because the chain charges the real one.
 */
export const MAX_PRIORITY_FEE = 200n * 10n ** 9n;
/** A block counts as full if it uses at least this fraction of its gas limit. */
const FULL = 0.9;

/** @typedef {{baseFeePerGas?: string[], gasUsedRatio?: number[], reward?: string[][]}|null} FeeHistory The node's answer to `eth_feeHistory`, or null if the node doesn't answer this request. */

/** @param {bigint} fee */
const bump = (fee) => (fee * MORE[0] + MORE[1] - 1n) / MORE[1];
/** @param {bigint} a @param {bigint} b */
const larger = (a, b) => (a > b ? a : b);

/** @param {bigint} baseFee the base fee of the latest block @param {bigint} priorityFee @returns {Fees} */
export const suggested = (baseFee, priorityFee) => ({
  maxPriorityFeePerGas: priorityFee,
  maxFeePerGas: baseFee * 2n + priorityFee,
});

/**
 * Return the base fee of the next block, or 0 if the node doesn't report it. It is the last entry
 * in the fee history's list, after the base fees of the recent blocks. @param {FeeHistory} history
 */
export function nextBaseFee(history) {
  const [fees, ratios] = [history?.baseFeePerGas ?? [], history?.gasUsedRatio ?? []];
  return ratios.length && fees.length > ratios.length ? BigInt(fees[fees.length - 1]) : 0n;
}

/**
 * Return the median of the priority fees that were paid in recent blocks. Empty blocks don't count.
 * Return null if all blocks are empty or the median is 0. @param {FeeHistory} history
 */
export function paidPriorityFee(history) {
  const paid = (history?.gasUsedRatio ?? []).flatMap((ratio, i) => {
    const reward = history?.reward?.[i];
    return ratio > 0 && reward ? [BigInt(reward[ratio < FULL ? 0 : 1])] : [];
  });
  paid.sort((a, b) => Number(a - b));
  return paid[(paid.length - 1) >> 1] || null;
}

/** @param {Fees} first @returns {bigint} the limit to which the transaction's max fee can be raised */
export const limitOf = (first) => first.maxFeePerGas * LIMIT;

/**
 * Return the fees for a transaction that replaces an older one with the same nonce. Both fees are
 * at least 9/8 of the old fees. Return null if the max fee would exceed the limit.
 * @param {Fees} old @param {Fees} now @param {bigint} limit @returns {Fees|null}
 */
export function bumped(old, now, limit) {
  const least = bump(old.maxFeePerGas);
  if (least > limit) return null;
  const maxFee = larger(least, now.maxFeePerGas);
  const maxFeePerGas = maxFee > limit ? limit : maxFee;
  const priorityFee = larger(bump(old.maxPriorityFeePerGas), now.maxPriorityFeePerGas);
  return { maxFeePerGas, maxPriorityFeePerGas: priorityFee > maxFeePerGas ? maxFeePerGas : priorityFee };
}
