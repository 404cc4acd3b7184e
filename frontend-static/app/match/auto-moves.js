/** Moves that the page sends by itself for this browser's accounts: those that a game's `autoMove` returns. */

import { senderOf } from "../submit.js";
import { isDone } from "../../chain/tx/states.js";
import { inTurn } from "../../lib/tabs.js";
import { Problem, get } from "../../server/rest.js";

/** @import { Actions } from "../actions.js" */
/** @import { Action, Move, Renderer, Summary, Tx } from "../../types.js" */
/** @import { Needs as Preparing } from "../submit.js" */
/** @typedef {Preparing & {actions: Actions, redraw: () => void}} Needs What it uses of the page. */

const WATCHED = 20;
const AGAIN_MS = 2000;
const FRESH_MS = 15_000;
/** How often one that a node refused goes again, at later heads: the node may have been behind the one that told of the board. */
const AGAIN_AT_MOST = 3;
const LOCK = "chainboard.auto";

export class AutoMoves {
  /** @param {Needs} app */
  constructor(app) {
    this.app = app;
    /** What was sent, by match, ply, account and kind; at which head, and how often before. @type {Map<string, {tx: Tx, height: number, tries: number}>} */
    this.sent = new Map();
    /** @type {Set<string>} the accounts for which this tab, and no other one of this browser, acts */
    this.locked = new Set();
    /** @type {Set<string>} */
    this.requested = new Set();
    /** @type {Map<string, string[]>} matches in play by account, fetched from the server: the lobby lists only some */
    this.fetched = new Map();
    /** @type {Set<string>} matches in play that the lobby listed */
    this.listed = new Set();
    this.lookedAt = Date.now();
  }

  /** @returns {string[]} the addresses of which this browser has the key, or one that acts for them */
  owners() {
    const { accounts, sessions } = this.app;
    return accounts.list
      .filter(({ address, key }) => key || sessions.list.some(({ account, linked }) => linked && account === address))
      .map(({ address }) => address);
  }

  /** Matches to watch though they are not shown. @returns {string[]} */
  matches() {
    const owners = this.owners();
    const all = /** @type {Summary[]} */ (Object.values(this.app.server.board("lobby")?.matches ?? {}));
    const listed = all.filter(
      ({ status, players }) => status === "playing" && players.some((player) => owners.includes(player)),
    );
    for (const { match } of listed) this.listed.add(match); // the list may drop it for others
    for (const match of this.listed) if (!this.mayBePlaying(match)) this.listed.delete(match);
    const names = new Set([...this.listed, ...[...this.fetched.values()].flat()]);
    return [...names]
      .filter((match) => this.app.server.renderer(match)?.autoMove && this.mayBePlaying(match))
      .slice(0, WATCHED);
  }

  /** @param {string} match */
  mayBePlaying(match) {
    const status = this.app.server.board(match)?.status;
    return status === undefined || status === "playing";
  }

  /** Sends the automatic move of each match and account here that has one. */
  sendDue() {
    if (this.app.server.line !== "live" || ![...this.app.server.renderers.values()].some(({ autoMove }) => autoMove))
      return;
    const again = Date.now() - this.lookedAt > FRESH_MS;
    if (again) this.lookedAt = Date.now();
    for (const account of this.owners()) {
      this.acquireLock(account);
      if (again) void this.fetchMatches(account);
    }
    for (const [match, entry] of this.app.server.socket.entries) {
      const autoMove = entry && match !== "lobby" ? this.app.server.renderer(match)?.autoMove : undefined;
      if (!entry || !autoMove || entry.board.status !== "playing") continue;
      for (const account of this.owners())
        if (entry.board.players?.[account] && this.locked.has(account)) this.send(match, account, autoMove);
    }
  }

