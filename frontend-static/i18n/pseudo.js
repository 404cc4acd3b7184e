/**
 * A pseudo-language of long words and strange letters, which reveals truncated and missing texts.
 * This module has no side effects.
 */

const LONGER = 0.4;
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const STRANGE = "åƀçðéƒĝĥîĵķļɱñöþǫřšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŘŠŢÛṼŴẊÝŽ";

/** @import { Message, Part } from "./tables.js" */

/** The type of a message part that is plain text. */
const LITERAL = 0;

/** Return an ICU message with strange letters that is 40 % longer. @param {Message} message @returns {Message} */
export const pseudo = (message) => (typeof message === "string" ? pseudoText(message) : message.map(pseudoPart));

/** @param {Part} part @returns {Part} */
function pseudoPart({ type, value, options, ...rest }) {
  const choices = Object.entries(options ?? {}).map(([name, choice]) => [
    name,
    { ...choice, value: choice.value.map(pseudoPart) },
  ]);
  return {
    ...rest,
    ...(options && { options: Object.fromEntries(choices) }),
    type,
    value: type === LITERAL ? pseudoText(value) : value,
  };
}

/** @param {string} message */
function pseudoText(message) {
  let depth = 0;
  let texts = "";
  const strange = [...message].map((one) => {
    depth += Number(one === "{") - Number(one === "}");
    // One brace encloses an argument or the name of a choice. Two braces enclose the text of a
    // choice.
    if (depth % 2 === 1 || "{}".includes(one)) return one;
    const letter = STRANGE[LETTERS.indexOf(one)] ?? one;
    if (one !== "#") texts += letter;
    return letter;
  });
  return strange.join("") + texts.slice(-Math.ceil(LONGER * texts.length));
}
