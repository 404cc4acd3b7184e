/**
 * The draft of a rematch: a map of the same size, with seats for the same players. This module has
 * no side effects.
 */

/** @import { Json, Opponent } from "../../../types.js" */

const MAX_PLAYERS = 6;

/**
 * Return the rematch draft for the player `me`, who gets the first seat. The other players keep the
 * order of their seats. People are invited by address. Computer players are invited by name, so
 * that any of their free accounts can play.
 * @param {Json} board @param {string} me @param {Opponent[]} opponents
 */
export function rematchDraft({ map, players = {}, seatCount }, me, opponents) {
  const others = Object.keys(players)
    .filter((address) => address !== me)
    .sort((a, b) => players[a].seat - players[b].seat);
  const seats = Array.from({ length: MAX_PLAYERS - 1 }, (_, i) => seatFor(others[i], opponents));
  return { seeds: {}, grain: map?.grain, players: seatCount ?? others.length + 1, seats };
}

/** @param {string|undefined} address @param {Opponent[]} opponents */
function seatFor(address, opponents) {
  if (!address) return { who: "anyone", address: "" };
  const computer = opponents.find(({ accounts }) => accounts.some((one) => one.address === address));
  return computer ? { who: computer.name, address: "" } : { who: "address", address };
}
