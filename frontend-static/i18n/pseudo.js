/** A language of long words, made of English. Pure. */

const LONGER = 0.4;

/** The same text with two fifths more letters, of its own. @param {string} text filled in @param {string} message what it was made of */
export function lengthened(text, message) {
  const letters = message.replaceAll(/\{[^{}]*\}/g, "").trim();
  return letters ? text + letters.slice(-Math.ceil(LONGER * letters.length)) : text;
}
