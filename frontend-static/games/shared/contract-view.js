/**
 * What a folded board and the contract's own view of a match (`board(matchId)`) both tell, in one shape for both. The twin of
 * indexer/gamekit/contract_view.py; a game's own pair (types.js, Renderer: `fromContract` and `fromBoard`) builds on it. Pure.
 */

import { ZERO_ADDRESS } from "../../lib/ethereum/address.js";

/** @import { Json } from "../../types.js" */

/** As IMatch.sol numbers them. */
const STATUS = ["none", "open", "playing", "finished", "cancelled"];
export const REASONS = ["none", "won", "draw", "resigned", "timeout", "cheating-proved", "cancelled"];
export const NOBODY = ZERO_ADDRESS;

/** @param {Json} contractView */
export const statusOf = (contractView) => STATUS[contractView.status];

/** The addresses by name, without the zero address. @param {Json} addresses */
const named = (addresses) => Object.fromEntries(Object.entries(addresses).filter(([, address]) => address !== NOBODY));

/** The object with only these keys, where it has them. @param {Json} object @param {string[]} keys @returns {Json} */
export const only = (object, keys) =>
  Object.fromEntries(keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]]));

/** The life of a match: status, ply, deadline; reason and winner when it ended. @param {Json} contractView @returns {Json} */
export function matchFromContract(contractView) {
  const reason = contractView.reason ? { reason: REASONS[contractView.reason] } : {};
  return {
    status: statusOf(contractView),
    ply: contractView.ply,
    deadline: contractView.deadline,
    ...reason,
    ...named({ winner: contractView.winner }),
  };
}

/** @param {Json} board */
export const matchFromBoard = (board) => only(board, ["status", "ply", "deadline", "reason", "winner"]);

/** A match of two: its life, clock, seats, and who is to move. @param {Json} contractView @param {string[]} players @returns {Json} */
export function duelFromContract(contractView, players) {
  return {
    ...matchFromContract(contractView),
    clock: contractView.clock,
    players: players.filter((one) => one !== NOBODY),
    ...named({ mover: contractView.mover }),
  };
}

/** The board in the contract's shape: an invited player occupies the other seat while it is empty. @param {Json} board @returns {Json} */
export function duelFromBoard(board) {
  const players = seatsOf(board);
  if (players.length === 1 && board.opponent) players.splice(1 - board.players[players[0]].seat, 0, board.opponent);
  return { ...matchFromBoard(board), clock: board.clock, players, ...only(board, ["mover"]) };
}

/** The players, seat 0 first. @param {Json} board */
export const seatsOf = ({ players }) => Object.keys(players).sort((a, b) => players[a].seat - players[b].seat);

/** The number of which these bits are set. @param {number[]} numbers */
export const maskOf = (numbers) => numbers.reduce((mask, bit) => mask | (1n << BigInt(bit)), 0n);

/** The numbers of the bits that are set. @param {number|string} mask a number, or decimal digits @returns {number[]} */
export function bits(mask) {
  const digits = [...BigInt(mask).toString(2)].reverse();
  return digits.flatMap((digit, bit) => (digit === "1" ? [bit] : []));
}
