/** A game's ABI, which its server has by its hash. */

import { get } from "./rest.js";

/** The ABI of where new matches of a game open: kept in the game itself. @param {{abi?: readonly any[], abiHash?: string}} game @returns {Promise<readonly any[]>} Throws Offline or Problem. */
export async function abiOf(game) {
  return (game.abi ??= (await get(`/abis/${game.abiHash}`)).abi);
}
