/** A match of a replay file: a MatchContext with no account and no server. */

import { drawable } from "./bounds.js";
import { Playback } from "./playback.js";
import { amountOf } from "../games/shared/amounts.js";
import { contextAt } from "./match-context.js";

/** @import { FileHistory } from "./match-history.js" */
/** @import { Replay } from "./replay-parser.js" */
/** @import { ChainEvent, MatchContext, OrphanedEvent, RenderContext, Renderer, UiState } from "../types.js" */

/** @type {OrphanedEvent[]} */
const NONE = [];

/** @implements {MatchContext} */
export class FileMatch {
  /**
   * @param {{replay: Replay, history: FileHistory}} file @param {{renderer: Renderer, layout: any}} means @param {UiState} ui @param {() => void} redraw
   * @param {(seq: number) => string} address of an event
   */
  constructor({ replay, history }, { renderer, layout }, ui, redraw, address) {
    const { match, game } = replay;
    this.redraw = redraw;
    this.ui = ui;
    this.replay = replay;
    this.history = history;
    this.match = match;
    this.me = "";
    this.hasServer = false;
    /** @type {MatchContext["submitPress"]} */
    this.submitPress = null;
    this.games = new Map([[game.slug, game]]);
    this.renderers = new Map([[game.slug, renderer]]);
    this.layouts = new Map([[game.layout, layout]]);
    this.address = address;
    this.playback = new Playback(redraw, (_, seq) => this.onMove(seq));
    this.playback.open(match, () => history);
    /** Sets the address bar. @type {(address: string) => void} */
    this.setAddress = () => undefined;
  }

  /** @param {number} seq */
  onMove(seq) {
    this.setAddress(this.address(seq));
  }

  /** The context at the playhead, or at the end. @returns {MatchContext} */
  current() {
    const { playhead } = this.playback;
    return playhead ? contextAt(this, this.match, playhead) : this;
  }

  /** What the latest event left. @returns {ChainEvent} */
  get event() {
    return this.history.events[this.history.events.length - 1];
  }

  board() {
    return this.history.end;
  }

  latestBoard() {
    return this.history.end;
  }

  /** @returns {RenderContext} */
  renderContext() {
    const { block: height, hash, time } = this.event;
    const nobody = {
      me: "",
      ownAccounts: new Set(/** @type {string[]} */ ([])),
      pending: [],
      draft: { state: {}, change: this.redraw },
    };
    return {
      match: this.match,
      board: this.history.end,
      selected: this.ui.selected,
      head: { height, hash, time },
      now: time,
      formatAmount: (amount, token) => amountOf(token, amount), // no token's decimals are requested here
      events: this.events(),
      seq: this.event.seq,
      ...nobody,
    };
  }

  events() {
    return this.history.eventsAround(this.history.last());
  }

  orphansOf() {
    return NONE;
  }

  account() {
    return undefined;
  }

  use() {}

  now() {
    return this.event.time;
  }

  /** @param {string} _ @param {number} seq */
  link(_, seq) {
    return this.address(seq);
  }

  /** Whether its game can draw what the file says now: a file may hold any board. */
  isDrawable() {
    try {
      const [matchContext, renderer] = [
        this.current(),
        /** @type {Renderer} */ (this.renderers.get(this.replay.game.slug)),
      ];
      const context = matchContext.renderContext(this.match);
      drawable(renderer.picture(context));
      renderer.seats(context.board);
      renderer.turnText(context.board, "");
      return true;
    } catch {
      return false;
    }
  }
}
