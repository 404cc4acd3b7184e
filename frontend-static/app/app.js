/** What the page knows and can do. Views read it; everything that changes it ends in `redraw`. */

import { Accounts } from "../chain/wallet/accounts.js";
import { act, asSeat, pressed, seatOf, whyNot } from "./submit.js";
import { addressBar } from "../lib/address-bar.js";
import { beginAnew, identityOf } from "./reset.js";
import { Automatic } from "./auto-moves.js";
import { eventsOf, inOrder } from "../lib/board.js";
import { Chain } from "../chain/tx/chain-client.js";
import { isCovered } from "./privacy.js";
import { tellShort } from "../chain/wallet/funds.js";
import { discover, whyStuck } from "../chain/wallet/eip1193.js";
import { Ghosts } from "../history/orphaned-events.js";
import { Finality } from "../chain/verify/finality.js";
import { forget } from "./inputs.js";
import { KeyDesk } from "../chain/wallet/key-forms.js";
import { meet } from "./load-game.js";
import { Mine } from "./my-matches.js";
import { Journal } from "../chain/tx/journal.js";
import { Transactions } from "../chain/tx/manager.js";
import { lastOf } from "../chain/tx/model.js";
import { Past } from "../history/playback.js";
import { Peeks } from "./lobby-previews.js";
import { Served } from "../history/match-history.js";
import { ABI } from "../chain/sessions/registry.js";
import { OwnNode } from "../chain/verify/own-node.js";
import { Lost, Problem, get } from "../server/rest.js";
import { SLUG, Sessions } from "../chain/sessions/sessions.js";
import { Connection } from "../server/websocket.js";
import { isOffered, isOver } from "../chain/tx/states.js";
import { loadFeed, loadOlder } from "./load-events.js";
import { Tokens } from "../chain/wallet/tokens.js";
import { Witness } from "../chain/verify/checker.js";

/** @import { Keys } from "../chain/wallet/keys.js" */
/** @import { Theatre } from "../history/file-match.js" */
/** @import { Action, Block, ChainEvent, Entry, GameInfo, Json, Order, Phrase, Renderer, Tx, View } from "../types.js" */

/** @type {ChainEvent[]} */
const NONE = [];
const RETRY_MS = 1000;
const HEALTH_MS = 4000;

