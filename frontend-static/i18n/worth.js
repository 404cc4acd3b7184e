/** What an amount of the chain's coin is worth, where the operator says what one costs; and whether the page tells it. */

import { money } from "./quantities.js";
import { t } from "./translate.js";

/** @import { Health } from "../types.js" */

/** The least that money is told in: a cent. */
const CENT = 0.01;

/** `€0.09`; "" without a rate. @param {number} coins @param {{currency: string, price: number}|null|undefined} rate */
export function worth(coins, rate) {
  if (!rate) return "";
  const value = coins * rate.price;
  return value < CENT ? t("cost.less", { money: money(CENT, rate.currency) }) : money(value, rate.currency);
}

/** Whether a cost is shown: the operator names the amount of money below which it is not; without a rate every cost is. @param {number} coins @param {Partial<Health>|null} health */
export function isWorthTelling(coins, health) {
  const { rate, tellCostsAbove = 0 } = health ?? {};
  return !rate || Number((coins * rate.price).toPrecision(12)) >= tellCostsAbove; // without a product's last digit: 0.07 * 100 is 7.000000000000001
}
