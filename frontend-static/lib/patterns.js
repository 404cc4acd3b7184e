/** Regular expressions of text formats, and what they refuse. */

/** An account's address; whether its checksum is right is another question. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** A decimal number that is not negative. */
export const AMOUNT = /^(\d+\.?\d*|\.\d+)$/;

/** Controls, marks that turn a line around, spaces without width, letters that are drawn as nothing, towers of accents. */
const HIDDEN =
  /\p{Cc}|\p{Cf}|\p{Co}|\p{Cs}|\p{Cn}|\p{Zl}|\p{Zp}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u2800|\u3164|\uffa0|\p{M}{3,}/gu;

/** A text of somebody else as it may be shown: nothing in it is hidden, or writes over what is beside it. @param {string} text */
export const clean = (text) => text.replace(HIDDEN, " ").trim();

/** A text with a direction of its own: it does not turn around the line in which it stands. @param {string} text */
export const isolate = (text) => `\u2068${text}\u2069`;
