/**
 * Animates shots, arrows and flags in a separate layer above the board, with the Web Animations
 * API. Any click or key skips all animations.
 */

import { FLIGHT_MS, SPLASH_MS, delays } from "./between.js";

/** @import { Effects, Shell } from "./between.js" */

/** @typedef {{x: number, y: number}} LayerPoint A point, in CSS pixels from the upper left corner of the layer for effects. */
/** @typedef {{middle: (cell: number, part: number) => LayerPoint, cell: (part: number) => number, start: (part: number) => LayerPoint, mark: (shell: Shell) => Element|null}} Positions */

const ARROW_MS = 350;
const LINE_MS = 300;
const FLAGS = 20;
const FLAG_MS = 900;
const SHAKE_MS = 120;
const KEYFRAMES = 8;
/**
 * The height of a shell's flight as a fraction of the flight's length, and the maximum height in
 * CSS pixels.
 */
const [ARC_HEIGHT, MAX_ARC_HEIGHT] = [0.35, 90];

const media = typeof window === "undefined" ? null : window.matchMedia("(prefers-reduced-motion: reduce)");

/** Return true unless the user prefers reduced motion or the page is hidden. */
export const mayMove = () => !media?.matches && !document.hidden;

/** The layers in which an animation is running. @type {Set<EffectsLayer>} */
const moving = new Set();

/**
 * Return true while an animation is running. During the animation, the page skips redraws that
 * aren't urgent.
 */
export const isMoving = () => moving.size > 0 && !document.hidden;

/** The class of marks that stay invisible until their shells land. */
const FALLING = "falling";
/** The class of marks that became visible when their shells landed, and therefore don't fade in. */
const LANDED = "landed";
/** The maximum number of steps to start per frame, so that no frame takes a long time. */
const MAX_STEPS_PER_FRAME = 3;

/**
 * A step of an animation. `at`: the time when the step begins, in milliseconds after the
 * animation's start.
 * @typedef {{at: number, begin: () => void}} EffectStep
 */

export class EffectsLayer {
  /** @param {HTMLElement} host the element that contains the board */
  constructor(host) {
    this.host = host;
    /** @type {Set<Animation>} */
    this.running = new Set();
    /** The steps that haven't begun yet, in the order in which they will begin. @type {EffectStep[]} */
    this.steps = [];
    /** @type {Set<Element>} */
    this.falling = new Set();
    /** The functions that start the motions of the elements added in this frame. @type {(() => void)[]} */
    this.added = [];
    this.frame = 0;
  }

  get layer() {
    return this.host.querySelector(":scope > .effects");
  }

  /** @param {Effects} effects @param {Positions} positions */
  play({ shells, arrows, wonLines, won }, positions) {
    if (!shells.length && !arrows.length && !wonLines.length && !won) return;
    this.skip();
    const fired = delays(shells.length);
    const steps = shells.flatMap((shell, i) => this.stepsOf(shell, fired[i], positions));
    const hit = shells.findIndex((shell) => shell.hit);
    if (hit >= 0) steps.push({ at: fired[hit] + FLIGHT_MS, begin: () => this.shake() });
    if (arrows.length) steps.push(this.drawn('.arrow[data-line="last"]', ARROW_MS));
    if (wonLines.length) steps.push(this.drawn('[data-line="win"]', LINE_MS));
    if (won) steps.push({ at: 0, begin: () => this.celebrate() });
    this.steps = steps.sort((a, b) => a.at - b.at);
    moving.add(this);
    this.advance(performance.now());
  }

  /** Run the steps that are due, but only a few per frame. @param {number} start */
  advance(start) {
    this.frame = requestAnimationFrame(() => {
      const elapsed = performance.now() - start;
      const due = this.steps.findIndex(({ at }) => at > elapsed);
      const count = Math.min(due < 0 ? this.steps.length : due, MAX_STEPS_PER_FRAME);
      for (const { begin } of this.steps.splice(0, count)) begin();
      for (const run of this.added.splice(0)) run(); // start the motions after adding all elements, because each start makes the browser compute styles
      if (this.steps.length) this.advance(start);
    });
  }

  /** End all animations at once, and show the final state. */
  skip() {
    cancelAnimationFrame(this.frame);
    this.steps = [];
    for (const mark of this.falling) this.land(mark);
    for (const animation of this.running) animation.cancel();
    this.running.clear();
    this.end();
  }

  /** Remove all elements at once, because removing them one by one would take a frame each. */
  end() {
    moving.delete(this);
    this.layer?.replaceChildren();
  }

