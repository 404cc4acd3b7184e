/** The amounts that the accounts can withdraw after a match. This module has no side effects. */

import { inSeat, plays } from "../shared/duel.js";

/** @import { Json } from "../../types.js" */

/**
 * Return the amount that an account can still withdraw after the match, in wei or the token's
 * smallest units. The contract computes the same amount.
 * @param {Json} board @param {string} account @returns {bigint}
 */
export function withdrawableStake(board, account) {
  const stake = BigInt(board.stake ?? 0);
  if (!stake || !plays(board, account) || board.withdrawn?.[account] !== undefined) return 0n;
  if (board.status === "cancelled") return inSeat(board, 0) === account ? stake : 0n;
  if (board.status !== "finished") return 0n;
  if (!board.winner) return stake;
  return board.winner === account ? 2n * stake : 0n;
}
