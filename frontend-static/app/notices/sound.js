/**
 * Plays sounds, and stores whether the player has turned sounds off. Before the player's first
 * click or key press, the page is silent, because browsers forbid sounds.
 */

import { LazyModule } from "../../lib/lazy-module.js";
import { readText, writeText } from "../../lib/storage.js";

/** @import { SoundName } from "./synthesizer.js" */

const STORED = "chainboard.sound";
const MAX_RECORDED = 32;

/** The browser's audio output, or null before the player's first click or key press. @type {AudioContext|null} */
let audio = null;
const synthesizer = new LazyModule(() => import("./synthesizer.js"));
/** The names of the latest sounds that the page has played. Tests read them. @type {SoundName[]} */
export const played = [];

export const isSoundOn = () => readText(STORED) !== "off";

export const switchSound = () => void writeText(STORED, isSoundOn() ? "off" : "on");

/** At each click or key press, open or resume the browser's audio output. @param {Window} page */
export function listenForPress(page) {
  const wake = () => {
    if (!audio && typeof AudioContext !== "undefined") audio = new AudioContext();
    void audio?.resume();
    if (audio && isSoundOn()) void synthesizer.load();
  };
  for (const kind of ["pointerdown", "keydown"]) page.addEventListener(kind, wake, { capture: true });
}

/** @param {SoundName} name @param {number} [after] the delay of the sound, in seconds */
export async function play(name, after = 0) {
  if (!audio || !isSoundOn()) return;
  played.push(name);
  played.splice(0, played.length - MAX_RECORDED);
  (await synthesizer.load())?.sound(audio, name, after);
}
