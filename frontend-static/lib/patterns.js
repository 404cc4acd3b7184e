/** Regular expressions for text formats, and functions that make untrusted texts safe. */

/** Matches an account's address. The checksum is not checked. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** Matches a decimal number that is not negative. */
export const AMOUNT = /^(\d+\.?\d*|\.\d+)$/;

/**
 * Matches control characters, direction marks, zero-width spaces, invisible letters and stacked
 * accents.
 */
const HIDDEN =
  /\p{Cc}|\p{Cf}|\p{Co}|\p{Cs}|\p{Cn}|\p{Zl}|\p{Zp}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u2800|\u3164|\uffa0|\p{M}{3,}/gu;

/**
 * Make an untrusted text safe to show. Replace each character that is invisible or would cover the
 * text around it with a space. @param {string} text
 */
export const clean = (text) => text.replace(HIDDEN, " ").trim();

/** Isolate a text's direction, so that a right-to-left text doesn't reverse the line around it. @param {string} text */
export const isolate = (text) => `\u2068${text}\u2069`;
