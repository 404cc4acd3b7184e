/** The page's language: chosen by the player, else by the browser. */

import { readText, writeText } from "../lib/storage.js";

/** The languages by their own names. @type {Readonly<Record<string, string>>} */
export const LANGUAGES = { en: "English", fr: "Français", zh: "中文" };

/** English, a good deal longer and in strange letters: shows what is cut in a language of long words, and what is not in the tables. Never offered; `?language=pseudo` chooses it. */
export const PSEUDO = "pseudo";

const CHOICE = "chainboard.language";
export const DEFAULT = "en";

/** Whoever keeps a sentence sees by it whether it is still right. */
export let language = DEFAULT;

/** @param {string} name */
const isKnown = (name) => Object.hasOwn(LANGUAGES, name) || name === PSEUDO;

/** The first known one: what was chosen goes before what the browser wants. @param {string|null} choice @param {readonly string[]} wanted tags such as `fr-CA` */
export function preferredLanguage(choice, wanted) {
  const names = [
    choice ?? "",
    ...wanted.map((tag) => tag.toLowerCase().split("-")[0]).filter((name) => name !== PSEUDO),
  ];
  return names.find(isKnown) ?? DEFAULT;
}

/** The tag of Intl, and of `lang`. */
export const locale = () => (language === PSEUDO ? DEFAULT : language);

/** Speaks a language from now on; an unknown one changes nothing. @param {string} name */
export function useLanguage(name) {
  if (!isKnown(name)) return;
  language = name;
  if (typeof document !== "undefined") document.documentElement.lang = locale();
}

/** Speaks the language that was chosen before, or that the browser wants. */
export function recallLanguage() {
  const named = new URLSearchParams(window.location.search).get("language");
  useLanguage(preferredLanguage(named ?? readText(CHOICE), navigator.languages ?? []));
}

/** @param {string} name */
export function chooseLanguage(name) {
  useLanguage(name);
  writeText(CHOICE, language);
}
