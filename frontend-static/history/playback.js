/**
 * Plays a match: jumps to an event, goes one step forward or back, or shows the events one after
 * another.
 */

import { sleep } from "../lib/retry.js";
import { readText, writeText } from "../lib/storage.js";
import { txEdge } from "./transaction-events.js";
import { Offline, Problem, whyUnanswered } from "../server/rest.js";

/** @import { SeekResult } from "./transaction-events.js" */
/** @import { HistorySource, I18nText, OrphanedEvent, Playhead } from "../types.js" */

/** The playback speeds, in steps per second. */
export const SPEEDS = [0.5, 1, 2, 4, 8];
const STEP = "chainboard.step";
const RETRY_MS = 1000;
/** The distance, in events, from the displayed event to the event that is loaded in advance. */
const AHEAD = 40;

/** @typedef {{seq: number, how: "exactly"|"whole"|"freely"}} SeekTarget `exactly`: show this event. `whole`: show the last event in its transaction. `freely`: like `whole`, but if this is the match's last event, show the latest board. */

export class Playback {
  /** @param {() => void} redraw @param {(match: string, seq: number) => void} [onMove] called with the number of the displayed event, or 0 for the latest board */
  constructor(redraw, onMove = () => undefined) {
    this.redraw = redraw;
    this.onMove = onMove;
    this.match = "";
    /** @type {HistorySource|null} */
    this.history = null;
    /** The displayed event, or null while the latest board is displayed. @type {Playhead|null} */
    this.playhead = null;
    /** @type {SeekTarget|null} the event to which a pending seek goes, or null */
    this.target = null;
    this.seeking = false;
    /** @type {I18nText|null} why the last seek failed */
    this.trouble = null;
    /** The number of the match's last event at the time when the player left the latest board. */
    this.lastWhenLeft = 0;
    this.playing = false;
    this.speed = 1;
    /** @type {"tx"|"event"} */
    this.stepUnit = readText(STEP) === "event" ? "event" : "tx";
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
  }

  /** Open a match. If it's already open, do nothing. @param {string} match @param {() => HistorySource} history */
  open(match, history) {
    if (this.match === match) return;
    this.close();
    this.match = match;
    this.history = history();
  }

  close() {
    this.pause();
    Object.assign(this, { match: "", history: null, playhead: null, target: null, trouble: null });
  }

  /** The number of the loading or displayed event. By default, the number of the latest event. */
  get seq() {
    return this.target?.seq ?? this.playhead?.seq ?? this.last;
  }

  get last() {
    return this.history?.last() ?? 0;
  }

  // ---- seeking

  /** Go to the event in the page's URL or in a link, wherever it is in its transaction. @param {number} seq */
  visit(seq) {
    this.pause();
    this.seek({ seq, how: "exactly" });
  }

  /** Go to the event at the slider's position. @param {number} seq */
  slide(seq) {
    this.pause();
    this.seek({ seq: Math.max(1, Math.min(this.last, seq)), how: "freely" });
  }

  back() {
    this.pause();
    this.step(-1);
  }

  forward() {
    this.pause();
    this.step(1);
  }

  present() {
    this.pause();
    Object.assign(this, { playhead: null, target: null, trouble: null });
    this.onMove(this.match, 0);
    this.redraw();
  }

  /** Show an orphaned event, which isn't one of the match's own events. @param {OrphanedEvent} orphan */
  showOrphan(orphan) {
    this.pause();
    Object.assign(this, { target: null, trouble: orphan.board ? null : { key: "ghost.no-board" } });
    if (orphan.board) this.setPlayhead({ seq: orphan.seq, event: orphan, board: orphan.board, orphan });
    this.redraw();
  }

  /** @param {1|-1} direction */
  step(direction) {
    const from = this.seq;
    if (direction > 0 && from >= this.last) return this.playhead && this.present();
    if (direction < 0 && from <= 1) return;
    if (this.stepUnit === "event") return this.seek({ seq: from + direction, how: "freely" });
    if (direction > 0) return this.seek({ seq: from + 1, how: "freely" });
    const begin = txEdge(this.history, from, -1);
    if ("missing" in begin) return void this.load(begin.missing).then((there) => there && this.step(-1));
    if (begin.seq > 1) this.seek({ seq: begin.seq - 1, how: "freely" });
  }

  /** @param {"tx"|"event"} unit */
  setStepUnit(unit) {
    this.stepUnit = unit;
    writeText(STEP, unit);
    if (this.playhead && !this.playhead.orphan) this.seek({ seq: this.playhead.seq, how: "freely" });
    this.redraw();
  }

  // ---- playing

  play() {
    if (this.playing || this.last === 0) return;
    this.playing = true;
    if (!this.playhead) this.seek({ seq: 1, how: "freely" });
    this.scheduleStep();
    this.redraw();
  }

  pause() {
    clearTimeout(this.timer);
    if (this.playing) this.redraw();
    this.playing = false;
  }

  toggle() {
    void (this.playing ? this.pause() : this.play());
  }

