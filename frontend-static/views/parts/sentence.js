/** A text with parts of the page in it: names that are links. */

import { t } from "../../i18n/translate.js";

/** @import { Child } from "../../lib/dom.js" */
/** @import { Json } from "../../types.js" */

/** A sign of no script, which stands for a part until the text is there (Unicode's private use). */
const FIRST = 0xe000;

/** @param {string} key @param {Record<string, Child|Child[]>} parts @param {Json} [args] @returns {(Child|Child[])[]} */
export function sentence(key, parts, args = {}) {
  const names = Object.keys(parts);
  const signs = Object.fromEntries(names.map((name, i) => [name, String.fromCharCode(FIRST + i)]));
  return t(key, { ...args, ...signs })
    .split(/([\ue000-\ue0ff])/)
    .map((piece) => (/[\ue000-\ue0ff]/.test(piece) ? (parts[names[piece.charCodeAt(0) - FIRST]] ?? "") : piece));
}
