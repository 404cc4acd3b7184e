/** Fetches a game's ABI from the server, which stores each ABI under the ABI's hash. */

import { get } from "./rest.js";

/** Return the ABI of a game's newest contract. Fetch the ABI only once, and cache it in `game`. @param {{abi?: readonly any[], abiHash?: string}} game @returns {Promise<readonly any[]>} Throws Offline or Problem. */
export async function abiOf(game) {
  return (game.abi ??= (await get(`/abis/${game.abiHash}`)).abi);
}