  /** @param {number} speed steps per second */
  setSpeed(speed) {
    this.speed = speed;
    if (this.playing) this.scheduleStep();
    this.redraw();
  }

  scheduleStep() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.target) this.step(1); // wait while a step is pending
      if (this.playing && this.playhead === null && !this.target) this.pause();
      else if (this.playing) this.scheduleStep();
    }, 1000 / this.speed);
  }

  // ---- the pending seek

  /** @param {SeekTarget} target */
  seek(target) {
    this.target = target;
    this.trouble = null;
    if (!this.seeking) void this.runSeek();
  }

  /** Continue a pending seek, because the match may have arrived in the meantime. */
  retrySeek() {
    if (this.target && !this.seeking) void this.runSeek();
  }

  /** Load and show the target. If the target changes meanwhile, continue with the new target. */
  async runSeek() {
    this.seeking = true;
    while (this.target && this.last > 0) {
      const { target } = this;
      const found = this.find(target);
      if ("seq" in found) this.showEvent(found.seq, target);
      else if (!(await this.load(found.missing)) && this.target === target) this.target = null;
    }
    this.seeking = false;
    this.redraw();
  }

  /**
   * Return the event to show for a target. When the player steps by transaction, this is the last
   * event in the transaction.
   * @param {SeekTarget} target @returns {SeekResult}
   */
  find({ seq, how }) {
    const found = how === "exactly" || this.stepUnit === "event" ? { seq } : txEdge(this.history, seq, 1);
    if ("missing" in found) return found;
    return this.history?.event(found.seq) && this.history.board(found.seq) ? found : { missing: found.seq };
  }

  /** Load an event. Return true if it's available. Otherwise, set `trouble` and return false. @param {number} seq */
  async load(seq) {
    const { history } = this;
    if (!history) return false;
    if (seq < 1 || seq > history.last()) this.playhead = null;
    if (seq < 1 || seq > history.last())
      return this.fail({ key: "past.no-such-event", args: { seq, last: history.last() } });
    this.redraw();
    try {
      await history.load(seq);
    } catch (error) {
      if (!(error instanceof Offline || error instanceof Problem)) throw error;
      if (history !== this.history) return false;
      this.fail(whyUnanswered(error));
      await sleep(RETRY_MS);
      return history === this.history && error instanceof Offline;
    }
    if (history !== this.history) return false;
    return Boolean(history.event(seq)) || this.fail({ key: "past.no-such-event", args: { seq, last: history.last() } });
  }

  /** @param {I18nText} why */
  fail(why) {
    this.trouble = why;
    this.pause();
    this.redraw();
    return false;
  }

  /** @param {number} seq @param {SeekTarget} target */
  showEvent(seq, target) {
    this.target = null;
    this.trouble = null;
    if (target.how === "freely" && seq >= this.last) {
      this.playhead = null;
      this.onMove(this.match, 0);
    } else {
      const [event, board] = [this.history?.event(seq), this.history?.board(seq)];
      if (event && board) this.setPlayhead({ seq, event, board });
      if (target.how === "exactly") this.splitTx(seq);
      void this.prefetch(seq);
    }
    this.redraw();
  }

  /** @param {Playhead} playhead */
  setPlayhead(playhead) {
    if (!this.playhead) this.lastWhenLeft = this.last;
    this.playhead = playhead;
    this.onMove(this.match, playhead.orphan ? 0 : playhead.seq);
  }

  /** The number of events that have arrived since the player went back to an earlier event. */
  get missed() {
    return this.playhead ? Math.max(0, this.last - this.lastWhenLeft) : 0;
  }

  /**
   * Switch to steps of single events if the displayed event isn't the last in its transaction. With
   * steps by transaction, the playhead couldn't stay there.
   * @param {number} seq
   */
  splitTx(seq) {
    const end = txEdge(this.history, seq, 1);
    if ("missing" in end && end.missing !== seq)
      return void this.load(end.missing).then((there) => {
        if (there && this.playhead?.seq === seq) this.splitTx(seq);
      });
    if ("seq" in end && end.seq !== seq) this.stepUnit = "event";
    this.redraw();
  }

  /** @param {number} seq */
  async prefetch(seq) {
    for (const near of [seq + AHEAD, seq - AHEAD]) {
      if (near < 1 || near > this.last || this.history?.event(near)) continue;
      await this.history?.load(near).catch(() => undefined);
      this.redraw();
    }
  }

  // ---- changes on the chain

  /**
   * Handle a reset of the match, after which the playhead's event may be different, orphaned or
   * missing.
   * @param {OrphanedEvent[]} orphans the match's orphaned events
   */
  onReset(orphans) {
    if (!this.playhead || this.playhead.orphan) return;
    const { seq, event } = this.playhead;
    const orphan = orphans.find((one) => one.seq === seq && one.hash === event.hash);
    if (orphan) return this.showOrphan({ ...orphan, board: orphan.board ?? this.playhead.board });
    if (seq <= this.last) return this.seek({ seq, how: "exactly" });
    this.present();
    this.fail({ key: "past.no-such-event", args: { seq, last: this.last } });
  }
}
