/** EIP-1559 fees from recent blocks, raised in steps up to a limit; wei per unit of gas. Pure. */

/** @import { Fees } from "../../types.js" */

/** Factor of 9/8 for a replacement. geth requires 10 % more of both fees (`--txpool.pricebump`). */
const MORE = [9n, 8n];
/** Limit, as a multiple of the first offer. The base fee can double within six blocks. */
const LIMIT = 5n;

/**
 * Blocks of the fee history, and the percentiles to use: for blocks that have room, and for full
 * blocks.
 */
export const [HISTORY_BLOCKS, PERCENTILES] = [10, [10, 50]];
/** A block counts as full if it uses at least this part of its gas limit. */
const FULL = 0.9;

/** @typedef {{baseFeePerGas?: string[], gasUsedRatio?: number[], reward?: string[][]}|null} FeeHistory The answer of `eth_feeHistory`; null if the node has none. */

/** @param {bigint} fee */
const bump = (fee) => (fee * MORE[0] + MORE[1] - 1n) / MORE[1];
/** @param {bigint} a @param {bigint} b */
const larger = (a, b) => (a > b ? a : b);

/** @param {bigint} baseFee fee of the latest block @param {bigint} priorityFee @returns {Fees} */
export const suggested = (baseFee, priorityFee) => ({
  maxPriorityFeePerGas: priorityFee,
  maxFeePerGas: baseFee * 2n + priorityFee,
});

/**
 * Base fee of the block after a history; 0 if unknown. It is the last entry in the list of base
 * fees. @param {FeeHistory} history
 */
export function nextBaseFee(history) {
  const [fees, ratios] = [history?.baseFeePerGas ?? [], history?.gasUsedRatio ?? []];
  return ratios.length && fees.length > ratios.length ? BigInt(fees[fees.length - 1]) : 0n;
}

/** Median priority fee of the blocks that have transactions; null if there are none, or all paid 0. @param {FeeHistory} history */
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

/** Return a replacement's fees, at least a price bump above the old fees; null if above the limit. @param {Fees} old @param {Fees} now @param {bigint} limit @returns {Fees|null} */
export function bumped(old, now, limit) {
  const least = bump(old.maxFeePerGas);
  if (least > limit) return null;
  const maxFee = larger(least, now.maxFeePerGas);
  const maxFeePerGas = maxFee > limit ? limit : maxFee;
  const priorityFee = larger(bump(old.maxPriorityFeePerGas), now.maxPriorityFeePerGas);
  return { maxFeePerGas, maxPriorityFeePerGas: priorityFee > maxFeePerGas ? maxFeePerGas : priorityFee };
}
