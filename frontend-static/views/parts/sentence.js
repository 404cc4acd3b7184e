/** A translated sentence with elements in it, such as names that are links. */

import { t } from "../../i18n/translate.js";

/** @import { Child } from "../../lib/dom.js" */
/** @import { Json } from "../../types.js" */

/**
 * The first of the placeholder characters, which stand for the elements in the translated text.
 * They are in Unicode's private use area, so texts don't contain them otherwise.
 */
const FIRST = 0xe000;

/** @param {string} key @param {Record<string, Child|Child[]>} parts @param {Json} [args] @returns {(Child|Child[])[]} */
export function sentence(key, parts, args = {}) {
  const names = Object.keys(parts);
  const signs = Object.fromEntries(names.map((name, i) => [name, String.fromCharCode(FIRST + i)]));
  return t(key, { ...args, ...signs })
    .split(/([\ue000-\ue0ff])/)
    .map((piece) => (/[\ue000-\ue0ff]/.test(piece) ? (parts[names[piece.charCodeAt(0) - FIRST]] ?? "") : piece));
}
