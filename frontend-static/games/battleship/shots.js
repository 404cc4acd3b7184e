/**
 * The players, their shots and answers, and the false answers that a revealed fleet exposes. This
 * module has no side effects.
 */

import { inSeat, plays } from "../shared/duel.js";
import { maskOf, parseFleet, parseLegalFleet } from "./fleet/fleet.js";

/** @import { Json, RenderContext } from "../../types.js" */
/** @import { PlacedShip } from "./fleet/fleet.js" */

/** @typedef {"hit"|"miss"} Answer */
/** @typedef {{owner: string, ships: PlacedShip[], revealed: boolean}} VisibleFleet A fleet whose ships the viewer may see. */

/** Return the account of the opponent, or "" if there is no opponent yet. @param {Json} board @param {string} account */
export const opponentOf = (board, account) =>
  Object.keys(board.players ?? {}).find((address) => address !== account) ?? "";

/** Return true if the account in use can take the second seat. @param {RenderContext} context */
export const mayAccept = ({ board, me }) =>
  me !== "" && board.status === "open" && !plays(board, me) && (!board.opponent || board.opponent === me);

/**
 * Return the account of the player who views the match. If the viewer doesn't play, return "". A
 * player has an account here even while the page shows an event from before that player joined.
 * @param {RenderContext} context
 */
export const viewer = ({ me, viewAs }) => me || (viewAs ?? "");

/**
 * Return the owners of the left and the right sea. The left sea belongs to the viewer if the viewer
 * plays or can join. Otherwise, the seas are in the order of the seats.
 * @param {RenderContext} context @returns {[string, string]}
 */
export function owners(context) {
  const { board, viewAs } = context;
  const own = plays(board, context.me) ? context.me : viewAs;
  if (own) return [own, opponentOf(board, own)];
  return mayAccept(context) ? ["", inSeat(board, 0)] : [inSeat(board, 0), inSeat(board, 1)];
}

/** Return the answered shots at a player's sea, each with its answer. @param {Json} board @param {string} owner @returns {[number, Answer][]} */
export function shotsAt(board, owner) {
  const shots = board.players?.[opponentOf(board, owner)]?.shots ?? {};
  return owner ? Object.entries(shots).map(([tile, answer]) => [Number(tile), answer]) : [];
}

/** Return the tiles of all hits in a player's sea. @param {Json} board @param {string} owner @returns {number[]} */
export const hitsAt = (board, owner) =>
  shotsAt(board, owner).flatMap(([tile, answer]) => (answer === "hit" ? [tile] : []));

/** Return the tile of the unanswered shot at a player's sea, or -1 if there is none. @param {Json} board @param {string} owner @returns {number} */
export const pendingAt = (board, owner) =>
  owner && board.pending && board.pending.by !== owner ? board.pending.tile : -1;

/**
 * Return the shot that was still unanswered when the shooting ended, or null. An unanswered shot
 * doesn't count. @param {RenderContext} context @returns {{tile: number, by: string}|null}
 */
export function unanswered({ board, events = [], seq = Infinity }) {
  if (board.cause === undefined) return null;
  const last = events.findLast((event) => event.name === "Shot" && event.seq <= seq)?.args;
  return last && !isAnswered(board, last) ? { tile: last.tile, by: last.by } : null;
}

/** @param {Json} board @param {Json} shot */
export const isAnswered = (board, { by, tile }) => Object.hasOwn(board.players?.[by]?.shots ?? {}, String(tile));

/** @param {Json} board @param {string} owner @returns {PlacedShip[]|null} null while the fleet is sealed, or if its text contains no valid ships */
export function revealedShips(board, owner) {
  const text = board.fleets?.[owner]?.ships;
  return typeof text === "string" ? parseFleet(text) : null;
}

/** Return a player's answers that contradict the player's own revealed fleet. @param {Json} board @param {string} owner @returns {[number, Answer][]} */
export function falseAnswers(board, owner) {
  const ships = parseLegalFleet(board.fleets?.[owner]?.ships ?? "");
  if (!ships) return [];
  const mask = maskOf(ships);
  return shotsAt(board, owner).filter(([tile, answer]) => isIn(mask, tile) !== (answer === "hit"));
}

/** @param {bigint} mask @param {number} tile */
export const isIn = (mask, tile) => ((mask >> BigInt(tile)) & 1n) === 1n;
