/** What games for two share: who sits where, and the checks of contracts/src/Duel.sol in their order. Pure. */

import { nameOf } from "../../names/names.js";

/** @import { I18nText, Json, RenderContext, Seat } from "../../types.js" */

/** The action by which anybody ends a match whose mover has no time left: see IDuel.sol. */
export const CLAIM = "claimTimeout";

/** The account in a seat; "" while it is empty. @param {Json} board @param {number} seat */
export const inSeat = (board, seat) =>
  Object.keys(board.players ?? {}).find((address) => board.players[address].seat === seat) ?? "";

/** The seat of an account; -1: it does not play. @param {Json} board @param {string} account @returns {number} */
export const seatOf = ({ players = {} }, account) => players[account]?.seat ?? -1;

/**
 * The seat that is drawn at the bottom: the seat of this browser's account, or 0 if none or several of its accounts play.
 * In the past, too, the latest board decides, so that the board doesn't turn.
 * @param {RenderContext} context @returns {number}
 */
export function bottomSeat({ board, latestBoard, ownAccounts }) {
  const own = seatsOf(latestBoard ?? board).filter(({ address }) => ownAccounts.has(address));
  return own.length === 1 ? own[0].seat : 0;
}

/** Who opened a match; "" before anybody did. @param {Json} board @returns {string} */
export const openerOf = ({ creator, players = {} }) => creator ?? Object.keys(players)[0] ?? "";

/** @param {Json} board @param {string} account */
export const plays = (board, account) => Object.hasOwn(board.players ?? {}, account);

/** Nobody is out before the end; a game adds its notes. @param {Json} board @returns {Seat[]} */
export function seatsOf({ players = {} }) {
  const known = Object.entries(players).map(([address, { seat }]) => ({ address, seat, alive: true }));
  return known.sort((a, b) => a.seat - b.seat);
}

/** Two presses, one transaction; of one that opens a match the page knows itself. @param {RenderContext} context @param {string} action @returns {I18nText|null} */
export function whyUnderWay({ match, me, pending }, action) {
  return match && pending.some((tx) => tx.action === action && tx.account === me) ? { key: "why.on-its-way" } : null;
}

/** Taking the second seat. @param {RenderContext} context @returns {I18nText|null} */
export function whyJoin({ board, me }) {
  if (board.status !== "open") return { key: "why.not-open" };
  if (plays(board, me)) return { key: "why.own-match" };
  return board.opponent && board.opponent !== me
    ? { key: "why.not-invited", args: { name: nameOf(board.opponent) } }
    : null;
}

/** Taking back a match that nobody has joined. @param {RenderContext} context @returns {I18nText|null} */
export function whyClose({ board, me }) {
  if (board.status !== "open") return { key: "why.not-open" };
  return board.creator === me ? null : { key: "why.not-opener" };
}

/** What only a player may do, and only once it is played. @param {RenderContext} context @returns {I18nText|null} */
export function whyPlaying({ board, me }) {
  if (board.status === "open") return { key: "why.not-begun" };
  return plays(board, me) ? null : { key: "why.not-a-player" };
}

/** A move, by the name of its action. @param {RenderContext} context @param {string} action @returns {I18nText|null} */
export function whyTurn(context, action) {
  const { board, me } = context;
  const stopped = whyPlaying(context) ?? whyUnderWay(context, action);
  if (stopped) return stopped;
  return board.mover === me ? null : { key: "why.not-your-turn", args: { name: nameOf(board.mover ?? "0x") } };
}

/** Anybody may claim it. @param {RenderContext} context @returns {I18nText|null} */
export function whyClaim({ board, now }) {
  if (board.status === "open") return { key: "why.not-begun" };
  if (!board.deadline) return { key: "why.no-clock" };
  return now < board.deadline ? { key: "why.not-expired" } : null;
}