  /** Return the steps of a shell: its flight, and the splash where it lands. @param {Shell} shell @param {number} at @param {Positions} positions @returns {EffectStep[]} */
  stepsOf(shell, at, { middle, cell, start, mark }) {
    const to = middle(shell.to, shell.part);
    const from = shell.from === undefined ? start(shell.part) : middle(shell.from, shell.part);
    const fallen = mark(shell);
    if (fallen) this.hide(fallen);
    const size = Math.max(16, cell(shell.part) * 1.1);
    return [
      { at, begin: () => this.add("shell", flight(from, to), { duration: FLIGHT_MS }) },
      {
        at: at + FLIGHT_MS,
        begin: () => {
          if (fallen) this.land(fallen);
          for (const delay of shell.hit ? [0, 70] : [0])
            this.add(shell.hit ? "ring blast" : "ring", ring(to, size), {
              duration: SPLASH_MS - delay,
              delay,
              easing: "ease-out",
            });
        },
      },
    ];
  }

  /** Hide an element until its step begins. @param {Element} element */
  hide(element) {
    element.classList.add(FALLING);
    this.falling.add(element);
  }

  /** @param {Element} mark */
  land(mark) {
    mark.classList.replace(FALLING, LANDED);
    this.falling.delete(mark);
  }

  shake() {
    const frames = [0, 2, -2, 1, 0].map((x) => ({ transform: `translateX(${x}px)` }));
    this.run(this.host, frames, { duration: SHAKE_MS });
  }

  /**
   * Return the step in which lines or arrows grow from their starting points. The step begins in
   * the frame after the board is drawn.
   * @param {string} selector @param {number} duration @returns {EffectStep}
   */
  drawn(selector, duration) {
    const elements = [...this.host.querySelectorAll(selector)];
    for (const element of elements) this.hide(element);
    return { at: 0, begin: () => this.draw(elements, duration) };
  }

  /** @param {Element[]} elements @param {number} duration */
  draw(elements, duration) {
    for (const element of elements) {
      this.land(element);
      const lines = element instanceof SVGGeometryElement ? [element] : [...element.querySelectorAll("path")];
      for (const line of lines) {
        const isHead = line.classList.contains("arrow-head");
        const frames = isHead
          ? [{ opacity: 0 }, { opacity: 0, offset: 0.85 }, { opacity: 1 }]
          : [{ strokeDasharray: "0 1" }, { strokeDasharray: "1 0" }];
        const animation = this.run(line, frames, { duration, easing: "ease-out" });
        if (isHead) continue;
        line.setAttribute("pathLength", "1"); // without this attribute, the browser would lay out the page to find the line's real length
        void animation.finished.catch(() => undefined).then(() => line.removeAttribute("pathLength"));
      }
    }
  }

  /** Let paper flags fall over the board. */
  celebrate() {
    const { clientWidth: width, clientHeight: height } = this.host;
    for (let i = 0; i < FLAGS; i++) {
      const share = (i * 0.618) % 1; // spread the flags evenly, but in a mixed order
      const x = share * width;
      const drift = ((i % 5) - 2) * 14;
      const delay = (i % 6) * 45;
      const frames = [
        { opacity: 1, transform: `translate(${x}px, -24px) rotate(${i * 40}deg)` },
        { opacity: 1, offset: 0.8 },
        { opacity: 0, transform: `translate(${x + drift}px, ${height}px) rotate(${i * 40 + 260}deg)` },
      ];
      this.add(`paper-flag owner-${i % 8}`, frames, { duration: FLAG_MS - delay, delay, easing: "ease-in" });
    }
  }

  /** @param {string} name @param {Keyframe[]} frames @param {KeyframeAnimationOptions} options */
  add(name, frames, options) {
    const element = document.createElement("i");
    element.className = name;
    this.layer?.append(element);
    this.added.push(() => this.run(element, frames, options));
  }

  /** @param {Element} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions} options */
  run(element, frames, options) {
    const animation = element.animate(frames, options);
    this.running.add(animation);
    animation.onfinish = () => {
      this.running.delete(animation);
      if (!this.running.size && !this.steps.length) this.end();
    };
    return animation;
  }
}

/**
 * Return the keyframes of a shell that flies along a curve. The higher the shell is, the larger it
 * is drawn.
 * @param {LayerPoint} from @param {LayerPoint} to @returns {Keyframe[]}
 */
export function flight(from, to) {
  const high = Math.min(MAX_ARC_HEIGHT, ARC_HEIGHT * Math.hypot(to.x - from.x, to.y - from.y));
  return Array.from({ length: KEYFRAMES + 1 }, (_, i) => {
    const share = i / KEYFRAMES;
    const up = Math.sin(Math.PI * share);
    const x = from.x + (to.x - from.x) * share;
    const y = from.y + (to.y - from.y) * share - up * high;
    return {
      opacity: 1,
      transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${(1 + 0.6 * up).toFixed(2)})`,
    };
  });
}

/** Return the keyframes of a splash: a ring that grows and fades. @param {LayerPoint} at @param {number} size @returns {Keyframe[]} */
function ring({ x, y }, size) {
  const moved = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  return [
    { opacity: 0.9, transform: `${moved} scale(${(size / 100).toFixed(3)})` },
    { opacity: 0, transform: `${moved} scale(${(size / 28).toFixed(3)})` },
  ];
}
