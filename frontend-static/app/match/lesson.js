/** Runs a tutorial: tracks the cells to press, the presses so far, and the boards that follow. */

import { LazyModule } from "../../lib/lazy-module.js";

/** @import { Json, Tutorial } from "../../types.js" */

/** The time between two boards, so that players see their own move before the answer. */
const ANSWER_MS = 900;

export class Lesson {
  /** @param {Tutorial} script @param {() => void} redraw @param {(next: () => void, ms: number) => unknown} [later] */
  constructor(script, redraw, later = (next, ms) => setTimeout(next, ms)) {
    this.script = script;
    this.redraw = redraw;
    this.later = later;
    this.board = script.board;
    /** The number of steps that are done. */
    this.done = 0;
    /** The number of this step's cells that were pressed. */
    this.pressed = 0;
    this.isWrong = false;
    /** The boards that follow by themselves. @type {Json[]} */
    this.upcoming = [];
    /** The game's draft of the player's plans. */
    this.draft = { state: {}, change: redraw };
  }

  /** The current step; undefined at the end and while boards are still to follow. */
  get step() {
    return this.upcoming.length ? undefined : this.script.steps[this.done];
  }

  get isOver() {
    return this.done === this.script.steps.length && !this.upcoming.length;
  }

  /** The cell to press, or -1 if there is none. */
  get target() {
    return this.step?.press[this.pressed] ?? -1;
  }

  /** The ID of the action whose button is to be pressed after the cells, or "" if there is none. */
  get action() {
    return this.target < 0 ? (this.step?.action ?? "") : "";
  }

  /**
   * Handle a press on the board. Return true if the press selects a piece or a land. A press that
   * is wrong or ends the step selects nothing. @param {boolean} isTarget
   */
  press(isTarget) {
    if (!this.step) return false;
    this.isWrong = !isTarget;
    if (!isTarget) return false;
    this.pressed++;
    if (this.target >= 0 || this.action) return true;
    this.showBoards(this.step);
    return false;
  }

  /** Handle a press on the button of the step. */
  pressButton() {
    if (!this.step) return;
    this.isWrong = !this.action;
    if (this.action) this.showBoards(this.step);
    this.redraw();
  }

  /** @param {{boards: Json[]}} step */
  showBoards({ boards }) {
    this.done++;
    this.pressed = 0;
    this.draft.state = {};
    this.upcoming = [...boards];
    this.advance();
  }

  advance() {
    this.board = /** @type {Json} */ (this.upcoming.shift());
    this.redraw();
    if (this.upcoming.length) this.later(() => this.advance(), ANSWER_MS);
  }
}

/** The lesson on the page. Each visit restarts it. */
export class Lessons {
  /** @param {() => void} redraw @param {(slug: string) => Promise<{default: Tutorial}>} [load] */
  constructor(redraw, load = (slug) => import(`../../games/${slug}/tutorial.json`, { with: { type: "json" } })) {
    this.redraw = redraw;
    this.load = load;
    /** @type {Map<string, LazyModule<Lesson>>} */
    this.lessons = new Map();
    addEventListener("hashchange", () => this.lessons.clear());
  }

  /** @param {string} slug */
  of(slug) {
    const { redraw } = this;
    const found =
      this.lessons.get(slug) ?? new LazyModule(async () => new Lesson((await this.load(slug)).default, redraw), redraw);
    this.lessons.set(slug, found);
    return found;
  }
}
