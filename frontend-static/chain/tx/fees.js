/**
 * Derives EIP-1559 fees from recent blocks and raises them in steps up to a limit. All fees are in
 * wei per unit of gas. This module has no side effects.
 */

/** @import { Fees } from "../../types.js" */

/**
 * The factor by which a replacement raises fees, 9/8. geth requires that both fees rise by 10 %
 * (`--txpool.pricebump`).
 */
const MORE = [9n, 8n];
/** The limit, as a multiple of the first offer. The base fee can double within six blocks. */
const LIMIT = 5n;

/**
 * The number of blocks in the fee history, and the percentiles to use for blocks that aren't full
 * and for full blocks.
 */
export const [HISTORY_BLOCKS, PERCENTILES] = [10, [10, 50]];
/** A block counts as full if it uses at least this part of its gas limit. */
const FULL = 0.9;

/** @typedef {{baseFeePerGas?: string[], gasUsedRatio?: number[], reward?: string[][]}|null} FeeHistory The result of `eth_feeHistory`, or null if the node has no fee history. */

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
 * Return the base fee of the block after a history, or 0 if it is unknown. It is the last entry in
 * the list of base fees. @param {FeeHistory} history
 */
export function nextBaseFee(history) {
  const [fees, ratios] = [history?.baseFeePerGas ?? [], history?.gasUsedRatio ?? []];
  return ratios.length && fees.length > ratios.length ? BigInt(fees[fees.length - 1]) : 0n;
}

/**
 * Return the median priority fee of the blocks that have transactions. Return null if there are no
 * such blocks, or if the median is 0. @param {FeeHistory} history
 */
export function paidPriorityFee(history) {
  const paid = (history?.gasUsedRatio ?? []).flatMap((ratio, i) => {
    const reward = history?.reward?.[i];
    return ratio > 0 && reward ? [BigInt(reward[ratio < FULL ? 0 : 1])] : [];
  });
  paid.sort((a, b) => Number(a - b));
  return paid[(paid.length - 1) >> 1] || null;
}

/** @param {Fees} first @returns {bigint} the highest max fee that is ever offered */
export const limitOf = (first) => first.maxFeePerGas * LIMIT;

/**
 * Return the fees of a replacement. They are at least a price bump above the old fees. Return null
 * if the new fees would exceed the limit.
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
