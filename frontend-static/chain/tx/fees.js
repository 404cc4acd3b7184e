/** Fees of a transaction (EIP-1559): what blocks have paid of late, bumped in steps that a pool accepts, never above a limit. Pure; in wei a unit of gas. */

/** @import { Fees } from "../../types.js" */

/** geth's pool replaces a transaction by one that offers 10 % more, of both fees: its `--txpool.pricebump`. */
const MORE = [9n, 8n];
/** The limit is so many times the first offer: a block's base fee may double within six blocks. */
const LIMIT = 5n;

/** Blocks of the history that is asked for, and its percentiles: of a block with room the low end got in, of a full one the middle did. */
export const [HISTORY_BLOCKS, PERCENTILES] = [10, [10, 50]];
/** A block counts as full from this part of its gas limit on. */
const FULL = 0.9;

/** @typedef {{baseFeePerGas?: string[], gasUsedRatio?: number[], reward?: string[][]}|null} FeeHistory The answer of `eth_feeHistory`; null where a node has none. */

/** @param {bigint} fee */
const bump = (fee) => (fee * MORE[0] + MORE[1] - 1n) / MORE[1];
/** @param {bigint} a @param {bigint} b */
const larger = (a, b) => (a > b ? a : b);

/** @param {bigint} baseFee fee of the latest block @param {bigint} priorityFee @returns {Fees} */
export const suggested = (baseFee, priorityFee) => ({
  maxPriorityFeePerGas: priorityFee,
  maxFeePerGas: baseFee * 2n + priorityFee,
});

/** The base fee of the block after a history, which names one more than it has blocks; 0: unknown. @param {FeeHistory} history */
export function nextBaseFee(history) {
  const [fees, ratios] = [history?.baseFeePerGas ?? [], history?.gasUsedRatio ?? []];
  return ratios.length && fees.length > ratios.length ? BigInt(fees[fees.length - 1]) : 0n;
}

/** The median priority fee over the blocks that had transactions; null where there were none, or they gave nothing. @param {FeeHistory} history */
export function paidPriorityFee(history) {
  const paid = (history?.gasUsedRatio ?? []).flatMap((ratio, i) => {
    const reward = history?.reward?.[i];
    return ratio > 0 && reward ? [BigInt(reward[ratio < FULL ? 0 : 1])] : [];
  });
  paid.sort((a, b) => Number(a - b));
  return paid[(paid.length - 1) >> 1] || null;
}

/** @param {Fees} first @returns {bigint} the most that is ever offered, as a max fee */
export const limitOf = (first) => first.maxFeePerGas * LIMIT;

/**
 * The fees of a replacement: the current ones, at least a price bump above the old ones; null above the limit.
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
