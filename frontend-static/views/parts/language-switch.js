/** The choice of the page's language. */

import { h } from "../../lib/dom.js";
import { LANGUAGES, chooseLanguage, language } from "../../i18n/language.js";
import { loadLanguage } from "../../i18n/tables.js";
import { t } from "../../i18n/translate.js";

/** Each language by its own name, so that one finds it in a page that one can't read; on a phone it stands in the account's drawer. @param {() => void} redraw @param {string} id */
export function languageSwitch(redraw, id) {
  return h(
    "select",
    {
      id,
      class: "quiet",
      "aria-label": t("language.label"),
      title: t("language.label"),
      onchange: async (/** @type {Event} */ event) => {
        const { value } = /** @type {HTMLSelectElement} */ (event.target);
        await loadLanguage(value).then(
          () => chooseLanguage(value),
          () => undefined, // offline: the page goes on in its language
        );
        redraw();
      },
    },
    Object.entries(LANGUAGES).map(([name, text]) =>
      h("option", { key: name, value: name, lang: name, selected: name === language }, text),
    ),
  );
}
