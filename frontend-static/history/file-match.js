/** A match that a file tells: the same stage as a match of the chain, with nobody at the board and no server behind it. */

import { formatEther } from "../vendor/ethers.min.js";
import { drawable } from "./bounds.js";
import { Past } from "./playback.js";
import { asItWas } from "./match-context.js";
import { longHex, t } from "../i18n/translate.js";

/** @import { Filed } from "./match-history.js" */
/** @import { Replay } from "./replay-parser.js" */
/** @import { ChainEvent, Ghost, Looks, Renderer, Stage, View } from "../types.js" */

/** @type {Ghost[]} */
const NONE = [];

/** @implements {Stage} */
export class Theatre {
  /**
   * @param {{replay: Replay, record: Filed}} file @param {{renderer: Renderer, layout: any}} means @param {Looks} ui @param {() => void} redraw
   * @param {(seq: number) => string} address of a moment
   */
  constructor({ replay, record }, { renderer, layout }, ui, redraw, address) {
    const { match, game } = replay;
    this.redraw = redraw;
    this.ui = ui;
    this.replay = replay;
    this.record = record;
    this.match = match;
    this.me = "";
    this.served = false;
    /** @type {Stage["order"]} */
    this.order = null;
    this.games = new Map([[game.slug, game]]);
    this.renderers = new Map([[game.slug, renderer]]);
    this.layouts = new Map([[game.layout, layout]]);
    this.address = address;
    this.past = new Past(redraw, (_, seq) => this.moved(seq));
    this.past.open(match, () => record);
    /** Tells the address bar. @type {(address: string) => void} */
    this.tell = () => undefined;
  }

  /** @param {number} seq */
  moved(seq) {
    this.tell(this.address(seq));
  }

  /** As it is at the moment that is looked at. @returns {Stage} */
  seen() {
    const { at } = this.past;
    return at ? asItWas(this, this.match, at) : this;
  }

  /** What the latest event left. @returns {ChainEvent} */
  get event() {
    return this.record.events[this.record.events.length - 1];
  }

  board() {
    return this.record.end;
  }

  latest() {
    return this.record.end;
  }

  /** @returns {View} */
  view() {
    const { block: height, hash, time } = this.event;
    const nobody = { me: "", mine: new Set(/** @type {string[]} */ ([])), pending: [], desk: { state: {}, change: this.redraw } };
    return { match: this.match, board: this.record.end, selected: this.ui.selected, head: { height, hash, time }, now: time, worth, events: this.events(), seq: this.event.seq, ...nobody };
  }

  events() {
    return this.record.near(this.record.last());
  }

  ghostsOf() {
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
  draws() {
    try {
      const [stage, renderer] = [this.seen(), /** @type {Renderer} */ (this.renderers.get(this.replay.game.slug))];
      const view = stage.view(this.match);
      drawable(renderer.picture(view));
      renderer.seats(view.board);
      renderer.whose(view.board, "");
      return true;
    } catch {
      return false;
    }
  }
}

/** No token is asked for its places here. @param {bigint} amount @param {string} [token] */
function worth(amount, token) {
  if (!token || /^0x0*$/.test(token)) return t("worth.ether", { amount: formatEther(amount).replace(/\.0$/, "") });
  return t("worth.units", { amount, token: longHex(token) });
}
