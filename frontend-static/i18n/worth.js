/** Value of an amount of the chain's coin in money, and whether it is worth showing. */

import { money } from "./quantities.js";
import { t } from "./translate.js";

/** @import { Health } from "../types.js" */

/** Smallest amount of money shown: a cent. */
const CENT = 0.01;

/** `€0.09`; "" without a rate. @param {number} coins @param {{currency: string, price: number}|null|undefined} rate */
export function worth(coins, rate) {
  if (!rate) return "";
  const value = coins * rate.price;
  return value < CENT ? t("cost.less", { money: money(CENT, rate.currency) }) : money(value, rate.currency);
}

/** True if a cost is at least the operator's limit for showing costs, or there is no rate. @param {number} coins @param {Partial<Health>|null} health */
export function isWorthTelling(coins, health) {
  const { rate, tellCostsAbove = 0 } = health ?? {};
  return !rate || Number((coins * rate.price).toPrecision(12)) >= tellCostsAbove; // drop the product's last digit: 0.07 * 100 is 7.000000000000001
}
