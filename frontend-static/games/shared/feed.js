/**
 * Makes sentences for the list of moves. The texts are a game's messages with keys of the form
 * `<slug>.feed.<key>`. This module has no side effects.
 */

import { t } from "../../i18n/translate.js";

/** @import { Json, Sentence } from "../../types.js" */

/** @param {string} slug @returns {(key: string, args?: Json, tone?: string) => Sentence} */
export const sentenceMaker =
  (slug) =>
  (key, args, tone = "plain") => ({ text: t(`${slug}.feed.${key}`, args), tone });
