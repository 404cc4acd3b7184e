/** Ether as it is shown. */

import { formatEther } from "../vendor/ethers-abi.js";

const MICRO = 10n ** 12n;

/** Ether with at most six decimals. @param {bigint} wei @param {boolean} [up] to the next, for what is needed */
export const inEther = (wei, up = false) => formatEther(((wei + (up ? MICRO - 1n : 0n)) / MICRO) * MICRO);

/** Ether with four decimals: enough to see a fee. @param {bigint|undefined} wei */
export function shortEther(wei) {
  if (wei === undefined) return "…";
  const parts = wei / 10n ** 14n;
  return `${parts / 10_000n}.${String(parts % 10_000n).padStart(4, "0")}`;
}
