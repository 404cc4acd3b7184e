/** What the page sends by itself for the accounts of this browser: the answers that a game owes and nobody needs to be asked for. */

import { senderOf } from "./submit.js";
import { isOver } from "../chain/tx/states.js";
import { Problem, get } from "../server/rest.js";

/** @import { App } from "./app.js" */
/** @import { Action, Renderer, Summary, Tx } from "../types.js" */

const WATCHED = 20;
const AGAIN_MS = 2000;
const FRESH_MS = 15_000;
const LOCK = "chainboard.auto";

export class Automatic {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** What was sent, by match, ply, account and kind. @type {Map<string, Tx>} */
    this.sent = new Map();
    /** @type {Set<string>} the accounts for which this tab, and no other one of this browser, acts */
    this.held = new Set();
    /** @type {Set<string>} */
    this.asked = new Set();
    /** @type {Map<string, string[]>} matches being played by account, also those that are not on the lobby's list */
    this.old = new Map();
    /** @type {Set<string>} those that the lobby told of */
    this.told = new Set();
    this.lookedAt = Date.now();
  }

  /** @returns {string[]} the addresses of which this browser has the key, or one that acts for them */
  owners() {
    const { accounts, sessions } = this.app;
    return accounts.filter(({ address, key }) => key || sessions.list.some(({ account, linked }) => linked && account === address)).map(({ address }) => address);
  }

  /** The matches that must be followed though they are not shown. @returns {string[]} */
  matches() {
    const owners = this.owners();
    const all = /** @type {Summary[]} */ (Object.values(this.app.board("lobby")?.matches ?? {}));
    const listed = all.filter(({ status, players }) => status === "playing" && players.some((player) => owners.includes(player)));
    for (const { match } of listed) this.told.add(match); // others may take its place on the list
    for (const match of this.told) if (!this.lives(match)) this.told.delete(match);
    const names = new Set([...this.told, ...[...this.old.values()].flat()]);
    return [...names].filter((match) => this.renderer(match)?.auto && this.lives(match)).slice(0, WATCHED);
  }

  /** @param {string} match @returns {Renderer|undefined} */
  renderer(match) {
    return this.app.renderers.get(match.split("/")[0]);
  }

  /** @param {string} match */
  lives(match) {
    const status = this.app.board(match)?.status;
    return status === undefined || status === "playing";
  }

  /** Asks each game for each of its players here. */
  look() {
    if (this.app.line !== "live" || ![...this.app.renderers.values()].some(({ auto }) => auto)) return;
    const again = Date.now() - this.lookedAt > FRESH_MS;
    if (again) this.lookedAt = Date.now();
    for (const account of this.owners()) {
      this.hold(account);
      if (again) void this.lookBack(account);
    }
    for (const [match, entry] of this.app.socket.entries) {
      const auto = entry && match !== "lobby" ? this.renderer(match)?.auto : undefined;
      if (!entry || !auto || entry.board.status !== "playing") continue;
      for (const account of this.owners()) if (entry.board.players?.[account] && this.held.has(account)) this.give(match, account, auto);
    }
  }

  /** @param {string} match @param {string} account @param {NonNullable<Renderer["auto"]>} auto */
  give(match, account, auto) {
    const view = this.app.view(match, account);
    const order = auto(view);
    if (!order) return;
    const key = [match, view.board.ply, account, order.action].join();
    const before = this.sent.get(key);
    if (before && !wentNowhere(before)) return;
    if (this.app.balances.get(account) === undefined) return void this.app.fund(account);
    const action = this.app.actionOf(match, order.action);
    if (!action || this.app.why(match, action, order.args, account) || !this.signs(account, action, match)) return;
    this.sent.set(key, this.app.act(match.split("/")[0], action, match, order.args, account));
  }

  /** Where the page does nothing by itself, but waits for the word of a player of this browser. @returns {{match: string, account: string}[]} */
  waiting() {
    const { app } = this;
    return [...app.socket.entries].flatMap(([match, entry]) => {
      const waits = entry && match !== "lobby" ? this.renderer(match)?.waits : undefined;
      if (!entry || !waits) return [];
      return app.accounts.filter(({ address }) => entry.board.players?.[address] && waits(app.view(match, address))).map(({ address }) => ({ match, account: address }));
    });
  }

  /** Without a question to anybody. @param {string} account @param {Action} action @param {string} match */
  signs(account, action, match) {
    return Boolean(this.app.account(account)?.key) || senderOf(this.app, match.split("/")[0], action, match, account) !== account;
  }

  /** A reorg may have taken back what was sent: then it is owed again. @param {string} match */
  forget(match) {
    for (const key of this.sent.keys()) if (key.startsWith(`${match},`)) this.sent.delete(key);
  }

  /** On another chain nothing was sent yet, and other matches are played. */
  beginAnew() {
    this.sent.clear();
    this.old.clear();
    this.told.clear();
    for (const account of this.asked) void this.lookBack(account);
  }

  /** Two tabs must not answer the same shot: a lock of the browser says which one does. @param {string} account */
  hold(account) {
    if (this.asked.has(account)) return;
    this.asked.add(account);
    void this.lookBack(account);
    if (!navigator.locks) this.held.add(account); // without a secure context there are none
    else void navigator.locks.request(`${LOCK} ${account}`, () => new Promise(() => { this.held.add(account); this.app.redraw(); }));
  }

  /** The lobby lists some matches only. @param {string} account */
  async lookBack(account) {
    const games = [...this.app.renderers].flatMap(([game, { auto }]) => (auto ? [game] : []));
    try {
      const found = await Promise.all(games.map((game) => get("/matches", { game, player: account, status: "playing", limit: WATCHED })));
      this.old.set(account, found.flatMap(({ matches }) => matches.map((/** @type {Summary} */ { match }) => match)));
      this.app.redraw();
    } catch (error) {
      if (!(error instanceof Problem)) this.lookedAt = Math.min(this.lookedAt, Date.now() - FRESH_MS + AGAIN_MS);
    }
  }
}

/** The server could not be reached, so the order never left. @param {Tx} tx */
const wentNowhere = (tx) => isOver(tx.state) && tx.reason?.sentence.key === "tx.not-sent";
