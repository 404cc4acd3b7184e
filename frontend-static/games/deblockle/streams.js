/**
 * The stakes at a given time on the chain. For each player, this module computes the amount that
 * has streamed back and the amount that the player can withdraw, in wei or the token's smallest
 * units. This module has no side effects.
 */

import { inSeat } from "../shared/duel.js";
import { streamedAmount } from "../shared/streams.js";

/** @import { Json, Stream } from "../../types.js" */

/**
 * Return true if a seat's deposit is streaming back now. This happens while the opponent is
 * thinking.
 * @param {Json} board @param {number} seat
 */
export const isStreaming = (board, seat) => board.status === "playing" && inSeat(board, seat) !== board.mover;

/** Return the stream of a seat's own deposit: its rate, its maximum and its current state. @param {Json} board @param {number} seat @returns {Stream} */
export function streamOf(board, seat) {
  const [cap, rate] = [BigInt(board.stake), BigInt(board.rate)];
  const back = rate * BigInt(board.players[inSeat(board, seat)]?.streamed ?? 0);
  const amount = back < cap ? back : cap;
  return { amount, rate, since: isStreaming(board, seat) ? (board.turnStart ?? 0) : 0, cap, token: board.token };
}

/**
 * Return the amount that has streamed back to a seat by a given time. The contract calls this
 * amount `streamed`.
 * @param {Json} board @param {number} seat @param {number} time seconds since 1970
 */
export const streamedTo = (board, seat, time) => streamedAmount(streamOf(board, seat), time);

/**
 * Return a seat's total share of the stakes at a given time, computed as in the contract. The share
 * includes what the seat has already withdrawn.
 * @param {Json} board @param {number} seat @param {number} time
 */
function totalDue(board, seat, time) {
  const stake = BigInt(board.stake);
  if (board.status === "open" || board.status === "none") return 0n;
  if (board.status === "cancelled") return seat === 0 ? stake : 0n;
  if (board.status === "playing") return streamedTo(board, seat, time);
  if (!board.winner) return stake;
  const loser = 1 - (board.players[board.winner]?.seat ?? 0);
  return seat === loser ? streamedTo(board, seat, time) : 2n * stake - streamedTo(board, loser, time);
}

/** @param {Json} board @param {number} seat */
export const withdrawn = (board, seat) => BigInt(board.players[inSeat(board, seat)]?.withdrawn ?? 0);

/** @param {Json} board @param {number} seat @param {number} time */
export const withdrawable = (board, seat, time) => totalDue(board, seat, time) - withdrawn(board, seat);
