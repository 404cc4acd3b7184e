/** The stakes by the chain's time: what has streamed back to each player, and what each can withdraw. Whole wei or token units. Pure. */

import { inSeat } from "../shared/duel.js";
import { flowed } from "../shared/streams.js";

/** @import { Json, Stream } from "../../types.js" */

/** Whether a seat's deposit streams back now: the other player thinks. @param {Json} board @param {number} seat */
export const isRunning = (board, seat) => board.status === "playing" && inSeat(board, seat) !== board.mover;

/** A seat's own deposit on its way back. @param {Json} board @param {number} seat @returns {Stream} */
export function streamOf(board, seat) {
  const [cap, rate] = [BigInt(board.stake), BigInt(board.rate)];
  const back = rate * BigInt(board.players[inSeat(board, seat)]?.streamed ?? 0);
  const amount = back < cap ? back : cap;
  return { amount, rate, since: isRunning(board, seat) ? (board.turnStart ?? 0) : 0, cap, token: board.token };
}

/** What has streamed back to a seat at a time: the contract's `streamed`. @param {Json} board @param {number} seat @param {number} time seconds since 1970 */
export const purse = (board, seat, time) => flowed(streamOf(board, seat), time);

/** All that has come to a seat, as the contract computes it. @param {Json} board @param {number} seat @param {number} time */
function total(board, seat, time) {
  const stake = BigInt(board.stake);
  if (board.status === "open" || board.status === "none") return 0n;
  if (board.status === "cancelled") return seat === 0 ? stake : 0n;
  if (board.status === "playing") return purse(board, seat, time);
  if (!board.winner) return stake;
  const loser = 1 - (board.players[board.winner]?.seat ?? 0);
  return seat === loser ? purse(board, seat, time) : 2n * stake - purse(board, loser, time);
}

/** @param {Json} board @param {number} seat */
export const withdrawn = (board, seat) => BigInt(board.players[inSeat(board, seat)]?.withdrawn ?? 0);

/** What a seat can withdraw. @param {Json} board @param {number} seat @param {number} time */
export const due = (board, seat, time) => total(board, seat, time) - withdrawn(board, seat);
