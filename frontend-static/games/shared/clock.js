/**
 * The clock of a match: which player's time is running, how much time is left, and whether the time
 * is over.
 */

import { h } from "../../lib/dom.js";
import { dateTime, daysAndHours } from "../../i18n/quantities.js";
import { t } from "../../i18n/translate.js";

/** @import { Json } from "../../types.js" */

/** The clock shows a warning when fewer seconds than this are left. */
const HURRY_SECONDS = 10;

/** Return true if the player to move is out of time, so that anyone can claim the timeout. @param {Json} board @param {number} now seconds since 1970 */
export const isPastDeadline = ({ status, deadline }, now) => status === "playing" && deadline > 0 && now >= deadline;

/**
 * Return the remaining time as text, such as `1:05:09` or `5:09`. A day or more is shown in days
 * and hours.
 * @param {number} seconds
 */
export function timeLeft(seconds) {
  const all = Math.max(0, Math.floor(seconds));
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const [days, hours, minutes] = [Math.floor(all / 86_400), Math.floor(all / 3600) % 24, Math.floor(all / 60) % 60];
  if (days) return daysAndHours(days, hours);
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(all % 60)}`;
}

/**
 * Return a player's clock. While it is the player's turn, the clock shows the time until the
 * deadline. Otherwise, it shows the time that the player will have for the next move. Return null
 * if the match has no deadline.
 * @param {Json} board @param {number} now seconds since 1970 @param {boolean} runs true if it is this player's turn
 */
export function clock(board, now, runs) {
  if (board.status !== "playing" || !board.deadline) return null;
  if (!runs)
    return board.clock ? h("span", { class: "clock number still", key: "clock" }, timeLeft(board.clock)) : null;
  const rest = board.deadline - now;
  const text = rest > 0 ? timeLeft(rest) : t("clock.over");
  return h(
    "span",
    {
      class: "clock number",
      key: "clock",
      role: "timer",
      "data-late": rest <= 0,
      "data-hurry": rest > 0 && rest < HURRY_SECONDS,
      "data-deadline": board.deadline,
      title: t("clock.until", { time: dateTime(board.deadline) }),
    },
    text,
  );
}
