/** A rating as it is written. */

import { t } from "../../i18n/translate.js";

/** Fewer rivals than these, and a rating tells little (indexer/store/rivals.py: ENOUGH). */
const ENOUGH = 5;

/** `1516`, with few rivals `1516?`; `–` before the first match. @param {number|null} rating @param {number} rivals */
export function ratingText(rating, rivals) {
  if (rating === null) return "–";
  return rivals < ENOUGH ? t("players.unsure", { rating: rating.toFixed(0) }) : rating.toFixed(0);
}
