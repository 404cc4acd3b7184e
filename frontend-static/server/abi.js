/** Fetches a game's ABI. The server stores each ABI under its hash. */

import { get } from "./rest.js";

/**
 * Return the ABI of the contract in which new matches of a game are opened. The ABI is cached in
 * the game. @param {{abi?: readonly any[], abiHash?: string}} game @returns {Promise<readonly any[]>} Throws Offline or Problem.
 */
export async function abiOf(game) {
  return (game.abi ??= (await get(`/abis/${game.abiHash}`)).abi);
}
