/** An error that is shown to the player. @import { I18nText, Json } from "../types.js" */
export class TextError extends Error {
  /** @param {string} key a text's key @param {Json} [args] */
  constructor(key, args) {
    super(key);
    /** @type {I18nText} */
    this.text = { key, args };
  }
}
