/**
 * Switches between the light and the dark theme. Before the player has used the switch, the page
 * follows the system's setting.
 */

import { readText, writeText } from "./storage.js";

const THEME = "chainboard.theme";
const DARK = "(prefers-color-scheme: dark)";

export const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : window.matchMedia(DARK).matches;
};

export function restoreTheme() {
  const chosen = readText(THEME);
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
}

export function switchTheme() {
  const next = isDark() ? "light" : "dark";
  writeText(THEME, next);
  document.documentElement.dataset.theme = next;
}
