/** What a player agrees to by taking part in a match: how long there is for a move, and what is played for, in words. Pure. */

import { duration, t } from "../../i18n/translate.js";

/** @typedef {{clock?: number, stake?: string, token?: string}} Terms Of a board, or of a summary; a game may have none. */
/** @typedef {(amount: bigint, token?: string) => string} Worth */

/** Seconds for a move below which a match is no place to think. */
const HASTY = 300;

/** @param {Terms} match */
export const isHasty = ({ clock = 0 }) => clock > 0 && clock < HASTY;

/** Whether something is deposited. @param {Terms} match */
export const isStaked = ({ stake = "0" }) => BigInt(stake) > 0n;

/** "" in a game without clocks. @param {Terms} match */
export function clockTold({ clock }) {
  if (clock === undefined) return "";
  return clock ? t(isHasty({ clock }) ? "clock.only" : "clock.each", { time: duration(clock) }) : t("clock.none");
}

/** "" in a game without stakes. @param {Terms} match @param {Worth} worth */
export function stakeTold({ stake, token }, worth) {
  if (stake === undefined) return "";
  return isStaked({ stake }) ? t("match.stake-each", { amount: worth(BigInt(stake), token) }) : t("match.no-stake");
}

/** Both, as far as the game has them. @param {Terms} match @param {Worth} worth */
export const termsTold = (match, worth) => [clockTold(match), stakeTold(match, worth)].filter(Boolean).join(" · ");

/** "" where there is time enough. @param {Terms} match */
export const warning = ({ clock = 0 }) => (isHasty({ clock }) ? t("clock.hasty", { time: duration(clock) }) : "");
