/** What the page says for a player from the sealed fleet: answers to shots, the last one, and the reveal. Pure but for the storage it reads. */

import { getBytes, isHexString } from "../../vendor/ethers.min.js";
import { plays } from "../../duel.js";
import { AFLOAT } from "./fleet.js";
import { commitmentOf } from "./commitment.js";
import { sealed } from "./sealed.js";
import { hitsAt, isIn, pendingAt, rival, shotsAt } from "./sides.js";

/** @import { Json, Order, View } from "../../types.js" */
/** @import { Sealed } from "./sealed.js" */

/** What `move` ignores when no shot follows its answer. */
const NO_SHOT = 0;

/** Commitments that a board has shown: their fleets are in a match. @type {Set<string|undefined>} */
export const met = new Set();

/** The fleet of an account in a match, if this browser has it. @param {Json} board @param {string} account @returns {Sealed|undefined} */
export function fleetOf(board, account) {
  const commitment = board.fleets?.[account]?.commitment;
  if (!commitment) return undefined;
  met.add(commitment);
  return sealed(commitment);
}

/** The answer to the shot that waits, and the next shot: what `move` is told. Null without the fleet. @param {View} view @param {number} tile @returns {Json|null} */
export function moveArgs({ board, me }, tile) {
  const fleet = fleetOf(board, me);
  const answered = pendingAt(board, me);
  return fleet && answered >= 0 ? { ply: board.ply, answeredTile: answered, hit: isIn(fleet.mask, answered), tile } : null;
}

/** Whether the shot that waits is the one that hits the last tile afloat. @param {View} view */
export function isFatal({ board, me }) {
  const fleet = fleetOf(board, me);
  const tile = pendingAt(board, me);
  return Boolean(fleet) && board.phase === "shots" && board.mover === me && tile >= 0 && isIn(/** @type {Sealed} */ (fleet).mask, tile) && hitsAt(board, me) === AFLOAT - 1;
}

/** @param {View} view @returns {Json|null} */
export const fatalArgs = (view) => (isFatal(view) ? moveArgs(view, NO_SHOT) : null);

/** What shows an account's fleet: only to be called when it is to be shown. @param {View} view @returns {Json|null} */
export function revealArgs({ board, me }) {
  const fleet = fleetOf(board, me);
  return fleet ? { ships: fleet.ships, nonce: fleet.nonce } : null;
}

/**
 * What the page sends by itself: the answer to a fatal shot, after which there is no shot to choose; and the reveal, when
 * its player agreed and the match is over by what this browser knows itself, so that no server talks it out of a fleet.
 * @param {View} view @returns {Order|null}
 */
export function auto(view) {
  const { board, me } = view;
  if (board.status !== "playing" || !plays(board, me)) return null;
  const args = fatalArgs(view);
  if (args) return { action: "move", args };
  const fleet = fleetOf(board, me);
  if (board.phase !== "reveals" || board.fleets?.[me]?.ships !== undefined || !fleet?.reveal || !isOverFor(board, me, fleet)) return null;
  return { action: "reveal", args: { ...revealArgs(view), message: "" } };
}

/** A lost or late server can only be believed that time ran out, and that all of the rival's tiles are hit. @param {Json} board @param {string} me @param {Sealed} fleet */
function isOverFor(board, me, fleet) {
  if (board.cause === "won") return board.loser === me ? isSunk(board, me, fleet) : hitsAt(board, rival(board, me)) === AFLOAT;
  if (board.cause === "resigned") return board.loser !== me && isShown(board, board.loser);
  return board.cause === "timeout";
}

/** The hits are the fleet, tile by tile: nobody could make that up who does not know it. @param {Json} board @param {string} me @param {Sealed} fleet */
function isSunk(board, me, fleet) {
  const hits = shotsAt(board, me).filter(([, answer]) => answer === "hit");
  return hits.reduce((mask, [tile]) => mask | (1n << BigInt(tile)), 0n) === fleet.mask;
}

/** Who surrendered has shown the fleet of its commitment. @param {Json} board @param {string} account */
function isShown(board, account) {
  const { commitment, ships, nonce } = board.fleets?.[account] ?? {};
  if (typeof ships !== "string" || !isHexString(nonce)) return false;
  return commitmentOf(ships, nonce) === commitment || (isHexString(ships) && commitmentOf(getBytes(ships), nonce) === commitment);
}
