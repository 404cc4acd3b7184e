/** The page's state and its commands. Views read it; every change ends in `redraw`. */

import { Accounts } from "../chain/wallet/accounts.js";
import { asSeat, prepare, seatOf, send, submitPress, whyNot } from "./submit.js";
import { addressBar } from "../lib/address-bar.js";
import { identityOf, resetForChain } from "./reset.js";
import { AutoMoves } from "./match/auto-moves.js";
import { eventsOf, mergeBySeq } from "../lib/board.js";
import { ChainClient } from "../chain/tx/chain-client.js";
import { isCovered } from "./match/privacy.js";
import { addMissingFunds } from "../chain/wallet/funds.js";
import { discover, whyStuck } from "../chain/wallet/eip1193.js";
import { OrphanedEvents } from "../history/orphaned-events.js";
import { FinalityChecker } from "../chain/verify/finality.js";
import { forget } from "./inputs.js";
import { KeyForms } from "../chain/wallet/key-forms.js";
import { loadGame } from "./load-game.js";
import { MyMatches } from "./lobby/my-matches.js";
import { Journal } from "../chain/tx/journal.js";
import { TransactionManager } from "../chain/tx/manager.js";
import { lastOf } from "../chain/tx/model.js";
import { Playback } from "../history/playback.js";
import { Leaderboards } from "./lobby/leaderboards.js";
import { LobbyPreviews } from "./lobby/previews.js";
import { Refusals } from "./refusals.js";
import { ServerHistory } from "../history/match-history.js";
import { ABI } from "../chain/sessions/registry.js";
import { OwnNode } from "../chain/verify/own-node.js";
import { Offline, Problem, get } from "../server/rest.js";
import { SLUG, Sessions } from "../chain/sessions/sessions.js";
import { Connection } from "../server/websocket.js";
import { isDone, isRetryable } from "../chain/tx/states.js";
import { loadFeed, loadOlder } from "./match/load-events.js";
import { Tokens } from "../chain/wallet/tokens.js";
import { BoardChecker } from "../chain/verify/checker.js";

