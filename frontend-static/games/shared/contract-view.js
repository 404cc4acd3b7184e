/**
 * Converts the index's board and the contract's own view of a match (`board(matchId)`) to the same
 * form, so that the page can compare them. indexer/gamekit/contract_view.py does the same. Each
 * game adds its own `fromContract` and `fromBoard` (see the Renderer type in types.js). This module
 * has no side effects.
 */

import { ZERO_ADDRESS } from "../../lib/ethereum/address.js";

/** @import { Json } from "../../types.js" */

/** The states of a match, in the order of their numbers in IMatch.sol. */
const STATUS = ["none", "open", "playing", "finished", "cancelled"];
export const REASONS = ["none", "won", "draw", "resigned", "timeout", "cheating-proved", "cancelled"];
export const NOBODY = ZERO_ADDRESS;

/** @param {Json} contractView */
export const statusOf = (contractView) => STATUS[contractView.status];

/** Return a copy of `addresses`. Leave out the keys whose value is the zero address. @param {Json} addresses */
const named = (addresses) => Object.fromEntries(Object.entries(addresses).filter(([, address]) => address !== NOBODY));

/**
 * Return a copy of the object with only these keys. Keys that the object doesn't have are left out. @param {Json} object @param {string[]} keys @returns {Json}
 */
export const pick = (object, keys) =>
  Object.fromEntries(keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]]));

/**
 * Return the state of a match: its status, its ply and its deadline. If the match is finished, also
 * return the reason and the winner.
 * @param {Json} contractView @returns {Json}
 */
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
export const matchFromBoard = (board) => pick(board, ["status", "ply", "deadline", "reason", "winner"]);

/**
 * Return the state of a two-player match. It also has the clock, the players, and the player whose
 * turn it is. @param {Json} contractView @param {string[]} players @returns {Json}
 */
export function duelFromContract(contractView, players) {
  return {
    ...matchFromContract(contractView),
    clock: contractView.clock,
    players: players.filter((one) => one !== NOBODY),
    ...named({ mover: contractView.mover }),
  };
}

/**
 * Return the board in the contract's form. In that form, an invited player occupies the second seat
 * even before joining.
 * @param {Json} board @returns {Json}
 */
export function duelFromBoard(board) {
  const players = seatsOf(board);
  if (players.length === 1 && board.opponent) players.splice(1 - board.players[players[0]].seat, 0, board.opponent);
  return { ...matchFromBoard(board), clock: board.clock, players, ...pick(board, ["mover"]) };
}

/** Return the players' addresses, starting at seat 0. @param {Json} board */
export const seatsOf = ({ players }) => Object.keys(players).sort((a, b) => players[a].seat - players[b].seat);

/** Return the bit mask in which the bits with these numbers are set. @param {number[]} numbers */
export const maskOf = (numbers) => numbers.reduce((mask, bit) => mask | (1n << BigInt(bit)), 0n);

/** Return the numbers of the bits that are set in a mask. @param {number|string} mask a number, or decimal digits @returns {number[]} */
export function bits(mask) {
  const digits = [...BigInt(mask).toString(2)].reverse();
  return digits.flatMap((digit, bit) => (digit === "1" ? [bit] : []));
}
