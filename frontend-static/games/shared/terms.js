/** What a player agrees to by taking part in a match: how long there is for a move, and what is played for, in words. Pure. */

import { duration, t } from "../../i18n/translate.js";

/** @typedef {{clock?: number, stake?: string, token?: string}} MatchTerms Of a board, or of a summary; a game may have none. */
/** @typedef {(amount: bigint, token?: string) => string} FormatAmount */

/** Seconds for a move below which the page warns of a short clock. */
const HASTY = 300;

/** @param {MatchTerms} match */
export const isHasty = ({ clock = 0 }) => clock > 0 && clock < HASTY;

/** Whether something is deposited. @param {MatchTerms} match */
export const isStaked = ({ stake = "0" }) => BigInt(stake) > 0n;

/** "" in a game without clocks. @param {MatchTerms} match */
export function clockText({ clock }) {
  if (clock === undefined) return "";
  return clock ? t(isHasty({ clock }) ? "clock.only" : "clock.each", { time: duration(clock) }) : t("clock.none");
}

/** "" in a game without stakes. @param {MatchTerms} match @param {FormatAmount} formatAmount */
export function stakeText({ stake, token }, formatAmount) {
  if (stake === undefined) return "";
  return isStaked({ stake })
    ? t("match.stake-each", { amount: formatAmount(BigInt(stake), token) })
    : t("match.no-stake");
}

/** Both, as far as the game has them. @param {MatchTerms} match @param {FormatAmount} formatAmount */
export const termsText = (match, formatAmount) =>
  [clockText(match), stakeText(match, formatAmount)].filter(Boolean).join(" · ");

/** "" where there is time enough. @param {MatchTerms} match */
export const warning = ({ clock = 0 }) => (isHasty({ clock }) ? t("clock.hasty", { time: duration(clock) }) : "");
