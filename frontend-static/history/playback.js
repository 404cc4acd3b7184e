/** Looking back at a match: which moment is shown, the ways to others, and playing them one after the other. */

import { Lost, Problem } from "../server/rest.js";

/** @import { ChainEvent, Chronicle, Ghost, Moment, Phrase } from "../types.js" */

/** Steps a second. */
export const SPEEDS = [0.5, 1, 2, 4, 8];
const STEP = "chainboard.step";
const RETRY_MS = 1000;
/** So near to what is not there yet, it is brought before it is asked for. */
const AHEAD = 40;

/** @typedef {{seq: number, how: "exactly"|"whole"|"freely"}} Aim `whole`: to the end of the transaction; `freely`: what is the last is the present. */
/** @typedef {{seq: number}|{lack: number}} Found `lack`: that event must be there first. */

export class Past {
  /** @param {() => void} redraw @param {(match: string, seq: number) => void} [moved] tells the address; 0: the present */
  constructor(redraw, moved = () => undefined) {
    this.redraw = redraw;
    this.moved = moved;
    this.match = "";
    /** @type {Chronicle|null} */
    this.record = null;
    /** What is shown; null: the present. @type {Moment|null} */
    this.at = null;
    /** @type {Aim|null} where it goes as soon as that is there */
    this.aim = null;
    this.chasing = false;
    /** @type {Phrase|null} why it does not go there */
    this.trouble = null;
    /** The number of the latest event when one began to look back. */
    this.left = 0;
    this.playing = false;
    this.speed = 1;
    /** @type {"tx"|"event"} */
    this.by = recallStep();
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
  }

  /** Another match, or the first one; the same one again changes nothing. @param {string} match @param {() => Chronicle} record */
  open(match, record) {
    if (this.match === match) return;
    this.close();
    this.match = match;
    this.record = record();
  }

  close() {
    this.pause();
    Object.assign(this, { match: "", record: null, at: null, aim: null, trouble: null });
  }

  /** The number of the event that is shown, or on its way; of the present, the latest. */
  get seq() {
    return this.aim?.seq ?? this.at?.seq ?? this.last;
  }

  get last() {
    return this.record?.last() ?? 0;
  }

  // ---- ways to other moments

  /** By an address or a click on an event: to just that one, also in the midst of its transaction. @param {number} seq */
  visit(seq) {
    this.pause();
    this.head({ seq, how: "exactly" });
  }

  /** By the slider. @param {number} seq */
  slide(seq) {
    this.pause();
    this.head({ seq: Math.max(1, Math.min(this.last, seq)), how: "freely" });
  }

  first() {
    this.slide(1);
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
    Object.assign(this, { at: null, aim: null, trouble: null });
    this.moved(this.match, 0);
    this.redraw();
  }

  /** A move that is no part of the match any more. @param {Ghost} ghost */
  haunt(ghost) {
    this.pause();
    Object.assign(this, { aim: null, trouble: ghost.board ? null : { key: "ghost.no-board" } });
    if (ghost.board) this.show({ seq: ghost.seq, event: ghost, board: ghost.board, ghost });
    this.redraw();
  }

  /** @param {1|-1} way */
  step(way) {
    const from = this.seq;
    if (way > 0 && from >= this.last) return this.at && this.present();
    if (way < 0 && from <= 1) return;
    if (this.by === "event") return this.head({ seq: from + way, how: "freely" });
    if (way > 0) return this.head({ seq: from + 1, how: "freely" });
    const begin = this.edge(from, -1);
    if ("lack" in begin) return void this.bring(begin.lack).then((there) => there && this.step(-1));
    if (begin.seq > 1) this.head({ seq: begin.seq - 1, how: "freely" });
  }

  /** @param {"tx"|"event"} by */
  stepBy(by) {
    this.by = by;
    keepStep(by);
    if (this.at && !this.at.ghost) this.head({ seq: this.at.seq, how: "freely" });
    this.redraw();
  }

  // ---- playing

