/**
 * A pseudo-language with long words and strange letters, which makes truncated and untranslated
 * texts visible. This module has no side effects.
 */

const LONGER = 0.4;
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const STRANGE = "åƀçðéƒĝĥîĵķļɱñöþǫřšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŘŠŢÛṼŴẊÝŽ";

/** @import { Message, Part } from "./tables.js" */

/** The `type` of a message part that consists of plain text. */
const LITERAL = 0;

/** Return an ICU message that is 40 % longer and has strange letters. @param {Message} message @returns {Message} */
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
    // Inside one pair of braces, there is an argument or the name of a choice. Inside two pairs,
    // there is the text of a choice.
    if (depth % 2 === 1 || "{}".includes(one)) return one;
    const letter = STRANGE[LETTERS.indexOf(one)] ?? one;
    if (one !== "#") texts += letter;
    return letter;
  });
  return strange.join("") + texts.slice(-Math.ceil(LONGER * texts.length));
}
