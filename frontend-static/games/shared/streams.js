/**
 * Computes amounts that grow with the time on the chain, such as a stake that streams back. This
 * module has no side effects.
 */

import { t } from "../../i18n/translate.js";

/** @import { Stream } from "../../types.js" */
/** @import { FormatAmount } from "./terms.js" */

/** Return the amount that has streamed by a given time, in wei or the token's smallest units. @param {Stream} stream @param {number} time seconds since 1970 @returns {bigint} */
export function streamedAmount({ amount, rate, since, cap }, time) {
  const seconds = since ? BigInt(Math.max(0, Math.floor(time) - since)) : 0n;
  const all = amount + rate * seconds;
  return all < cap ? all : cap;
}

/** Return the amount that has streamed by a given time and the maximum amount, as text. @param {Stream} stream @param {number} time @param {FormatAmount} formatAmount */
export function streamedText(stream, time, formatAmount) {
  const { key = "match.stream", cap, token } = stream;
  return t(key, { amount: formatAmount(streamedAmount(stream, time), token), cap: formatAmount(cap, token) });
}
