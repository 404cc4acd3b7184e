/**
 * Converts amounts of the chain's coin to money, and decides which costs are high enough to show.
 */

import { money } from "./quantities.js";
import { t } from "./translate.js";

/** @import { Health } from "../types.js" */

/** The smallest amount of money that the page shows: 0.01 of the currency. */
const CENT = 0.01;

/** Return the value of an amount in money, such as `€0.09`. Return "" if there is no exchange rate. @param {number} coins @param {{currency: string, price: number}|null|undefined} rate */
export function worth(coins, rate) {
  if (!rate) return "";
  const value = coins * rate.price;
  return value < CENT ? t("cost.less", { money: money(CENT, rate.currency) }) : money(value, rate.currency);
}

/**
 * Return true if the page should show a cost. The page hides costs below the operator's limit,
 * which is an amount of money. Without an exchange rate, it shows all costs.
 * @param {number} coins @param {Partial<Health>|null} health
 */
export function isWorthShowing(coins, health) {
  const { rate, tellCostsAbove = 0 } = health ?? {};
  return !rate || Number((coins * rate.price).toPrecision(12)) >= tellCostsAbove; // round, because 0.07 * 100 is 7.000000000000001
}
