/**
 * Formats times, dates and numbers in the page's language with Intl. Numbers that players type have
 * the same format in all languages.
 */

import { locale } from "./language.js";

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

/** The cached formatters of Intl, which are slow to create. @type {Map<string, any>} */
const formatters = new Map();

/** @template T @param {string} kind @param {object} options @param {(locale: string) => T} make @returns {T} */
function formatter(kind, options, make) {
  const key = `${locale()} ${kind} ${JSON.stringify(options)}`;
  if (!formatters.has(key)) formatters.set(key, make(locale()));
  return formatters.get(key);
}

/** Return a quantity with its unit: `5 min`, `2 hours`. @param {number} n @param {"second"|"minute"|"hour"|"day"} unit @param {"short"|"long"|"narrow"} [unitDisplay] */
export function inUnit(n, unit, unitDisplay = "short") {
  /** @type {Intl.NumberFormatOptions} */
  const options = { style: "unit", unit, unitDisplay };
  return formatter("number", options, (tag) => new Intl.NumberFormat(tag, options)).format(n);
}

/** Join the parts of a quantity as is usual in the language: `1 hour 30 minutes`. @param {string[]} parts */
function joined(parts) {
  /** @type {Intl.ListFormatOptions} */
  const options = { type: "unit", style: "narrow" };
  return formatter("list", options, (tag) => new Intl.ListFormat(tag, options)).format(parts);
}

/** @typedef {{n: number, unit: "second"|"minute"|"hour"|"day"}} Rounded */

/** Convert a time to whole units, with the largest unit that fits, such as minutes. @param {number} seconds @returns {Rounded} */
function rounded(seconds) {
  if (seconds < MINUTE) return { n: Math.max(0, Math.round(seconds)), unit: "second" };
  if (seconds < HOUR) return { n: Math.floor(seconds / MINUTE), unit: "minute" };
  if (seconds < 2 * DAY) return { n: Math.floor(seconds / HOUR), unit: "hour" };
  return { n: Math.floor(seconds / DAY), unit: "day" };
}

/** Return an age as text, in its largest unit: `59 min`, `2 days`. @param {number} seconds */
export function age(seconds) {
  const { n, unit } = rounded(seconds);
  return inUnit(n, unit);
}

/** Return how long ago something happened, as text: `59 min. ago`. @param {number} seconds */
export function ago(seconds) {
  const { n, unit } = rounded(seconds);
  /** @type {Intl.RelativeTimeFormatOptions} */
  const options = { numeric: "always", style: "short" };
  return formatter("relative", options, (tag) => new Intl.RelativeTimeFormat(tag, options)).format(-n, unit);
}

/** Return a duration in words: `90 seconds`, `2 minutes`, `1 hour 30 minutes`. @param {number} seconds */
export function duration(seconds) {
  if (seconds < 2 * MINUTE) return inUnit(seconds, "second", "long");
  /** @type {Rounded[]} */
  const parts = [
    { n: Math.floor(seconds / DAY), unit: "day" },
    { n: Math.floor(seconds / HOUR) % 24, unit: "hour" },
    { n: Math.floor(seconds / MINUTE) % 60, unit: "minute" },
    { n: seconds % 60, unit: "second" },
  ];
  return joined(parts.filter(({ n }) => n).map(({ n, unit }) => inUnit(n, unit, "long")));
}

/** Return a number of days and hours as short text: `2d 5h`. @param {number} days @param {number} hours */
export const daysAndHours = (days, hours) => joined([inUnit(days, "day", "narrow"), inUnit(hours, "hour", "narrow")]);

/** Return the time per move as text, for a list of choices: `5 min`, `1 day`. @param {number} seconds more than 0 */
export function clockLength(seconds) {
  if (seconds % DAY === 0) return inUnit(seconds / DAY, "day", "long");
  if (seconds % HOUR === 0) return inUnit(seconds / HOUR, "hour", "long");
  return seconds % MINUTE === 0 ? inUnit(seconds / MINUTE, "minute") : inUnit(seconds, "second");
}

/** Return a date and time as text: `May 3, 2026, 5:04 PM`. @param {number} seconds since 1970 */
export function dateTime(seconds) {
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { dateStyle: "medium", timeStyle: "short" };
  return formatter("date", options, (tag) => new Intl.DateTimeFormat(tag, options)).format(1000 * seconds);
}

/** Return a time of day as text: `5:04:09 PM`. @param {number} seconds since 1970 */
export function timeOfDay(seconds) {
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { timeStyle: "medium" };
  return formatter("date", options, (tag) => new Intl.DateTimeFormat(tag, options)).format(1000 * seconds);
}

/**
 * Format a decimal number without rounding: `12345.5` becomes `12,345.5` or, in French, `12 345,5`.
 * @param {string} text digits, with or without a decimal point
 */
export function decimal(text) {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  const decimals = text.split(".")[1]?.length ?? 0;
  /** @type {Intl.NumberFormatOptions} */
  const options = {
    minimumFractionDigits: Math.min(decimals, 20),
    maximumFractionDigits: Math.min(decimals, 20),
    useGrouping: "min2",
  };
  const numbers = formatter("number", options, (tag) => new Intl.NumberFormat(tag, options));
  return numbers.format(/** @type {any} */ (text));
}

/** Return a number as text, rounded to two significant digits: `0.000036`, `1.2`. @param {number} value */
export function significant(value) {
  const options = { maximumSignificantDigits: 2 };
  return formatter("number", options, (tag) => new Intl.NumberFormat(tag, options)).format(value);
}

/** Return an amount of money as text: `€0.09`. @param {number} value @param {string} currency an ISO 4217 code */
export function money(value, currency) {
  const options = { style: /** @type {const} */ ("currency"), currency };
  return formatter("number", options, (tag) => new Intl.NumberFormat(tag, options)).format(value);
}
