/**
 * The page's language: the language that the player chose or, by default, the browser's language.
 */

import { readText, writeText } from "../lib/storage.js";

/** The name of each language, written in that language. @type {Readonly<Record<string, string>>} */
export const LANGUAGES = { en: "English", fr: "Français", zh: "中文" };

/**
 * A test language that looks like longer English with strange letters. It makes truncated and
 * untranslated texts visible. `?language=pseudo` selects it.
 */
export const PSEUDO = "pseudo";

const CHOICE = "chainboard.language";
export const DEFAULT = "en";

/**
 * The current language. A cache of translated sentences stores the language, and compares it with
 * this value to check that the sentences are still valid.
 */
export let language = DEFAULT;

/** @param {string} name */
const isKnown = (name) => Object.hasOwn(LANGUAGES, name) || name === PSEUDO;

/**
 * Return the language that the player chose, if the page has texts in it. Otherwise, return the
 * first language in the browser's list for which the page has texts.
 * @param {string|null} choice @param {readonly string[]} wanted tags such as `fr-CA`
 */
export function preferredLanguage(choice, wanted) {
  const names = [
    choice ?? "",
    ...wanted.map((tag) => tag.toLowerCase().split("-")[0]).filter((name) => name !== PSEUDO),
  ];
  return names.find(isKnown) ?? DEFAULT;
}

/** Return the language tag of the page, for Intl and for the `lang` attribute. */
export const locale = () => (language === PSEUDO ? DEFAULT : language);

/** Switch to a language. If the page has no such language, do nothing. @param {string} name */
export function useLanguage(name) {
  if (!isKnown(name)) return;
  language = name;
  if (typeof document !== "undefined") document.documentElement.lang = locale();
}

/**
 * Switch to the language in the page's address. If it names none, switch to the player's earlier
 * choice or the browser's language.
 */
export function restoreLanguage() {
  const named = new URLSearchParams(window.location.search).get("language");
  useLanguage(preferredLanguage(named ?? readText(CHOICE), navigator.languages ?? []));
}

/** @param {string} name */
export function chooseLanguage(name) {
  useLanguage(name);
  writeText(CHOICE, language);
}
