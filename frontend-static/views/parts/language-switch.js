import { h } from "../../lib/dom.js";
import { LANGUAGES, chooseLanguage, language, locale } from "../../i18n/language.js";
import { loadLanguage } from "../../i18n/tables.js";
import { t } from "../../i18n/translate.js";

/**
 * Return the switch for the page's language. The name of each language is in that language, so that
 * players find their language even on a page that they can't read. On a phone, the switch is in the
 * account drawer.
 * @param {() => void} redraw @param {string} id
 */
export function languageSwitch(redraw, id) {
  return h(
    "select",
    {
      id,
      class: "quiet",
      "aria-label": t("language.label"),
      title: t("language.label"),
      onchange: async (/** @type {Event} */ event) => {
        const choice = /** @type {HTMLSelectElement} */ (event.target);
        const { value } = choice;
        choice.setCustomValidity("");
        try {
          await loadLanguage(value);
          chooseLanguage(value);
        } catch {
          // Don't try again, because the browser remembers the failed import until the page is
          // reloaded.
          choice.value = locale();
          choice.setCustomValidity(t("language.missing"));
          choice.reportValidity();
        }
        redraw();
      },
    },
    Object.entries(LANGUAGES).map(([name, text]) =>
      h("option", { key: name, value: name, lang: name, selected: name === language }, text),
    ),
  );
}
