/**
 * Computes the arguments that depend on a player's sealed fleet: those of an answer to a shot, and
 * those of the reveal. The functions have no side effects, except that `fleetOf` records the
 * commitments that it sees.
 */

import { maskOf } from "../shared/contract-view.js";
import { sealedFleet } from "./fleet/storage.js";
import { hitsAt, isIn, pendingAt } from "./shots.js";

/** @import { Json, RenderContext } from "../../types.js" */
/** @import { SealedFleet } from "./fleet/storage.js" */

/**
 * The tile to send with an answer when the player fires no shot after it. The contract ignores the
 * tile.
 */
const NO_SHOT = 0;

/**
 * The commitments that have appeared on a board. A fleet with one of these commitments is already
 * used in a match.
 * @type {Set<string|undefined>}
 */
export const playedCommitments = new Set();

/** Return the account's sealed fleet in a match, or undefined if this browser doesn't have it. @param {Json} board @param {string} account @returns {SealedFleet|undefined} */
export function fleetOf(board, account) {
  const commitment = board.fleets?.[account]?.commitment;
  if (!commitment) return undefined;
  playedCommitments.add(commitment);
  return sealedFleet(commitment);
}

/**
 * Return the arguments of `move`: the answer to the opponent's pending shot, and the player's next
 * shot. Return null if this browser doesn't have the fleet or if no shot is pending.
 * @param {RenderContext} context @param {number} tile @returns {Json|null}
 */
export function moveArgs({ board, me }, tile) {
  const fleet = fleetOf(board, me);
  const answered = pendingAt(board, me);
  return fleet && answered >= 0
    ? { ply: board.ply, answeredTile: answered, hit: isIn(fleet.mask, answered), tile }
    : null;
}

/**
 * Return true if the pending shot hits the last intact tile of the player's fleet. In that case,
 * the hits are exactly the fleet's tiles. Nobody can make up these hits without knowing the fleet.
 * @param {RenderContext} context
 */
export function isFinalHit({ board, me }) {
  const fleet = fleetOf(board, me);
  const tile = pendingAt(board, me);
  const hits = hitsAt(board, me);
  return (
    Boolean(fleet) &&
    board.phase === "shots" &&
    board.mover === me &&
    tile >= 0 &&
    !hits.includes(tile) &&
    maskOf([...hits, tile]) === /** @type {SealedFleet} */ (fleet).mask
  );
}

/** @param {RenderContext} context @returns {Json|null} */
export const finalHitArgs = (context) => (isFinalHit(context) ? moveArgs(context, NO_SHOT) : null);

/**
 * Return the arguments of the reveal, which contain the account's whole fleet. Send them only to
 * make the fleet public.
 * @param {RenderContext} context @returns {Json|null}
 */
export function revealArgs({ board, me }) {
  const fleet = fleetOf(board, me);
  return fleet ? { ships: fleet.ships, nonce: fleet.nonce } : null;
}
