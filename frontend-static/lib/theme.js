/** Light and dark: the system's choice until the switch is used. */

const THEME = "chainboard.theme";
const dark = window.matchMedia("(prefers-color-scheme: dark)");

export const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : dark.matches;
};

export function recallTheme() {
  const chosen = attempt(() => localStorage.getItem(THEME));
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
}

export function switchTheme() {
  const next = isDark() ? "light" : "dark";
  attempt(() => localStorage.setItem(THEME, next));
  document.documentElement.dataset.theme = next;
}

/** A page from a disk may be let keep nothing. @template T @param {() => T} work @returns {T|null} */
function attempt(work) {
  try {
    return work();
  } catch {
    return null;
  }
}
