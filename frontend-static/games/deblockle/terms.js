/** What is typed to open a match, and does not go together. Pure. */

/** @import { Action, I18nText, Json, RenderContext } from "../../types.js" */

/** Seconds that a turn has at least, and that a deposit lasts: see Deblockle.sol, MIN_STAKE_CLOCK. */
const MINUTE = 60;

/** @param {RenderContext} context @param {Action} action @param {Json} values as the contract gets them @returns {I18nText|null} */
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
