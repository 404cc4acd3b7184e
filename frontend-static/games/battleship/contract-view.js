/**
 * Converts the index's board and the contract's view of a match to the same form, so that the page
 * can compare them. from_board and from_contract in indexer/games/battleship.py do the same.
 */

import { NOBODY, REASONS, bits, duelFromBoard, duelFromContract, seatsOf, statusOf } from "../shared/contract-view.js";

/** @import { Json } from "../../types.js" */

const NOT_SEALED = `0x${"0".repeat(64)}`;
const NOT_PENDING = 255;
const PLAYERS = 2;

/** @param {Json} contractView @returns {Json} */
export function fromContract(contractView) {
  const { players, shots, hits, revealed, withdrawn } = contractView;
  return {
    ...duelFromContract(contractView, players),
    commitments: contractView.commitments.filter((/** @type {string} */ one) => one !== NOT_SEALED),
    shots: players.map((/** @type {string} */ _, /** @type {number} */ i) => shotsOf(shots[i], hits[i])),
    faults: contractView.faults.map((/** @type {number} */ fault, /** @type {number} */ i) =>
      revealed[i] ? fault : null,
    ),
    stake: String(contractView.stake),
    token: contractView.token,
    phase: statusOf(contractView) === "playing" ? (contractView.revealing ? "reveals" : "shots") : null,
    pending: contractView.pending === NOT_PENDING ? null : contractView.pending,
    loser: contractView.loser,
    cause: REASONS[contractView.cause],
    withdrawn: players.filter((/** @type {string} */ _, /** @type {number} */ i) => withdrawn[i]),
  };
}

/** @param {string} shots @param {string} hits a bit mask, like `shots` */
function shotsOf(shots, hits) {
  const hit = new Set(bits(hits));
  return Object.fromEntries(bits(shots).map((tile) => [tile, hit.has(tile) ? "hit" : "miss"]));
}

/** @param {Json} board @returns {Json} */
export function fromBoard(board) {
  const players = seatsOf(board);
  const fleets = players.map((player) => board.fleets[player] ?? {});
  const missing = Math.max(0, PLAYERS - players.length);
  return {
    ...duelFromBoard(board),
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
