/**
 * Sends the moves that a player needn't choose, such as the answer to a shot in Battleship. The
 * game's `autoMove` returns these automatic moves.
 */

import { senderOf } from "../submit.js";
import { isDone } from "../../chain/tx/states.js";
import { withLock } from "../../lib/tabs.js";
import { Problem, get } from "../../server/rest.js";

/** @import { Actions } from "../actions.js" */
/** @import { Action, Move, Renderer, Summary, Tx } from "../../types.js" */
/** @import { Uses as Preparing } from "../submit.js" */
/** @typedef {Preparing & {actions: Actions, redraw: () => void}} Uses */

const MAX_WATCHED = 20;
const RETRY_MS = 2000;
const FRESH_MS = 15_000;
/**
 * The maximum number of times that the page sends a rejected move again, each time after a new
 * block. The node that rejected the move might not have had the board's block yet.
 */
const MAX_RETRIES = 3;
const LOCK = "chainboard.auto";

export class AutoMoves {
  /** @param {Uses} app */
  constructor(app) {
    this.app = app;
    /**
     * The automatic moves that were sent. A move's key contains the match, ply, account and action.
     * `height`: the height of the newest block when the move was sent. `tries`: the number of times
     * that the move was sent. @type {Map<string, {tx: Tx, height: number, tries: number}>}
     */
    this.sent = new Map();
    /** @type {Set<string>} the accounts for which this tab, and no other tab, sends the automatic moves */
    this.locked = new Set();
    /** @type {Set<string>} */
    this.requested = new Set();
    /** @type {Map<string, string[]>} the running matches of each account, as fetched from the server, because the lobby lists only some of them */
    this.fetched = new Map();
    /** @type {Set<string>} the accounts' running matches that the lobby has listed since the page was loaded */
    this.listed = new Set();
    this.fetchedAt = Date.now();
  }

  /** @returns {string[]} the accounts for which this browser can sign, with the account's key or a session key */
  owners() {
    const { accounts, sessions } = this.app;
    return accounts.list
      .filter(({ address, key }) => key || sessions.list.some(({ account, linked }) => linked && account === address))
      .map(({ address }) => address);
  }

  /**
   * Return the matches in which the page might have to send an automatic move. The page must follow
   * them even if they aren't on display. @returns {string[]}
   */
  matches() {
    const owners = this.owners();
    const all = /** @type {Summary[]} */ (Object.values(this.app.server.board("lobby")?.matches ?? {}));
    const listed = all.filter(
      ({ status, players }) => status === "playing" && players.some((player) => owners.includes(player)),
    );
    for (const { match } of listed) this.listed.add(match); // the lobby's list can drop this match later to make space for other matches
    for (const match of this.listed) if (!this.mayBePlaying(match)) this.listed.delete(match);
    const names = new Set([...this.listed, ...[...this.fetched.values()].flat()]);
    return [...names]
      .filter((match) => this.app.server.renderer(match)?.autoMove && this.mayBePlaying(match))
      .slice(0, MAX_WATCHED);
  }

  /** @param {string} match */
  mayBePlaying(match) {
    const status = this.app.server.board(match)?.status;
    return status === undefined || status === "playing";
  }

  /** Send each automatic move that one of this browser's accounts can make now. */
  sendDue() {
    if (
      this.app.server.connection !== "live" ||
      ![...this.app.server.renderers.values()].some(({ autoMove }) => autoMove)
    )
      return;
    const again = Date.now() - this.fetchedAt > FRESH_MS;
    if (again) this.fetchedAt = Date.now();
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
    if (before && !wasNeverSent(before.tx) && !mayRetry(before, move, height)) return;
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

  /**
   * Return each match in which a player in this browser must decide something, together with that
   * player's account. @returns {{match: string, account: string}[]}
   */
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

  /** Return true if a key in this browser signs the action, so that no wallet asks its user. @param {string} account @param {Action} action @param {string} match */
  signsSilently(account, action, match) {
    return (
      Boolean(this.app.accounts.find(account)?.key) ||
      senderOf(this.app, match.split("/")[0], action, match, account) !== account
    );
  }

  /**
   * Forget the automatic moves that were sent in a match. After a reorg has removed the moves, the
   * page might have to send them again. @param {string} match
   */
  forget(match) {
    for (const key of this.sent.keys()) if (key.startsWith(`${match},`)) this.sent.delete(key);
  }

  /** Forget all moves and fetch the matches on the new chain. Called when the chain changes. */
  reset() {
    this.sent.clear();
    this.fetched.clear();
    this.listed.clear();
    for (const account of this.requested) void this.fetchMatches(account);
  }

  /** Acquire an account's lock, so that only one tab sends the account's automatic moves. @param {string} account */
  acquireLock(account) {
    if (this.requested.has(account)) return;
    this.requested.add(account);
    void this.fetchMatches(account);
    const untilTabCloses = () =>
      new Promise(() => {
        this.locked.add(account);
        this.app.redraw();
      });
    void withLock(`${LOCK} ${account}`, untilTabCloses);
  }

  /** Fetch the running matches in which an account plays and in which it can have automatic moves. @param {string} account */
  async fetchMatches(account) {
    const games = [...this.app.server.renderers].flatMap(([game, { autoMove }]) => (autoMove ? [game] : []));
    try {
      const found = await Promise.all(
        games.map((game) => get("/matches", { game, player: account, status: "playing", limit: MAX_WATCHED })),
      );
      this.fetched.set(
        account,
        found.flatMap(({ matches }) => matches.map((/** @type {Summary} */ { match }) => match)),
      );
      this.app.redraw();
    } catch (error) {
      if (!(error instanceof Problem)) this.fetchedAt = Math.min(this.fetchedAt, Date.now() - FRESH_MS + RETRY_MS);
    }
  }
}

/** Return true if a transaction was never sent, because the page couldn't reach the node. @param {Tx} tx */
const wasNeverSent = (tx) => isDone(tx.state) && tx.reason?.sentence.key === "tx.not-sent";

/**
 * Return true if the page can send a rejected move again. A move with arguments is never sent
 * again, because the arguments can contain a secret. A dishonest server could learn another secret
 * from each try.
 * @param {{tx: Tx, height: number, tries: number}} before @param {Move} move @param {number} head
 */
const mayRetry = ({ tx, height, tries }, { args }, head) =>
  tx.state === "refused" && head > height && tries <= MAX_RETRIES && Object.keys(args).length === 0;
