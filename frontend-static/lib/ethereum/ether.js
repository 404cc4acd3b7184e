/** Parses and formats amounts of ether and of tokens. */

import * as Value from "ox/Value";

const MICRO = 10n ** 12n;
const ETHER = 18;
export const GWEI = 9;

/** @param {bigint} amount @param {number} [decimals] the number of decimals of the coin or the token @returns {string} a decimal number without unnecessary zeros, such as "1" or "0.5" */
export const formatUnits = (amount, decimals = ETHER) => Value.format(amount, decimals);

/** @param {string} text @param {number} [decimals] the number of decimals of the coin or the token @returns {bigint} Throws if the text isn't a number or has too many decimals. */
export function parseUnits(text, decimals = ETHER) {
  if ((text.split(".")[1] ?? "").length > decimals) throw new Error(`${text} has more than ${decimals} decimals`);
  return Value.from(text, decimals);
}

/** @param {bigint} wei */
export const formatEther = (wei) => formatUnits(wei);

/** @param {string} text @returns {bigint} the amount in wei. Throws if the text isn't a number or has too many decimals. */
export const parseEther = (text) => parseUnits(text);

/** Return an amount in ether with at most six decimals. `wei` is the amount in wei. @param {bigint} wei @param {boolean} [up] true to round up, for example for an amount that the player needs */
export const inEther = (wei, up = false) => formatEther(((wei + (up ? MICRO - 1n : 0n)) / MICRO) * MICRO);

/** Return an amount in ether with four decimals, or "…" if the amount isn't known. @param {bigint|undefined} wei */
export function shortEther(wei) {
  if (wei === undefined) return "…";
  const parts = wei / 10n ** 14n;
  return `${parts / 10_000n}.${String(parts % 10_000n).padStart(4, "0")}`;
}
