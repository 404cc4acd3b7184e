/** What an amount of the chain's coin is worth, where the operator says what one costs. */

import { money } from "./quantities.js";
import { t } from "./translate.js";

/** The least that money is told in: a cent. */
const CENT = 0.01;

/** `€0.09`; "" without a rate. @param {number} coins @param {{currency: string, price: number}|null|undefined} rate */
export function worth(coins, rate) {
  if (!rate) return "";
  const value = coins * rate.price;
  return value < CENT ? t("cost.less", { money: money(CENT, rate.currency) }) : money(value, rate.currency);
}
