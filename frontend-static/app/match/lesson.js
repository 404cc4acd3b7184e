/** A tutorial while it is played: what is to be pressed, what was, and the boards that follow by themselves. */

import { LazyModule } from "../../lib/lazy-module.js";

/** @import { Json, Tutorial } from "../../types.js" */

/** From one board to the next: one's own move is seen before the answer. */
const ANSWER_MS = 900;

export class Lesson {
  /** @param {Tutorial} script @param {() => void} redraw @param {(next: () => void, ms: number) => unknown} [later] */
  constructor(script, redraw, later = (next, ms) => setTimeout(next, ms)) {
    this.script = script;
    this.redraw = redraw;
    this.later = later;
    this.board = script.board;
    /** Steps that are done. */
    this.done = 0;
    /** Cells of this step that were pressed. */
    this.pressed = 0;
    this.isWrong = false;
    /** Boards that follow by themselves. @type {Json[]} */
    this.coming = [];
    /** What the game keeps of its player's plans. */
    this.draft = { state: {}, change: redraw };
  }

  /** What is to be done; undefined at the end, and while boards follow. */
  get step() {
    return this.coming.length ? undefined : this.script.steps[this.done];
  }

  get isOver() {
    return this.done === this.script.steps.length && !this.coming.length;
  }

  /** The cell to press; -1: none. */
  get target() {
    return this.step?.press[this.pressed] ?? -1;
  }

  /** The button to press, after the cells; "": none. */
  get action() {
    return this.target < 0 ? (this.step?.action ?? "") : "";
  }

  /** A press on the board. Returns whether a piece or a land is to be chosen by it: not where it ends the step, or is wrong. @param {boolean} isTarget */
  press(isTarget) {
    if (!this.step) return false;
    this.isWrong = !isTarget;
    if (!isTarget) return false;
    this.pressed++;
    if (this.target >= 0 || this.action) return true;
    this.carryOut(this.step);
    return false;
  }

  /** A press on the button of the step. */
  act() {
    if (!this.step) return;
    this.isWrong = !this.action;
    if (this.action) this.carryOut(this.step);
    this.redraw();
  }

  /** @param {{boards: Json[]}} step */
  carryOut({ boards }) {
    this.done++;
    this.pressed = 0;
    this.draft.state = {};
    this.coming = [...boards];
    this.advance();
  }

  advance() {
    this.board = /** @type {Json} */ (this.coming.shift());
    this.redraw();
    if (this.coming.length) this.later(() => this.advance(), ANSWER_MS);
  }
}

/** The lesson on the page. Each visit starts it again. */
export class Lessons {
  /** @param {() => void} redraw @param {(slug: string) => Promise<{default: Tutorial}>} [load] */
  constructor(redraw, load = (slug) => import(`../../games/${slug}/tutorial.json`, { with: { type: "json" } })) {
    this.redraw = redraw;
    this.load = load;
    /** @type {Map<string, LazyModule<Lesson>>} */
    this.begun = new Map();
    addEventListener("hashchange", () => this.begun.clear());
  }

  /** @param {string} slug */
  of(slug) {
    const { redraw } = this;
    const found =
      this.begun.get(slug) ?? new LazyModule(async () => new Lesson((await this.load(slug)).default, redraw), redraw);
    this.begun.set(slug, found);
    return found;
  }
}
