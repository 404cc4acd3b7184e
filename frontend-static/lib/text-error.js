/** An error with a text that the page shows to the player. @import { I18nText, Json } from "../types.js" */
export class TextError extends Error {
  /** @param {string} key the message key of the text @param {Json} [args] */
  constructor(key, args) {
    super(key);
    /** @type {I18nText} */
    this.text = { key, args };
  }
}