  play() {
    if (this.playing || this.last === 0) return;
    this.playing = true;
    if (!this.at) this.head({ seq: 1, how: "freely" });
    this.goOn();
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

  /** @param {number} speed steps a second */
  run(speed) {
    this.speed = speed;
    if (this.playing) this.goOn();
    this.redraw();
  }

  goOn() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.aim) this.step(1); // what is on its way is waited for
      if (this.playing && this.at === null && !this.aim) this.pause();
      else if (this.playing) this.goOn();
    }, 1000 / this.speed);
  }

  // ---- going there

  /** @param {Aim} aim */
  head(aim) {
    this.aim = aim;
    this.trouble = null;
    if (!this.chasing) void this.chase();
  }

  /** What it waited for may be there: the match was not known at all before. */
  wake() {
    if (this.aim && !this.chasing) void this.chase();
  }

  /** Goes where it shall go by now, whatever is said meanwhile. */
  async chase() {
    this.chasing = true;
    while (this.aim && this.last > 0) {
      const { aim } = this;
      const found = this.find(aim);
      if ("seq" in found) this.arrive(found.seq, aim);
      else if (!(await this.bring(found.lack)) && this.aim === aim) this.aim = null;
    }
    this.chasing = false;
    this.redraw();
  }

  /** Where an aim leads: no board in the midst of a transaction is shown when steps are whole ones. @param {Aim} aim @returns {Found} */
  find({ seq, how }) {
    const found = how === "exactly" || this.by === "event" ? { seq } : this.edge(seq, 1);
    if ("lack" in found) return found;
    return this.record?.event(found.seq) && this.record.board(found.seq) ? found : { lack: found.seq };
  }

  /** The first or the last event of the transaction of an event. @param {number} seq @param {1|-1} way @returns {Found} */
  edge(seq, way) {
    for (let here = seq; ; here += way) {
      const now = this.record?.event(here);
      if (!now) return { lack: here };
      if (here === (way > 0 ? this.last : 1)) return { seq: here };
      const next = this.record?.event(here + way);
      if (!next) return { lack: here + way };
      if (now.tx !== next.tx || now.hash !== next.hash) return { seq: here };
    }
  }

  /** Whether it is there now; else `trouble` says why. @param {number} seq */
  async bring(seq) {
    const { record } = this;
    if (!record) return false;
    if (seq < 1 || seq > record.last()) this.at = null;
    if (seq < 1 || seq > record.last()) return this.fail({ key: "past.no-such-event", args: { seq, last: record.last() } });
    this.redraw();
    try {
      await record.bring(seq);
    } catch (error) {
      if (!(error instanceof Lost || error instanceof Problem)) throw error;
      if (record !== this.record) return false;
      this.fail(error instanceof Problem ? { key: "node.said", args: { text: error.message } } : { key: "why.no-server" });
      await new Promise((done) => setTimeout(done, RETRY_MS));
      return record === this.record && error instanceof Lost;
    }
    if (record !== this.record) return false;
    return Boolean(record.event(seq)) || this.fail({ key: "past.no-such-event", args: { seq, last: record.last() } });
  }

  /** @param {Phrase} why */
  fail(why) {
    this.trouble = why;
    this.pause();
    this.redraw();
    return false;
  }

  /** @param {number} seq @param {Aim} aim */
  arrive(seq, aim) {
    this.aim = null;
    this.trouble = null;
    if (aim.how === "freely" && seq >= this.last) {
      this.at = null;
      this.moved(this.match, 0);
    } else {
      const [event, board] = [this.record?.event(seq), this.record?.board(seq)];
      if (event && board) this.show({ seq, event, board });
      if (aim.how === "exactly") this.loosen(seq);
      void this.prefetch(seq);
    }
    this.redraw();
  }

  /** @param {Moment} moment */
  show(moment) {
    if (!this.at) this.left = this.last;
    this.at = moment;
    this.moved(this.match, moment.ghost ? 0 : moment.seq);
  }

  /** How many events came since one began to look back. */
  get missed() {
    return this.at ? Math.max(0, this.last - this.left) : 0;
  }

  /** A moment in the midst of a transaction is only there to be seen step by step. @param {number} seq */
  loosen(seq) {
    const end = this.edge(seq, 1);
    if ("lack" in end && end.lack !== seq) return void this.bring(end.lack).then((there) => { if (there && this.at?.seq === seq) this.loosen(seq); });
    if ("seq" in end && end.seq !== seq) this.by = "event";
    this.redraw();
  }

  /** @param {number} seq */
  async prefetch(seq) {
    for (const near of [seq + AHEAD, seq - AHEAD]) {
      if (near < 1 || near > this.last || this.record?.event(near)) continue;
      await this.record?.bring(near).catch(() => undefined);
      this.redraw();
    }
  }

  // ---- what the chain does meanwhile

  /** After a reset: the moment may be another one now, or none any more. @param {Ghost[]} ghosts of this match */
  renew(ghosts) {
    if (!this.at || this.at.ghost) return;
    const { seq, event } = this.at;
    const ghost = ghosts.find((one) => one.seq === seq && one.hash === event.hash);
    if (ghost) return this.haunt({ ...ghost, board: ghost.board ?? this.at.board });
    if (seq <= this.last) return this.head({ seq, how: "exactly" });
    this.present();
    this.fail({ key: "past.no-such-event", args: { seq, last: this.last } });
  }
}

/** How far events of one transaction reach that were seen up to a moment. @param {ChainEvent[]} events @param {Moment} moment */
export function groupOf(events, { event, seq }) {
  const same = events.filter((one) => one.tx === event.tx && one.hash === event.hash && one.seq <= seq);
  return same.length ? same : [event];
}

/** @returns {"tx"|"event"} */
function recallStep() {
  try {
    return localStorage.getItem(STEP) === "event" ? "event" : "tx";
  } catch {
    return "tx"; // a browser that keeps nothing, or a page from a disk
  }
}

/** @param {string} by */
function keepStep(by) {
  try {
    localStorage.setItem(STEP, by);
  } catch {
    // it is asked again in the next visit
  }
}
