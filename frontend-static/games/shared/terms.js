/**
 * Describes the terms that a player accepts by joining a match: the time for each move and the
 * stake. This module has no side effects.
 */

import { duration, t } from "../../i18n/translate.js";

/** @typedef {{clock?: number, stake?: string, token?: string, rate?: string}} MatchTerms The terms on a board or in a match's summary. All terms are optional, because some games have none. */
/** @typedef {(amount: bigint, token?: string) => string} FormatAmount */

/** The page warns a player who has fewer seconds than this for a move, or for a match. */
const SHORT_MOVE = 300;
const SHORT_MATCH = 600;
/** The page doesn't show a total thinking time of this many seconds or more. */
const MAX_SHOWN_TIME = 365 * 86_400;

/**
 * Return the total thinking time of a player, in seconds. After this time, the opponent's deposit
 * has completely streamed back to the opponent, and the player is out of time.
 * @param {MatchTerms} match
 */
const thinkingTime = ({ stake = "0", rate = "0" }) =>
  BigInt(rate) > 0n ? Number((BigInt(stake) + BigInt(rate) - 1n) / BigInt(rate)) : Infinity;

/** @param {MatchTerms} match */
const hasShortClock = ({ clock = 0 }) => clock > 0 && clock < SHORT_MOVE;

/** @param {MatchTerms} match */
export const leavesLittleTime = (match) => hasShortClock(match) || thinkingTime(match) < SHORT_MATCH;

/** @param {MatchTerms} match */
export const isStaked = ({ stake = "0" }) => BigInt(stake) > 0n;

/** Return the time control as text, or "" if the game has no clock. @param {MatchTerms} match */
export function clockText({ clock, stake, rate }) {
  if (clock === undefined) return "";
  if (!clock) return t("clock.none");
  const each = t(hasShortClock({ clock }) ? "clock.only" : "clock.each", { time: duration(clock) });
  const seconds = thinkingTime({ stake, rate });
  if (seconds >= MAX_SHOWN_TIME) return each;
  return `${each} · ${t(seconds < SHORT_MATCH ? "clock.only-in-all" : "clock.in-all", { time: duration(seconds) })}`;
}

/** Return the stake as text, or "" if the game has no stakes. @param {MatchTerms} match @param {FormatAmount} formatAmount */
export function stakeText({ stake, token }, formatAmount) {
  if (stake === undefined) return "";
  return isStaked({ stake })
    ? t("match.stake-each", { amount: formatAmount(BigInt(stake), token) })
    : t("match.no-stake");
}

/** Return the rate of a streaming stake as text, or "" if nothing streams. @param {MatchTerms} match @param {FormatAmount} formatAmount */
export function rateText({ rate = "0", token }, formatAmount) {
  return BigInt(rate) > 0n ? t("match.rate-each", { amount: formatAmount(BigInt(rate), token) }) : "";
}

/** Return all terms that the game has, as text. @param {MatchTerms} match @param {FormatAmount} formatAmount */
export const termsText = (match, formatAmount) =>
  [clockText(match), stakeText(match, formatAmount), rateText(match, formatAmount)].filter(Boolean).join(" · ");

/** Return a warning that the terms leave little time, or "" if they leave enough. @param {MatchTerms} match */
export function warning(match) {
  const seconds = thinkingTime(match);
  const each = hasShortClock(match) ? t("clock.hasty", { time: duration(match.clock ?? 0) }) : "";
  return seconds < SHORT_MATCH ? `${each} ${t("clock.hasty-in-all", { time: duration(seconds) })}`.trim() : each;
}