export class App extends Accounts {
  /** @param {() => void} redraw @param {Keys} keys */
  constructor(redraw, keys) {
    super(redraw, keys);
    /** @type {"connecting"|"live"|"lost"} */
    this.line = "connecting";
    this.served = true;
    this.began = this.heard = Date.now();
    /** Of which chain all this is; "" until it is known. */
    this.identity = "";
    /** @type {Block|null} */
    this.head = null;
    this.headAt = 0;
    /** @type {Map<string, GameInfo>} */
    this.games = new Map();
    /** @type {Map<string, Renderer>} */
    this.renderers = new Map();
    /** @type {Map<string, any>} */
    this.layouts = new Map();
    /** @type {Map<string, ChainEvent[]>} */
    this.feeds = new Map();
    /** What is being looked back at, if anything is. */
    this.tell = addressBar();
    this.past = new Past(redraw, (match, seq) => this.tell(this.link(match, seq)));
    this.ghosts = new Ghosts(sessionStorage);
    /** @type {Theatre|null} a replay file that was opened */
    this.opened = null;
    /** @type {Phrase|null} why the last one was not */
    this.unopened = null;
    /** @type {Map<string, string>} matches that the server refused to show, and why */
    this.missing = new Map();
    /** @type {Tx|null} */
    this.going = null;
    /** @type {{match: string, seq: number, account: string, why: Phrase}|null} what was refused at the board, until that or the account changes */
    this.refused = null;
    /** Of which match, ply and mover the page has become already. */
    this.turn = "";
    /** @type {Record<string, any>} */
    this.typed = {};
    /** @type {Map<string, Json>} what is being prepared, by match (or game) and account */
    this.desks = new Map();
    this.tokens = new Tokens(redraw);
    this.worth = this.tokens.worth.bind(this.tokens);
    this.ownNode = new OwnNode(redraw);
    /** The account in use when the page was loaded, and by match the one that its secrets were shown to last (privacy.js). */
    this.loadedBy = this.me;
    /** @type {Map<string, string>} */
    this.lastSeenBy = new Map();
    this.witness = new Witness(this);
    this.finality = new Finality(this);
    this.mine = new Mine(this);
    this.peeks = new Peeks(this);
    /** The most that a unit of gas would be offered now, in wei; 0 until it is known. */
    this.fee = 0n;
    /** @type {Map<string, (value?: unknown) => void>} who waits for the next step of a transaction, by its id */
    this.awaiting = new Map();
    this.automatic = new Automatic(this);
    this.keyDesk = new KeyDesk(this);
    this.sessions = new Sessions(this);
    this.chain = new Chain(() => this.health, (address) => this.account(address) ?? this.sessions.signer(address), (slug) => (slug === SLUG ? { abi: ABI } : this.games.get(slug)));
    this.transactions = new Transactions(this.chain, new Journal(), (tx) => this.changed(tx));
    this.socket = new Connection(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`, {
      status: (line) => this.heardOf(line),
      hello: (message) => void this.welcome(message),
      head: (head) => this.advance(head),
      board: (match, _, message, before) => this.boardChanged(match, message, before),
      refused: ({ match }) => void this.lookUp(match),
    });
  }

  takeKeys() {
    super.takeKeys();
    void this.sessions.read(this.identity);
  }

  // ---- starting and following

  async start() {
    discover((found) => { this.injected = found; this.redraw(); });
    this.socket.start();
    this.socket.watch("lobby");
    setInterval(() => this.tick(), 1000);
    setInterval(() => void this.checkHealth(), HEALTH_MS);
    await this.learn();
  }

  /** Health and games, asked until they are there, of the chain that the last hello told of. */
  async learn() {
    try {
      const [health, { games }] = await Promise.all([get("/health"), get("/games")]);
      this.identity ||= identityOf(health);
      if (this.identity !== identityOf(health)) throw new Lost("another chain");
      this.health = health;
      for (const game of games) await meet(this, game);
      this.recallAccount();
      this.ghosts.recall(this.identity);
      void this.ownNode.recall(this.identity, health);
      await this.sessions.recall(this.identity);
      await this.askFee();
      void this.fund(this.me);
      void this.transactions.open(this.identity);
    } catch (error) {
      if (!(error instanceof Lost || error instanceof Problem)) throw error;
      setTimeout(() => void this.learn(), RETRY_MS);
    }
    this.redraw();
  }

  /** @param {"live"|"lost"} line */
  heardOf(line) {
    this.line = line;
    if (line === "live") void this.checkHealth();
    this.redraw();
  }

  /** @param {Json} hello */
  async welcome(hello) {
    const other = this.identity !== "" && this.identity !== identityOf(hello);
    this.identity = identityOf(hello);
    if (other) beginAnew(this);
    this.ghosts.recall(this.identity);
    if (hello.head) this.advance(hello.head);
    if (other) await this.learn();
  }

  /** @param {Block} head */
  advance(head) {
    this.head = head;
    this.headAt = this.heard = Date.now();
    void this.transactions.check();
    this.arrive();
  }

  tick() {
    if (this.line === "live") this.heard = Date.now();
    if (this.line === "live") for (const match of this.awaited()) this.socket.ask(match);
    if (this.line === "live") void this.transactions.look();
    if (this.line === "live") for (const tx of this.pending()) if (tx.state === "sent") void this.lookAtWallet(tx);
    this.automatic.look();
    this.redraw();
  }

  /** Seconds since 1970 as the next block will count them: a chain's time may be ahead of ours, never much behind. */
  now() {
    const passed = (Date.now() - this.headAt) / 1000;
    return Math.floor(Math.max(Date.now() / 1000, this.head ? this.head.time + passed : 0));
  }

  async checkHealth() {
    if (this.line !== "live" || document.hidden) return;
    try {
      const health = await get("/health");
      if (this.identity === identityOf(health)) this.health &&= { ...this.health, ...health };
      await Promise.all([this.balanceOf(this.me), this.askFee()]);
    } catch (error) {
      if (error instanceof Problem) this.health = this.health && { ...this.health, state: "degraded", detail: error.message };
    }
    this.redraw();
  }

  /** Of a node that does not answer now it is asked again with the next look at the server's health. */
  async askFee() {
    const price = await this.chain.price().catch(() => null);
    this.fee = price?.maxFeePerGas ?? this.fee;
  }

  /** The wallet owns the nonce: one that waits for ever is told to its player, as we can't mend it. @param {Tx} tx */
  async lookAtWallet(tx) {
    if (!this.account(tx.account)?.provider) return;
    const why = await whyStuck(tx).catch(() => null);
    if (tx.state === "sent") tx.reason = why ? { sentence: why, small: lastOf(tx) } : undefined;
  }

  // ---- boards

  /** @param {string} match */
  board(match) {
    return this.socket.entries.get(match)?.board ?? null;
  }

  /** @param {string} match @param {Json} message @param {Entry|null} before */
  boardChanged(match, message, before) {
    this.missing.delete(match);
    if (match === "lobby") return this.arrive();
    if (message.t === "deltas") this.hear(match, eventsOf(message));
    else {
      if (message.why === "reorg") this.automatic.forget(match);
      void loadFeed(this, match, message, before);
    }
    if (match === this.past.match) this.past.wake();
    void this.transactions.check();
    this.automatic.look();
    this.redraw();
  }

  /** @param {string} match @param {ChainEvent[]} events */
  hear(match, events) {
    this.feeds.set(match, inOrder(this.feeds.get(match) ?? [], events));
    this.ghosts.settle(match, events);
    for (const { tx, block, hash } of events) this.transactions.seen(tx, block, hash);
  }

  /** What the record of a match's past starts from. @param {string} match */
  record(match) {
    return new Served(match, { entry: () => this.socket.entries.get(match) ?? null, feed: () => this.feeds.get(match) ?? NONE });
  }

  /** Events before those that the list of moves shows. @param {string} match */
  loadOlder(match) {
    return loadOlder(this, match);
  }

  /** Matches whose watch has no answer yet. */
  awaited() {
    return [...this.socket.entries].flatMap(([match, entry]) => (entry === null && match !== "lobby" ? [match] : []));
  }

  /** A watch was refused. A match of ours that is too new to be known is only awaited. @param {string|undefined} match */
  async lookUp(match) {
    if (!match || this.socket.entries.get(match) !== null || this.transactions.list.some((tx) => tx.opened === match)) return;
    await get(`/matches/${match}`).catch((error) => error instanceof Problem && error.status === 404 && this.missing.set(match, error.message));
    this.redraw();
  }

  /** Watches these matches and no others. @param {string[]} matches @param {string[]} [peeks] those whose boards are fetched first */
  follow(matches, peeks = []) {
    const wanted = ["lobby", ...matches, ...peeks];
    for (const match of this.socket.entries.keys()) if (!wanted.includes(match)) this.socket.unwatch(match);
    for (const match of matches) this.socket.watch(match);
    this.peeks.show(peeks);
  }

  /** @param {string} match "" before it is opened @param {string} [me] who looks @param {string} [slug] @returns {View} */
  view(match, me = this.me, slug = match.split("/")[0]) {
    const under = this.transactions.list.filter((tx) => tx.match === match && tx.game === slug && (!isOver(tx.state) || this.isUnseen(tx)));
    const own = { mine: new Set(this.accounts.map(({ address }) => address)), selected: this.ui.selected, desk: this.desk(match || slug, me) };
    return { match, board: this.board(match) ?? {}, me, head: this.head, now: this.now(), pending: under.map(asSeat), worth: this.worth, events: this.events(match), seq: this.socket.entries.get(match)?.seq, finality: () => this.finality.look(match), sent: () => this.sent(match, me), ...own };
  }

  /** What went out for an account in a match, as far as the journal of this browser reaches. @param {string} match @param {string} account */
  sent(match, account) {
    return this.transactions.list.filter((tx) => tx.match === match && seatOf(tx) === account && tx.hashes.length > 0);
  }

  /** @param {string} place @param {string} account */
  desk(place, account) {
    const key = `${place} ${account}`;
    const state = this.desks.get(key) ?? {};
    this.desks.set(key, state);
    return { state, change: this.redraw };
  }

  /** In a block that the board does not show yet: the board is not what the next move would meet. @param {Tx} tx */
  isUnseen({ state, block, match }) {
    const shown = this.socket.entries.get(match)?.block.height ?? 0;
    return state === "mined" && Number(block) > shown && Number(block) >= (this.head?.height ?? 0);
  }

  /** The present board, also while one looks back. @param {string} match */
  latest(match) {
    return this.board(match);
  }

  /** @param {string} match */
  events(match) {
    return this.feeds.get(match) ?? NONE;
  }

  /** @param {string} match */
  covers(match) {
    return isCovered(this, match);
  }

  /** @param {string} match */
  ghostsOf(match) {
    return this.ghosts.of(match);
  }

  /** @param {string} match @param {number} seq 0: the present */
  link(match, seq) {
    return `#/match/${match}${seq ? `@${seq}` : ""}`;
  }

  // ---- acting

  /** A press on the board. @param {string} match @param {Order|null} order @param {number} cell */
  order(match, order, cell) {
    return pressed(this, match, order, cell);
  }

  /** Whether a button still tells of it: sent in this visit, or waiting for something. @param {Tx} tx */
  isNews(tx) {
    return tx.at >= this.began || !isOver(tx.state) || (isOffered(tx) && !tx.settled);
  }

  /** @returns {Tx[]} */
  pending() {
    return this.transactions.list.filter(({ state }) => !isOver(state));
  }

  /** Why nothing at all can be sent now. @param {string} [account] who pays @returns {Phrase|null} */
  whyNothing(account = this.me) {
    if (this.line !== "live") return { key: "why.no-server" };
    const balance = this.balances.get(account);
    if (balance === undefined && this.health?.state === "node-lost") return { key: "why.no-node" };
    if (balance === 0n || balance === undefined) return { key: this.filling.has(account) || balance === undefined ? "why.filling" : "why.no-funds" };
    return this.account(account)?.trouble ?? null;
  }

  /** @param {string} match or a game @param {string} kind */
  actionOf(match, kind) {
    const slug = match.split("/")[0];
    const kindOf = this.renderers.get(slug)?.kindOf;
    return this.games.get(slug)?.actions.find((action) => (kindOf?.(action) ?? action.name) === kind);
  }

  /** Why an action can't be sent. @param {string} match "" to open one @param {Action} action @param {Json} [given] ABI arguments @param {string} [account] @param {string} [slug] */
  why(match, action, given, account, slug = match.split("/")[0]) {
    return whyNot(this, slug, action, match, given, account);
  }

  /** @param {string} slug @param {Action} action @param {string} match "" to open one @param {Json} [given] ABI arguments that are known already @param {string} [account] @param {number} [cell] that was pressed */
  act(slug, action, match, given = {}, account = this.me, cell = undefined) {
    return act(this, slug, action, match, given, account, cell);
  }

  /** Goes to the match that a transaction opens, once the page has heard of its block. @param {Tx} tx */
  goTo(tx) {
    this.going = tx;
  }

  arrive() {
    const opened = this.going?.opened;
    if (opened && Number(this.going?.block) <= (this.head?.height ?? -1)) {
      this.going = null;
      location.hash = `#/match/${opened}`;
    }
    this.redraw();
  }

  /** @param {Tx} tx */
  changed(tx) {
    this.awaiting.get(tx.id)?.();
    if (tx.reason?.sentence.key === "node.funds") void tellShort(this, tx);
    if (tx.seat && tx.state === "refused") void this.sessions.allowances.look(); // its leave may have ended
    const opening = tx.match === "" && tx.state === "sent" && tx.tab === this.transactions.journal.tab && this.actionOf(tx.game, tx.action);
    if (opening) forget(this, tx.game, opening);
    if (tx === this.going) this.arrive();
    if (tx === this.going && isOver(tx.state) && !tx.opened) this.going = null;
    if (isOver(tx.state)) this.tokens.forget();
    if (tx.state === "mined" || tx.state === "failed") void this.balanceOf(tx.account).catch(() => undefined);
    this.redraw();
  }
}
