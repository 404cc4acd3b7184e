// Tests the tones that the page plays for events.
import assert from "node:assert/strict";
import { test } from "node:test";

import { listenForPress, play } from "../../../../frontend-static/app/notices/sound.js";

/** The pitch and the waveform of each tone that the page plays. */
const tones = [];
const node = () => ({ connect: (next) => next, start() {}, stop() {} });
const ramps = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };

class Audio {
  currentTime = 0;
  async resume() {}
  createGain = () => ({ ...node(), gain: ramps });
  createOscillator() {
    const made = { ...node(), type: "", frequency: { ...ramps, setValueAtTime: (hertz) => (made.hertz ??= hertz) } };
    tones.push(made);
    return made;
  }
}

test("each of six players has its own note and timbre", async () => {
  const page = new EventTarget();
  globalThis.AudioContext = Audio;
  listenForPress(page);
  page.dispatchEvent(new Event("keydown"));
  for (let seat = 0; seat < 6; seat++) await play(`player-${seat}`);
  assert.equal(tones.length, 6);
  assert.equal(new Set(tones.map(({ type, hertz }) => `${type} ${hertz}`)).size, 6);
  assert.equal(new Set(tones.map(({ hertz }) => hertz)).size, 6);
});
