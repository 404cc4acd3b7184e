/** Amounts in sentences about events, which have no token's decimals at hand. Pure. */

import { decimal } from "../../i18n/quantities.js";
import { longHex, t } from "../../i18n/translate.js";
import { ZERO_ADDRESS } from "../../lib/ethereum/address.js";
import { formatEther } from "../../lib/ethereum/ether.js";

/** Ether in words; of a token in its units. @param {string|undefined} token none, or the zero address: ether @param {bigint} amount */
export function amountOf(token, amount) {
  if (!token || token === ZERO_ADDRESS) return t("worth.ether", { amount: decimal(formatEther(amount)) });
  return t("worth.units", { amount, token: longHex(token) });
}