/** @import { Keys } from "../chain/wallet/keys.js" */
/** @import { FileMatch } from "../history/file-match.js" */
/** @import { Action, Block, ChainEvent, Entry, GameInfo, I18nText, Json, Move, RenderContext, Renderer, Tx } from "../types.js" */

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
    this.hasServer = true;
    this.startedAt = this.lastHeardAt = Date.now();
    /** `<chain id> <genesis hash>` of the chain that this state is of; "" until the server told it. */
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
    this.setAddress = addressBar();
    /** Playback of the match in the address. */
    this.playback = new Playback(redraw, (match, seq) => this.setAddress(this.link(match, seq)));
    this.orphans = new OrphanedEvents(sessionStorage);
    /** @type {FileMatch|null} the replay file that is open */
    this.openedFile = null;
    /** @type {I18nText|null} why the last replay file could not be opened */
    this.openError = null;
    /** @type {Map<string, string>} matches that the server refused to show, and why */
    this.missing = new Map();
    /** @type {Tx|null} */
    this.going = null;
    /** @type {{match: string, seq: number, account: string, why: I18nText}|null} what was refused at the board, until that or the account changes */
    this.refused = null;
    /** Chain, match, ply and mover for which the page changed its account last (hot-seat.js). */
    this.followedTurn = "";
    /** @type {Record<string, any>} */
    this.typed = {};
    /** @type {Map<string, Json>} drafts of players, by match (or game) and account */
    this.drafts = new Map();
    this.tokens = new Tokens(redraw);
    this.formatAmount = this.tokens.formatAmount.bind(this.tokens);
    this.ownNode = new OwnNode(redraw);
    /** The account in use when the page was loaded, and by match the one that its secrets were shown to last (privacy.js). */
    this.loadedBy = this.me;
    /** @type {Map<string, string>} */
    this.lastSeenBy = new Map();
    this.boardChecker = new BoardChecker(this);
    this.finalityChecker = new FinalityChecker(this);
    this.myMatches = new MyMatches(this);
    this.leaderboards = new Leaderboards(this);
    this.previews = new LobbyPreviews(this);
    /** The most that a unit of gas would be offered now, in wei; 0 until it is known. */
    this.fee = 0n;
    /** @type {Map<string, (value?: unknown) => void>} who waits for the next step of a transaction, by its id */
    this.awaiting = new Map();
    this.autoMoves = new AutoMoves(this);
    this.refusals = new Refusals(this);
    this.keyForms = new KeyForms(this);
    this.sessions = new Sessions(this);
    this.chainClient = new ChainClient(
      () => this.health,
      (address) => this.account(address) ?? this.sessions.signer(address),
      (slug) => (slug === SLUG ? { abi: ABI } : this.games.get(slug)),
    );
    this.transactions = new TransactionManager(this.chainClient, new Journal(), (tx) => this.onTransaction(tx));
    this.socket = new Connection(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`, {
      status: (line) => this.onLineStatus(line),
      hello: (message) => void this.onHello(message),
      head: (head) => this.onHead(head),
      board: (match, _, message, before) => this.onBoard(match, message, before),
      error: ({ match }) => void this.checkExists(match),
    });
  }

  reloadKeys() {
    super.reloadKeys();
    void this.sessions.read(this.identity);
  }

  // ---- starting and following

  async start() {
    discover((found) => {
      this.injected = found;
      this.redraw();
    });
    this.socket.start();
    this.socket.watch("lobby");
    setInterval(() => this.tick(), 1000);
    setInterval(() => void this.checkHealth(), HEALTH_MS);
    await this.loadServerInfo();
  }

  /** Loads health and games, again and again until the server answers for the chain of the last hello. */
  async loadServerInfo() {
    try {
      const [health, { games }] = await Promise.all([get("/health"), get("/games")]);
      this.identity ||= identityOf(health);
      if (this.identity !== identityOf(health)) throw new Offline("another chain");
      this.health = health;
      for (const game of games) await loadGame(this, game);
      this.recallAccount();
      this.orphans.recall(this.identity);
      void this.ownNode.recall(this.identity, health);
      await this.sessions.recall(this.identity);
      await this.askFee();
      void this.fund(this.me);
      void this.transactions.open(this.identity);
    } catch (error) {
      if (!(error instanceof Offline || error instanceof Problem)) throw error;
      setTimeout(() => void this.loadServerInfo(), RETRY_MS);
    }
    this.redraw();
  }

  /** @param {"live"|"lost"} line */
  onLineStatus(line) {
    this.line = line;
    if (line === "live") void this.checkHealth();
    this.redraw();
  }

  /** @param {Json} hello */
  async onHello(hello) {
    const other = this.identity !== "" && this.identity !== identityOf(hello);
    this.identity = identityOf(hello);
    if (other) resetForChain(this);
    this.orphans.recall(this.identity);
    if (hello.head) this.onHead(hello.head);
    if (other) await this.loadServerInfo();
  }

  /** @param {Block} head */
  onHead(head) {
    this.head = head;
    this.headAt = this.lastHeardAt = Date.now();
    void this.transactions.check();
    this.goToOpened();
  }

  tick() {
    if (this.line === "live") this.lastHeardAt = Date.now();
    if (this.line === "live") for (const match of this.awaited()) this.socket.requestWatch(match);
    if (this.line === "live") void this.transactions.poll();
    if (this.line === "live") for (const tx of this.pending()) if (tx.state === "sent") void this.lookAtWallet(tx);
    this.autoMoves.sendDue();
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
      if (error instanceof Problem)
        this.health = this.health && { ...this.health, state: "degraded", detail: error.message };
    }
    this.redraw();
  }

  /** Reads the fee that is offered now. Without an answer the old one stays until the next health check. */
  async askFee() {
    const price = await this.chainClient.currentFees().catch(() => null);
    this.fee = price?.maxFeePerGas ?? this.fee;
  }

  /** Tells why a wallet's transaction is stuck: the wallet owns its nonce, so the page can't unblock it. @param {Tx} tx */
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
  onBoard(match, message, before) {
    this.missing.delete(match);
    if (match === "lobby") return this.goToOpened();
    if (message.t === "deltas") this.onEvents(match, eventsOf(message));
    else {
      if (message.why === "reorg") this.autoMoves.forget(match);
      void loadFeed(this, match, message, before);
    }
    if (match === this.playback.match) this.playback.retrySeek();
    void this.transactions.check();
    this.autoMoves.sendDue();
    this.redraw();
  }

  /** @param {string} match @param {ChainEvent[]} events */
  onEvents(match, events) {
    this.feeds.set(match, mergeBySeq(this.feeds.get(match) ?? [], events));
    this.orphans.dropMined(match, events);
    for (const { tx, block, hash } of events) this.transactions.onEvent(tx, block, hash);
  }

  /** The events and boards of a match, from the server. @param {string} match */
  historyOf(match) {
    return new ServerHistory(match, {
      entry: () => this.socket.entries.get(match) ?? null,
      feed: () => this.feeds.get(match) ?? NONE,
    });
  }

  /** Events before those that the list of moves shows. @param {string} match */
  loadOlder(match) {
    return loadOlder(this, match);
  }

  /** Matches that are watched, without a board yet. */
  awaited() {
    return [...this.socket.entries].flatMap(([match, entry]) => (entry === null && match !== "lobby" ? [match] : []));
  }

  /** Asks whether a match exists whose watch was refused. One that we opened ourselves is only too new. @param {string|undefined} match */
  async checkExists(match) {
    if (!match || this.socket.entries.get(match) !== null || this.transactions.list.some((tx) => tx.opened === match))
      return;
    await get(`/matches/${match}`).catch(
      (error) => error instanceof Problem && error.status === 404 && this.missing.set(match, error.message),
    );
    this.redraw();
  }

  /** Watches these matches, and stops watching all others. @param {string[]} matches @param {string[]} [previews] those whose boards are fetched first */
  watchOnly(matches, previews = []) {
    const wanted = ["lobby", ...matches, ...previews];
    for (const match of this.socket.entries.keys()) if (!wanted.includes(match)) this.socket.unwatch(match);
    for (const match of matches) this.socket.watch(match);
    this.previews.show(previews);
  }

  /** @param {string} match "" before it is opened @param {string} [me] who looks @param {string} [slug] @returns {RenderContext} */
  renderContext(match, me = this.me, slug = match.split("/")[0]) {
    const under = this.transactions.list.filter(
      (tx) => tx.match === match && tx.game === slug && (!isDone(tx.state) || this.isAheadOfBoard(tx)),
    );
    const own = {
      ownAccounts: new Set(this.accounts.map(({ address }) => address)),
      selected: this.ui.selected,
      draft: this.draftFor(match || slug, me),
    };
    return {
      match,
      board: this.board(match) ?? {},
      me,
      head: this.head,
      now: this.now(),
      pending: under.map(asSeat),
      formatAmount: this.formatAmount,
      events: this.events(match),
      seq: this.socket.entries.get(match)?.seq,
      finality: () => this.finalityChecker.resultFor(match),
      sent: () => this.sent(match, me),
      ...own,
    };
  }

  /** Transactions of an account in a match that were sent, as far as this browser's journal reaches. @param {string} match @param {string} account */
  sent(match, account) {
    return this.transactions.list.filter((tx) => tx.match === match && seatOf(tx) === account && tx.hashes.length > 0);
  }

  /** @param {string} subject a match, or a game's slug @param {string} account */
  draftFor(subject, account) {
    const key = `${subject} ${account}`;
    const state = this.drafts.get(key) ?? {};
    this.drafts.set(key, state);
    return { state, change: this.redraw };
  }

  /** True when a transaction is in a block above the board's: the next move meets another board than the one drawn. @param {Tx} tx */
  isAheadOfBoard({ state, block, match }) {
    const boardHeight = this.socket.entries.get(match)?.block.height ?? 0;
    return state === "mined" && Number(block) > boardHeight && Number(block) >= (this.head?.height ?? 0);
  }

  /** The present board, also while one looks back. @param {string} match */
  latestBoard(match) {
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
  orphansOf(match) {
    return this.orphans.of(match);
  }

  /** @param {string} match @param {number} seq 0: the present */
  link(match, seq) {
    return `#/match/${match}${seq ? `@${seq}` : ""}`;
  }

  // ---- acting

  /** A press on the board. @param {string} match @param {Move|null} move @param {number} cell */
  submitPress(match, move, cell) {
    return submitPress(this, match, move, cell);
  }

  /** Whether a button still shows a transaction: sent in this visit, not done, or retryable. @param {Tx} tx */
  isNews(tx) {
    return tx.at >= this.startedAt || !isDone(tx.state) || (isRetryable(tx) && !tx.settled);
  }

  /** @returns {Tx[]} */
  pending() {
    return this.transactions.list.filter(({ state }) => !isDone(state));
  }

  /** Why nothing at all can be sent now. @param {string} [account] who pays @returns {I18nText|null} */
  whyCantSend(account = this.me) {
    if (this.line !== "live") return { key: "why.no-server" };
    const balance = this.balances.get(account);
    if (balance === undefined && this.health?.state === "node-lost") return { key: "why.no-node" };
    if (balance === 0n || balance === undefined)
      return { key: this.filling.has(account) || balance === undefined ? "why.filling" : "why.no-funds" };
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
  submitAction(slug, action, match, given = {}, account = this.me, cell = undefined) {
    return send(this, prepare(this, slug, action, match, given, account, cell));
  }

  /** Opens the match of a transaction in the page, once the head has reached its block. @param {Tx} tx */
  goTo(tx) {
    this.going = tx;
  }

  goToOpened() {
    const opened = this.going?.opened;
    if (opened && Number(this.going?.block) <= (this.head?.height ?? -1)) {
      this.going = null;
      location.hash = `#/match/${opened}`;
    }
    this.redraw();
  }

  /** @param {Tx} tx */
  onTransaction(tx) {
    this.awaiting.get(tx.id)?.();
    if (tx.reason?.sentence.key === "node.funds") void addMissingFunds(this, tx);
    if (tx.seat && tx.state === "refused") void this.sessions.grants.refresh(); // its leave may have ended
    const opening =
      tx.match === "" &&
      tx.state === "sent" &&
      tx.tab === this.transactions.journal.tab &&
      this.actionOf(tx.game, tx.action);
    if (opening) forget(this, tx.game, opening);
    if (tx === this.going) this.goToOpened();
    if (tx === this.going && isDone(tx.state) && !tx.opened) this.going = null;
    if (isDone(tx.state)) this.tokens.forget();
    if (tx.state === "mined" || tx.state === "failed") void this.balanceOf(tx.account).catch(() => undefined);
    this.redraw();
  }
}
