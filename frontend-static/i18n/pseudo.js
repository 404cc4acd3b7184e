/** A language of long words and strange letters, made of English: what is cut in it, or is not in it, is seen. Pure. */

const LONGER = 0.4;
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const STRANGE = "åƀçðéƒĝĥîĵķļɱñöþǫřšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŘŠŢÛṼŴẊÝŽ";

/** @import { Message, Part } from "./tables.js" */

/** Of a part of a message: its text. */
const LITERAL = 0;

/** The same message of ICU in strange letters, and two fifths more of them. @param {Message} message @returns {Message} */
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
    // arguments and the names of choices are in one brace, the texts of choices in two
    if (depth % 2 === 1 || "{}".includes(one)) return one;
    const letter = STRANGE[LETTERS.indexOf(one)] ?? one;
    if (one !== "#") texts += letter;
    return letter;
  });
  return strange.join("") + texts.slice(-Math.ceil(LONGER * texts.length));
}
