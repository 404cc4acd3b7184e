/** Regular expressions for addresses and amounts, and functions that make texts safe to show. */

/** Matches the address of an account or a contract. It doesn't check the checksum. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** Matches a decimal number without a sign, such as `0.5`. */
export const AMOUNT = /^(\d+\.?\d*|\.\d+)$/;

/**
 * Matches what could hide or change other text: control characters, direction marks, zero-width
 * spaces, invisible letters and stacked accents.
 */
const HIDDEN =
  /\p{Cc}|\p{Cf}|\p{Co}|\p{Cs}|\p{Cn}|\p{Zl}|\p{Zp}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u2800|\u3164|\uffa0|\p{M}{3,}/gu;

/**
 * Make an untrusted text safe to show. If a character is invisible or would cover the text around
 * it, replace it with a space. @param {string} text
 */
export const clean = (text) => text.replace(HIDDEN, " ").trim();

/** Isolate a text's direction, so that a right-to-left text doesn't reverse the line around it. @param {string} text */
export const isolate = (text) => `\u2068${text}\u2069`;
