/** Runs a tutorial: tracks the cells that the learner must click and the boards that follow. */

import { LazyModule } from "../../lib/lazy-module.js";

/** @import { Json, Tutorial } from "../../types.js" */

/** The pause between two boards, so that learners see their own move before the opponent's. */
const ANSWER_MS = 900;

export class Lesson {
  /** @param {Tutorial} script @param {() => void} redraw @param {(next: () => void, ms: number) => unknown} [later] */
  constructor(script, redraw, later = (next, ms) => setTimeout(next, ms)) {
    this.script = script;
    this.redraw = redraw;
    this.later = later;
    this.board = script.board;
    this.done = 0;
    /** The number of cells that the learner has clicked in the current step. */
    this.pressed = 0;
    this.isWrong = false;
    /** The boards that the page shows next, one after another, without waiting for a click. @type {Json[]} */
    this.upcoming = [];
    /** The learner's draft, in which the game's renderer stores plans for the next move. */
    this.draft = { state: {}, change: redraw };
  }

  /** The current step. It is undefined at the end, and while the page shows `upcoming` boards. */
  get step() {
    return this.upcoming.length ? undefined : this.script.steps[this.done];
  }

  get isOver() {
    return this.done === this.script.steps.length && !this.upcoming.length;
  }

  /** The cell that the learner must click next, or -1 if there is none. */
  get target() {
    return this.step?.press[this.pressed] ?? -1;
  }

  /**
   * The ID of the action whose button the learner must click now, or "" while there are cells to
   * click or if the step has no button.
   */
  get action() {
    return this.target < 0 ? (this.step?.action ?? "") : "";
  }

  /**
   * Handle a click on the board. If the click was right and the step goes on, return true, so that
   * the page selects the clicked cell. If the click was wrong or has ended the step, return false. @param {boolean} isTarget
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

  /** Handle a click on the button that completes the step. */
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

/** The tutorial of each game. A tutorial restarts each time the learner visits its page. */
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
