/** Light and dark: the system's choice until the switch is used. */

import { keepText, recallText } from "./storage.js";

const THEME = "chainboard.theme";
const dark = window.matchMedia("(prefers-color-scheme: dark)");

export const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : dark.matches;
};

export function recallTheme() {
  const chosen = recallText(THEME);
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
}

export function switchTheme() {
  const next = isDark() ? "light" : "dark";
  keepText(THEME, next);
  document.documentElement.dataset.theme = next;
}
