/**
 * The code that two-player games share: the seats, and the checks of contracts/src/Duel.sol in the
 * same order. This module has no side effects.
 */

import { nameOf } from "../../names/names.js";

/** @import { I18nText, Json, RenderContext, Seat } from "../../types.js" */

/**
 * The action that ends a match in which the player to move is out of time. Anyone can send it. See
 * IDuel.sol.
 */
export const CLAIM = "claimTimeout";

/** Return the account in a seat, or "" while the seat is empty. @param {Json} board @param {number} seat */
export const inSeat = (board, seat) =>
  Object.keys(board.players ?? {}).find((address) => board.players[address].seat === seat) ?? "";

/** Return the seat of an account, or -1 if the account isn't playing. @param {Json} board @param {string} account @returns {number} */
export const seatOf = ({ players = {} }, account) => players[account]?.seat ?? -1;

/**
 * Return the seat that is drawn at the bottom. If exactly one of this browser's accounts is
 * playing, this is the account's seat. Otherwise, it is seat 0. Even for an earlier board, the
 * latest board decides, so that the board never turns when the player goes back.
 * @param {RenderContext} context @returns {number}
 */
export function bottomSeat({ board, latestBoard, ownAccounts }) {
  const own = seatsOf(latestBoard ?? board).filter(({ address }) => ownAccounts.has(address));
  return own.length === 1 ? own[0].seat : 0;
}

/** Return the account that opened a match, or "" before the match is opened. @param {Json} board @returns {string} */
export const openerOf = ({ creator, players = {} }) => creator ?? Object.keys(players)[0] ?? "";

/** @param {Json} board @param {string} account */
export const plays = (board, account) => Object.hasOwn(board.players ?? {}, account);

/**
 * Return the seats of a two-player match. No player is out before the match ends, so all seats are
 * alive. Each game adds its own notes to the seats.
 * @param {Json} board @returns {Seat[]}
 */
export function seatsOf({ players = {} }) {
  const known = Object.entries(players).map(([address, { seat }]) => ({ address, seat, alive: true }));
  return known.sort((a, b) => a.seat - b.seat);
}

/**
 * Return why a pending action can't be sent again. Return null if the action isn't pending. This
 * check keeps a double click from sending two transactions. For actions that open a match, the page
 * has a separate check.
 * @param {RenderContext} context @param {string} action @returns {I18nText|null}
 */
export function whyPending({ match, me, pending }, action) {
  return match && pending.some((tx) => tx.action === action && tx.account === me) ? { key: "why.on-its-way" } : null;
}

/** Return why an account can't take the second seat. @param {RenderContext} context @returns {I18nText|null} */
export function whyJoin({ board, me }) {
  if (board.status !== "open") return { key: "why.not-open" };
  if (plays(board, me)) return { key: "why.own-match" };
  return board.opponent && board.opponent !== me
    ? { key: "why.not-invited", args: { name: nameOf(board.opponent) } }
    : null;
}

/** Return why an account can't close a match that nobody has joined. @param {RenderContext} context @returns {I18nText|null} */
export function whyClose({ board, me }) {
  if (board.status !== "open") return { key: "why.not-open" };
  return board.creator === me ? null : { key: "why.not-opener" };
}

/** Return why an account can't act: the match hasn't begun, or the account isn't playing. @param {RenderContext} context @returns {I18nText|null} */
export function whyPlaying({ board, me }) {
  if (board.status === "open") return { key: "why.not-begun" };
  return plays(board, me) ? null : { key: "why.not-a-player" };
}

/** Return why an account can't make a move now. @param {RenderContext} context @param {string} action the name of the move's action @returns {I18nText|null} */
export function whyTurn(context, action) {
  const { board, me } = context;
  const stopped = whyPlaying(context) ?? whyPending(context, action);
  if (stopped) return stopped;
  return board.mover === me ? null : { key: "why.not-your-turn", args: { name: nameOf(board.mover ?? "0x") } };
}

/** Return why nobody can claim a timeout now. @param {RenderContext} context @returns {I18nText|null} */
export function whyClaim({ board, now }) {
  if (board.status === "open") return { key: "why.not-begun" };
  if (!board.deadline) return { key: "why.no-clock" };
  return now < board.deadline ? { key: "why.not-expired" } : null;
}
