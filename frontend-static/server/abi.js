/** Fetches a game's ABI, which the server stores under the ABI's hash. */

import { get } from "./rest.js";

/**
 * Return the ABI of the contract in which new matches of a game are opened. The ABI is cached in
 * the game. @param {{abi?: readonly any[], abiHash?: string}} game @returns {Promise<readonly any[]>} Throws Offline or Problem.
 */
export async function abiOf(game) {
  return (game.abi ??= (await get(`/abis/${game.abiHash}`)).abi);
}
