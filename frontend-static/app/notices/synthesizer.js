/** Generates the page's sounds from tones and noises, so that the page needs no audio files. */

/** @typedef {"knock"|"miss"|"hit"|"turn"|"win"|`player-${number}`} SoundName */
/** @typedef {{type?: OscillatorType, from: number, to?: number, at?: number, seconds: number, gain: number}} Tone A tone whose pitch slides from the frequency `from` to the frequency `to`, both in hertz. `at`: the delay in seconds. */
/** @typedef {{filter: BiquadFilterType, hertz: number, at?: number, seconds: number, gain: number}} Hiss A short noise with a filter at the frequency `hertz`. `at`: the delay in seconds. */

/** The delay before a sound starts, in seconds. Without it, the beginning could be cut off. */
const LEAD_SECONDS = 0.01;

/** The waveform and the frequency in hertz for each seat, in games for more than two players. @type {[OscillatorType, number][]} */
const PLAYERS = [
  ["sine", 261.6],
  ["triangle", 329.6],
  ["square", 392],
  ["sine", 523.3],
  ["triangle", 659.3],
  ["square", 784],
];

/** For each sound, its tones and noises. @type {Record<SoundName, {tones: Tone[], noises?: Hiss[]}>} */
const SOUNDS = {
  knock: {
    tones: [{ type: "triangle", from: 320, to: 170, seconds: 0.07, gain: 0.35 }],
    noises: [{ filter: "bandpass", hertz: 1400, seconds: 0.03, gain: 0.25 }],
  },
  miss: {
    tones: [{ from: 95, to: 48, seconds: 0.16, gain: 0.4 }],
    noises: [{ filter: "highpass", hertz: 2600, at: 0.05, seconds: 0.38, gain: 0.08 }],
  },
  hit: {
    tones: [{ from: 170, to: 42, seconds: 0.32, gain: 0.6 }],
    noises: [{ filter: "lowpass", hertz: 900, seconds: 0.14, gain: 0.35 }],
  },
  turn: {
    tones: [
      { from: 659.3, seconds: 0.16, gain: 0.16 },
      { from: 880, at: 0.14, seconds: 0.26, gain: 0.16 },
    ],
  },
  win: {
    tones: [
      { from: 659.3, seconds: 0.16, gain: 0.16 },
      { from: 880, at: 0.14, seconds: 0.2, gain: 0.16 },
      { from: 1108.7, at: 0.28, seconds: 0.5, gain: 0.18 },
    ],
  },
  ...Object.fromEntries(
    PLAYERS.map(([type, from], seat) => [
      `player-${seat}`,
      { tones: [{ type, from, seconds: 0.3, gain: type === "square" ? 0.05 : 0.16 }] },
    ]),
  ),
};

/** @type {AudioBuffer|null} */
let noise = null;

/** @param {AudioContext} context @param {SoundName} name @param {number} after the delay in seconds */
export function sound(context, name, after) {
  const start = context.currentTime + LEAD_SECONDS + after;
  for (const one of SOUNDS[name].tones) tone(context, one, start);
  for (const one of SOUNDS[name].noises ?? []) hiss(context, one, start);
}

/** @param {AudioContext} context @param {Tone} tone @param {number} start */
function tone(context, { type = "sine", from, to = from, at = 0, seconds, gain }, start) {
  const source = context.createOscillator();
  source.type = type;
  source.frequency.setValueAtTime(from, start + at);
  source.frequency.exponentialRampToValueAtTime(to, start + at + seconds);
  fade(context, source, { start: start + at, seconds, gain });
}

/** @param {AudioContext} context @param {Hiss} hiss @param {number} start */
function hiss(context, { filter: type, hertz, at = 0, seconds, gain }, start) {
  const source = context.createBufferSource();
  source.buffer = noise ??= noiseOf(context);
  source.loop = true;
  const filter = context.createBiquadFilter();
  filter.type = type;
  filter.frequency.value = hertz;
  source.connect(filter);
  fade(context, source, { start: start + at, seconds, gain }, filter);
}

/** Play a source at a volume that fades to silence. @param {AudioContext} context @param {AudioScheduledSourceNode} source @param {{start: number, seconds: number, gain: number}} volume @param {AudioNode} [last] the audio node whose output is played; by default, the source */
function fade(context, source, { start, seconds, gain }, last = source) {
  const volume = context.createGain();
  volume.gain.setValueAtTime(gain, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  last.connect(volume).connect(context.destination);
  source.start(start);
  source.stop(start + seconds);
}

/** @param {AudioContext} context */
function noiseOf(context) {
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
  return buffer;
}
