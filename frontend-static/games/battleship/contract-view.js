/** What the board and the contract's view of a match both tell: the twin of indexer/games/battleship.py's `viewed` and `shown`. */

import { NOBODY, REASONS, bits, duelTold, duelViewed, seatsOf, statusOf } from "../shared/contract-view.js";

/** @import { Json } from "../../types.js" */

const NOT_SEALED = `0x${"0".repeat(64)}`;
const NOT_PENDING = 255;
const PLAYERS = 2;

/** @param {Json} view @returns {Json} */
export function viewed(view) {
  const { players, shots, hits, revealed, withdrawn } = view;
  return {
    ...duelViewed(view, players),
    commitments: view.commitments.filter((/** @type {string} */ one) => one !== NOT_SEALED),
    shots: players.map((/** @type {string} */ _, /** @type {number} */ i) => shotsOf(shots[i], hits[i])),
    faults: view.faults.map((/** @type {number} */ fault, /** @type {number} */ i) => (revealed[i] ? fault : null)),
    stake: String(view.stake),
    token: view.token,
    phase: statusOf(view) === "playing" ? (view.revealing ? "reveals" : "shots") : null,
    pending: view.pending === NOT_PENDING ? null : view.pending,
    loser: view.loser,
    cause: REASONS[view.cause],
    withdrawn: players.filter((/** @type {string} */ _, /** @type {number} */ i) => withdrawn[i]),
  };
}

/** @param {string} shots @param {string} hits masks */
function shotsOf(shots, hits) {
  const hit = new Set(bits(hits));
  return Object.fromEntries(bits(shots).map((tile) => [tile, hit.has(tile) ? "hit" : "miss"]));
}

/** @param {Json} board @returns {Json} */
export function told(board) {
  const players = seatsOf(board);
  const fleets = players.map((player) => board.fleets[player] ?? {});
  const missing = Math.max(0, PLAYERS - players.length);
  return {
    ...duelTold(board),
    commitments: fleets.flatMap(({ commitment }) => (commitment === undefined ? [] : [commitment])),
    shots: [...players.map((player) => board.players[player].shots ?? {}), ...Array(missing).fill({})],
    faults: [...fleets.map(({ fault }) => fault ?? null), ...Array(missing).fill(null)],
    stake: board.stake,
    token: board.token ?? NOBODY,
    phase: board.status === "playing" ? (board.phase ?? null) : null,
    pending: board.pending?.tile ?? null,
    loser: board.loser ?? NOBODY,
    cause: board.cause ?? REASONS[0],
    withdrawn: players.filter((player) => Object.hasOwn(board.withdrawn, player)),
  };
}
