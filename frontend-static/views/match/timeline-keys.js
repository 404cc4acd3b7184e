/** The keys of the time line, where nothing else on the page wants them. */

/** @import { Past } from "../../history/playback.js" */

/** @type {Record<string, (past: Past) => void>} */
const KEYS = {
  ArrowLeft: (past) => past.back(),
  ArrowRight: (past) => past.forward(),
  Home: (past) => past.first(),
  End: (past) => past.present(),
  " ": (past) => past.toggle(),
};
/** What has keys of its own: the board, what is typed in, and what space presses. */
const OWN = "input, select, textarea, [role=grid], [role=application], [role=slider], .drawer, .help";
const PRESSED = "button, a, summary";

/** @param {KeyboardEvent} event @param {Past|null} past @returns {boolean} whether it was one */
export function onTimeKey(event, past) {
  const { target, key } = event;
  if (!past?.last || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || !Object.hasOwn(KEYS, key)) return false;
  if (target instanceof Element && (target.closest(OWN) || (key === " " && target.closest(PRESSED)))) return false;
  event.preventDefault();
  KEYS[key](past);
  return true;
}
