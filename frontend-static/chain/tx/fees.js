/** Fees of a transaction (EIP-1559), bumped in steps that a pool accepts, never above a limit. Pure; in wei a unit of gas. */

/** @import { Fees } from "../../types.js" */

/** geth's pool replaces a transaction by one that offers 10 % more, of both fees: its `--txpool.pricebump`. */
const MORE = [9n, 8n];
/** The limit is so many times the first offer: a block's base fee may double within six blocks. */
const LIMIT = 5n;

/** @param {bigint} fee */
const bump = (fee) => (fee * MORE[0] + MORE[1] - 1n) / MORE[1];
/** @param {bigint} a @param {bigint} b */
const larger = (a, b) => (a > b ? a : b);

/** @param {bigint} baseFee fee of the latest block @param {bigint} priorityFee @returns {Fees} */
export const suggested = (baseFee, priorityFee) => ({
  maxPriorityFeePerGas: priorityFee,
  maxFeePerGas: baseFee * 2n + priorityFee,
});

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
