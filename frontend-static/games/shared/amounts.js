/**
 * Formats amounts for sentences about events. The number of decimals of a token is unknown there.
 * This module has no side effects.
 */

import { decimal } from "../../i18n/quantities.js";
import { longHex, t } from "../../i18n/translate.js";
import { ZERO_ADDRESS } from "../../lib/ethereum/address.js";
import { formatEther } from "../../lib/ethereum/ether.js";

/**
 * Return an amount as text. Amounts of the chain's coin are in ether. Amounts of a token are in the
 * token's smallest units.
 * @param {string|undefined} token undefined or the zero address for the chain's coin @param
 * {bigint} amount
 */
export function amountOf(token, amount) {
  if (!token || token === ZERO_ADDRESS) return t("worth.ether", { amount: decimal(formatEther(amount)) });
  return t("worth.units", { amount, token: longHex(token) });
}