  /** @param {string} match @param {string} account @param {NonNullable<Renderer["autoMove"]>} autoMove */
  send(match, account, autoMove) {
    const context = this.app.live.renderContext(match, account);
    const move = autoMove(context);
    if (!move) return;
    const key = [match, context.board.ply, account, move.action].join();
    const before = this.sent.get(key);
    const height = this.app.server.head?.height ?? 0;
    if (before && !wentNowhere(before.tx) && !mayGoAgain(before, move, height)) return;
    if (this.app.accounts.balances.get(account) === undefined) return void this.app.accounts.fund(account);
    const action = this.app.actions.of(match, move.action);
    if (
      !action ||
      this.app.actions.why(match, action, move.args, account) ||
      !this.signsSilently(account, action, match)
    )
      return;
    const tx = this.app.actions.submit(match.split("/")[0], action, match, move.args, account);
    this.sent.set(key, { tx, height, tries: (before?.tries ?? 0) + 1 });
  }

  /** Matches that wait for a decision of a player of this browser. @returns {{match: string, account: string}[]} */
  awaitingPlayers() {
    const { app } = this;
    return [...app.server.socket.entries].flatMap(([match, entry]) => {
      const awaitsPlayer = entry && match !== "lobby" ? this.app.server.renderer(match)?.awaitsPlayer : undefined;
      if (!entry || !awaitsPlayer) return [];
      return app.accounts.list
        .filter(({ address }) => entry.board.players?.[address] && awaitsPlayer(app.live.renderContext(match, address)))
        .map(({ address }) => ({ match, account: address }));
    });
  }

  /** Whether it is signed without asking a wallet's user: by a key of this browser, or a session key. @param {string} account @param {Action} action @param {string} match */
  signsSilently(account, action, match) {
    return (
      Boolean(this.app.accounts.find(account)?.key) ||
      senderOf(this.app, match.split("/")[0], action, match, account) !== account
    );
  }

  /** Forgets what was sent in a match: after a reorg it may have to be sent again. @param {string} match */
  forget(match) {
    for (const key of this.sent.keys()) if (key.startsWith(`${match},`)) this.sent.delete(key);
  }

  /** Forgets all: another chain has other matches. */
  reset() {
    this.sent.clear();
    this.fetched.clear();
    this.listed.clear();
    for (const account of this.requested) void this.fetchMatches(account);
  }

  /** Two tabs must not answer the same shot: a lock of the browser says which one does. @param {string} account */
  acquireLock(account) {
    if (this.requested.has(account)) return;
    this.requested.add(account);
    void this.fetchMatches(account);
    const untilTheTabGoes = () =>
      new Promise(() => {
        this.locked.add(account);
        this.app.redraw();
      });
    void inTurn(`${LOCK} ${account}`, untilTheTabGoes);
  }

  /** Fetches an account's matches in play: the lobby lists only some. @param {string} account */
  async fetchMatches(account) {
    const games = [...this.app.server.renderers].flatMap(([game, { autoMove }]) => (autoMove ? [game] : []));
    try {
      const found = await Promise.all(
        games.map((game) => get("/matches", { game, player: account, status: "playing", limit: WATCHED })),
      );
      this.fetched.set(
        account,
        found.flatMap(({ matches }) => matches.map((/** @type {Summary} */ { match }) => match)),
      );
      this.app.redraw();
    } catch (error) {
      if (!(error instanceof Problem)) this.lookedAt = Math.min(this.lookedAt, Date.now() - FRESH_MS + AGAIN_MS);
    }
  }
}

/** The server could not be reached, so the order never left. @param {Tx} tx */
const wentNowhere = (tx) => isDone(tx.state) && tx.reason?.sentence.key === "tx.not-sent";

/** Never one with arguments: a server that lies could have another secret told with each. @param {{tx: Tx, height: number, tries: number}} before @param {Move} move @param {number} head */
const mayGoAgain = ({ tx, height, tries }, { args }, head) =>
  tx.state === "refused" && head > height && tries <= AGAIN_AT_MOST && Object.keys(args).length === 0;
