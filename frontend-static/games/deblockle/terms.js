/** Checks the terms that a player enters to open a match. This module has no side effects. */

/** @import { Action, I18nText, Json, RenderContext } from "../../types.js" */

/**
 * The minimum time for which a turn and a deposit must last, in seconds. See MIN_STAKE_CLOCK in
 * Deblockle.sol.
 */
const MINUTE = 60;

/** @param {RenderContext} context @param {Action} action @param {Json} values as sent to the contract @returns {I18nText|null} */
export function whyTyped({ formatAmount }, { name }, values) {
  if (name !== "create") return null;
  const [stake, rate] = [BigInt(values.stake), BigInt(values.rate)];
  if (stake === 0n) return rate === 0n ? null : { key: "deblockle.why.no-stake" };
  if (Number(values.clock) < MINUTE) return { key: "deblockle.why.clock" };
  const most = stake / BigInt(MINUTE);
  const args = { most: formatAmount(most, values.token) };
  if (rate === 0n) return { key: "deblockle.why.no-rate", args };
  return rate > most ? { key: "deblockle.why.rate", args } : null;
}
