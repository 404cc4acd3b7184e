/** Amounts in sentences about events, which have no token's decimals at hand. Pure. */

import { decimal } from "../../i18n/quantities.js";
import { longHex, t } from "../../i18n/translate.js";
import { ZeroAddress, formatEther } from "../../vendor/ethers-abi.js";

/** Ether in words; of a token in its units. @param {string|undefined} token none, or the zero address: ether @param {bigint} amount */
export function amountOf(token, amount) {
  if (!token || token === ZeroAddress)
    return t("worth.ether", { amount: decimal(formatEther(amount).replace(/\.0$/, "")) });
  return t("worth.units", { amount, token: longHex(token) });
}
