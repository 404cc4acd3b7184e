/**
 * Formats amounts in sentences about events, where the token's number of decimals is unknown. This
 * module has no side effects.
 */

import { decimal } from "../../i18n/quantities.js";
import { longHex, t } from "../../i18n/translate.js";
import { ZERO_ADDRESS } from "../../lib/ethereum/address.js";
import { formatEther } from "../../lib/ethereum/ether.js";

/**
 * Return an amount as text. An amount of ether is shown in ether, and an amount of a token in the
 * token's smallest units.
 * @param {string|undefined} token undefined or the zero address for ether @param {bigint} amount
 */
export function amountOf(token, amount) {
  if (!token || token === ZERO_ADDRESS) return t("worth.ether", { amount: decimal(formatEther(amount)) });
  return t("worth.units", { amount, token: longHex(token) });
}
