/** Compares what is shown with what the contract says, after each change, one board at a time (finality.js asks of the latest one beside that); loud only when asked twice. */

import { server, wallet, whyOther } from "./sources.js";
import { forget } from "./known-contracts.js";
import { NodeLost, NodeRefusal } from "../../server/jsonrpc.js";
import { Forked, Untold, countNow, hear } from "./query.js";

/** @import { OwnNode } from "./own-node.js" */
/** @import { Asked } from "./sources.js" */
/** @import { Moment, Verdict } from "./query.js" */
/** @import { Accounts } from "../wallet/accounts.js" */
/** @import { GameInfo, Json, Renderer } from "../../types.js" */

/**
 * @typedef {object} OfPage What is compared, and by whose word.
 * @property {string} identity of the chain
 * @property {string} line to the server
 * @property {Map<string, GameInfo>} games
 * @property {Map<string, Renderer>} renderers
 * @property {OwnNode} ownNode
 * @property {(match: string) => Json|null} board
 * @typedef {Accounts & OfPage} Host
 */

const PAUSE_MS = 300;
/** Before a difference is believed it is asked for again. */
const AGAIN_MS = 700;
/** So long the server may be behind the node that is asked, or on another block. */
const PATIENCE_MS = 5000;
/** After which an answer is asked for anew: another server could keep new events back. */
const DUE_MS = { asking: 0, same: 5000, counted: 5000, differs: 2000, untold: 2000 };
const KEPT = 200;

/** @type {Verdict} */
const ASKING = { state: "asking", height: 0, places: [], at: 0 };

export class Witness {
  /** @param {Host} app */
  constructor(app) {
    this.app = app;
    /** @type {Map<string, {verdict: Verdict, moment: Moment}>} */
    this.heard = new Map();
    /** @type {{key: string, asked: Asked, match: string, moment: Moment}|null} */
    this.wanted = null;
    this.busy = false;
    /** @type {Map<string, number>} since when the chain is elsewhere, by match and moment */
    this.since = new Map();
  }

  /** Another chain, or another node to ask: what was heard says nothing. */
  beginAnew() {
    for (const held of [this.heard, this.since]) held.clear();
    this.wanted = null;
  }

  /** The player's own node, else the wallet's, else the server's. @returns {Asked} */
  get asked() {
    const { ownNode, accounts, me } = this.app;
    const inUse = accounts.filter(({ provider, trouble }) => provider && !trouble).sort((a, b) => Number(b.address === me) - Number(a.address === me));
    return ownNode.asked ?? (inUse[0] ? wallet(inUse[0]) : server);
  }

  /** What is known of this moment by now; asked when it is not. @param {string} match @param {Moment} moment @returns {Verdict} */
  look(match, moment) {
    const { asked } = this;
    const key = `${match} ${moment.seq} ${moment.block.hash} ${asked.kind} ${asked.name}`;
    const known = this.heard.get(key);
    const fresh = known?.moment.board === moment.board ? known.verdict : null;
    if (!fresh || this.isDue(fresh, asked, moment)) {
      this.wanted = { key, asked, match, moment };
      void this.go();
    }
    return fresh ?? ASKING;
  }

  /** The server's word is not doubted again. @param {Verdict} verdict @param {Asked} asked @param {Moment} moment */
  isDue({ state, at }, asked, moment) {
    const settled = ["same", "counted"].includes(state) && (asked.kind === "server" || moment.past);
    return !settled && Date.now() - at > DUE_MS[state];
  }

  async go() {
    if (this.busy) return;
    this.busy = true;
    while (this.wanted) {
      const { key, asked, match, moment } = this.wanted;
      this.wanted = null;
      const verdict = await this.judge(asked, match, moment);
      if (verdict) this.note(key, { verdict: { ...verdict, at: Date.now() }, moment });
      this.app.redraw();
      await pause(PAUSE_MS);
    }
    this.busy = false;
  }

  /** @param {string} key @param {{verdict: Verdict, moment: Moment}} heard */
  note(key, heard) {
    this.heard.delete(key);
    this.heard.set(key, heard);
    for (const old of this.heard.keys()) if (this.heard.size > KEPT) this.heard.delete(old);
  }

