/**
 * The timeline's keyboard shortcuts. A shortcut does nothing if the focused element handles the key
 * itself.
 */

/** @import { Playback } from "../../../history/playback.js" */

/** @type {Record<string, (playback: Playback) => void>} */
const KEYS = {
  ArrowLeft: (playback) => playback.back(),
  ArrowRight: (playback) => playback.forward(),
  Home: (playback) => playback.slide(1),
  End: (playback) => playback.present(),
  " ": (playback) => playback.toggle(),
};
/**
 * Two selectors: for elements that handle all keys themselves, and for elements that handle only
 * the space bar.
 */
const HANDLES_KEYS = "input, select, textarea, [role=grid], [role=application], [role=slider], .drawer, .help";
const HANDLES_SPACE = "button, a, summary";

/** @param {KeyboardEvent} event @param {Playback|null} playback @returns {boolean} true if the key was a shortcut */
export function onTimelineKey(event, playback) {
  const { target, key } = event;
  if (
    !playback?.last ||
    event.defaultPrevented ||
    event.ctrlKey ||
    event.altKey ||
    event.metaKey ||
    event.shiftKey ||
    !Object.hasOwn(KEYS, key)
  )
    return false;
  if (target instanceof Element && (target.closest(HANDLES_KEYS) || (key === " " && target.closest(HANDLES_SPACE))))
    return false;
  event.preventDefault();
  KEYS[key](playback);
  return true;
}
