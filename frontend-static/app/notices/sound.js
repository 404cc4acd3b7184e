/**
 * Plays sounds, and stores whether the player has turned them on. The page is silent until the
 * player's first click or key.
 */

import { LazyModule } from "../../lib/lazy-module.js";
import { readText, writeText } from "../../lib/storage.js";

/** @import { SoundName } from "./synthesizer.js" */

const STORED = "chainboard.sound";
const MAX_RECORDED = 32;

/**
 * The audio context. It is created at the player's first click or key, because browsers block sound
 * before that. @type {AudioContext|null}
 */
let audio = null;
const synthesizer = new LazyModule(() => import("./synthesizer.js"));
/** The names of the latest sounds, for tests. @type {SoundName[]} */
export const played = [];

export const isSoundOn = () => readText(STORED) !== "off";

export const switchSound = () => void writeText(STORED, isSoundOn() ? "off" : "on");

/** Create the audio context at the player's first click or key. @param {Window} page */
export function listenForPress(page) {
  const wake = () => {
    if (!audio && typeof AudioContext !== "undefined") audio = new AudioContext();
    void audio?.resume();
    if (audio && isSoundOn()) void synthesizer.load();
  };
  for (const kind of ["pointerdown", "keydown"]) page.addEventListener(kind, wake, { capture: true });
}

/** @param {SoundName} name @param {number} [after] the delay in seconds */
export async function play(name, after = 0) {
  if (!audio || !isSoundOn()) return;
  played.push(name);
  played.splice(0, played.length - MAX_RECORDED);
  (await synthesizer.load())?.sound(audio, name, after);
}
