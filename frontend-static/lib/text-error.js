/** An error whose text is shown to the player. @import { I18nText, Json } from "../types.js" */
export class TextError extends Error {
  /** @param {string} key the message key @param {Json} [args] */
  constructor(key, args) {
    super(key);
    /** @type {I18nText} */
    this.text = { key, args };
  }
}