  /** A difference counts when it is found twice, and the page shows the same board still. @param {Asked} asked @param {string} match @param {Moment} moment @returns {Promise<Verdict|null>} */
  async judge(asked, match, moment) {
    const found = await this.ask(asked, match, moment);
    if (found?.state !== "differs") return found;
    await pause(AGAIN_MS);
    return this.isShown(match, moment) ? this.ask(asked, match, moment) : null;
  }

  /** @param {string} match @param {Moment} moment */
  isShown(match, moment) {
    return moment.past || this.app.board(match) === moment.board;
  }

  /** @param {Asked} asked @param {string} match @param {Moment} moment @returns {Promise<Verdict|null>} */
  async ask(asked, match, moment) {
    const { identity: chain, games, renderers } = this.app;
    const slug = match.split("/")[0];
    const game = games.get(slug);
    if (!game) return null;
    try {
      await this.ofThisChain(asked);
      const verdict = await hear(asked, { chain, game, renderer: renderers.get(slug), match, moment });
      return verdict.state === "differs" ? verdict : await this.furtherThan(verdict, asked, match, moment);
    } catch (error) {
      return this.untold(error, match, moment);
    }
  }

  /** A server could keep new events back: then the board is right for its block, but old. @param {Verdict} verdict @param {Asked} asked @param {string} match @param {Moment} moment @returns {Promise<Verdict>} */
  async furtherThan(verdict, asked, match, moment) {
    const game = this.app.games.get(match.split("/")[0]);
    if (moment.past || asked.kind === "server" || !game || !this.isUpToDate()) return verdict;
    const now = await countNow(asked, game, match);
    const late = now > moment.seq && this.lasts(`further ${match} ${moment.seq}`);
    return late ? { ...verdict, state: "differs", places: [{ place: "seq", shown: moment.seq, real: now }], why: { key: "checked.further", args: { real: now, shown: moment.seq } } } : verdict;
  }

  /** Whether the page does not say itself that its data are old. */
  isUpToDate() {
    return this.app.line === "live" && this.app.health?.state === "ok";
  }

  /** @param {string} what @returns {boolean} whether it has been so for long */
  lasts(what) {
    const since = this.since.get(what) ?? Date.now();
    this.since.set(what, since);
    return Date.now() - since > PATIENCE_MS;
  }

  /** Whose node it is was asked when it was typed; a wallet's user may have changed the network since. @param {Asked} asked */
  async ofThisChain(asked) {
    const { ownNode, health } = this.app;
    if (asked.kind === "typed") {
      await (ownNode.trouble ? ownNode.examine(ownNode.url) : ownNode.examined);
      if (ownNode.trouble) throw new Untold(ownNode.trouble.key, ownNode.trouble.args);
    }
    if (asked.kind !== "wallet" || !health) return;
    const why = await whyOther(asked, health);
    if (why) throw new Untold(why.key, why.args);
  }

  /** @param {unknown} error @param {string} match @param {Moment} moment @returns {Verdict} */
  untold(error, match, { block, past }) {
    const base = { height: block.height, places: [], at: Date.now() };
    if (error instanceof Forked && !past && this.isUpToDate() && this.lasts(`forked ${match} ${block.hash}`)) return { ...base, state: "differs", why: error.why };
    if (error instanceof Untold) return { ...base, state: "untold", why: error.why };
    const text = error instanceof Error ? error.message.slice(0, 200) : "";
    if (error instanceof NodeLost || error instanceof NodeRefusal) return { ...base, state: "untold", why: { key: error instanceof NodeLost ? "checked.no-answer" : "checked.refused", args: { text } } };
    // What the contract gave back can't be read as this game's, or the game's own twin stumbles over the board.
    return { ...base, state: "differs", why: { key: "checked.unreadable", args: { text } } };
  }

  /** The player says that the contract is right as it is now. @param {string} match */
  accept(match) {
    forget(this.app.identity, match);
    this.beginAnew();
    this.app.redraw();
  }
}

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
