/**
 * Creates the page's components and passes messages between them. `server` has the state of the
 * server and the chain, `accounts` has the player's accounts, and `ui` has the selection and the
 * typed text. Each change ends with a call to `redraw`, which draws the page.
 */

import { ChainClient } from "../chain/tx/chain-client.js";
import { Journal } from "../chain/tx/journal.js";
import { TransactionManager } from "../chain/tx/manager.js";
import { hasNoEffect, isDone } from "../chain/tx/states.js";
import sessions from "../chain/tx/sessions.abi.js";
import { SLUG, Sessions } from "../chain/sessions/sessions.js";
import { BoardChecker } from "../chain/verify/checker.js";
import { FinalityChecker } from "../chain/verify/finality.js";
import { OwnNode } from "../chain/verify/own-node.js";
import { Accounts } from "../chain/wallet/accounts.js";
import { discover } from "../chain/wallet/eip1193.js";
import { addMissingFunds } from "../chain/wallet/funds.js";
import { KeyForms } from "../chain/wallet/key-forms.js";
import { Tokens } from "../chain/wallet/tokens.js";
import { Playback } from "../history/playback.js";
import { isMoving } from "../layouts/effects/animation.js";
import { addressBar } from "../history/address-bar.js";
import { eventsOf } from "../lib/board.js";
import { Offline, Problem, get } from "../server/rest.js";
import { Nicknames } from "../server/nicknames.js";
import { Notices } from "./notices/notices.js";
import { Connection, socketUrl } from "../server/websocket.js";
import { Actions } from "./actions.js";
import { forget } from "./inputs.js";
import { addGames, reloadGames } from "./loading/load-game.js";
import { Leaderboards } from "./lobby/leaderboards.js";
import { MyMatches } from "./lobby/my-matches.js";
import { LobbyPreviews } from "./lobby/previews.js";
import { AutoMoves } from "./match/auto-moves.js";
import { Emotes } from "./match/emotes.js";
import { MoveSeries } from "./match/series.js";
import { Hints } from "./match/hints.js";
import { linkTo, liveMatches } from "./match/live.js";
import { loadFeed } from "./match/load-events.js";
import { sound } from "./match/turns.js";
import { NewVersion } from "./loading/new-version.js";
import { Opponents } from "./lobby/opponents.js";
import { Challenges } from "./lobby/challenges.js";
import { Pairing } from "./lobby/pairing.js";
import { AbandonedMatches } from "./lobby/abandoned.js";
import { QuickPlay } from "./lobby/quick-play.js";
import { openedBy } from "./lobby/rematch.js";
import { Rejections } from "./rejections.js";
import { ServerState, identityOf } from "./server-state.js";
import { Ui } from "./ui.js";

/** @import { Keys } from "../chain/wallet/keys.js" */
/** @import { Block, Entry, Json, Tx } from "../types.js" */

const [RETRY_MS, HEALTH_MS] = [1000, 4000];

export class App {
  /** @param {() => void} redraw @param {Keys} keys */
  constructor(redraw, keys) {
    this.redraw = redraw;
    this.setAddress = addressBar();
    this.server = new ServerState(
      new Connection(socketUrl(), {
        status: (status) => this.onConnectionStatus(status),
        hello: (message) => void this.onHello(message),
        head: (head) => this.onHead(head),
        board: (match, entry, message, before) => this.onBoard(match, entry, message, before),
        presence: ({ match, watchers, openerIsHere }) => {
          this.server.presence.set(match, { watchers, openerIsHere });
          redraw();
        },
        seek: (message) => this.pairing.onMessage(message),
        emote: (message) => this.emotes.onMessage(message),
        error: (message) => {
          for (const part of [this.emotes, this.pairing]) part.onError(message);
          this.noteMissing(message);
        },
        accounts: () => this.accounts.list.map(({ address }) => address),
      }),
    );
    this.accounts = new Accounts(redraw, keys, {
      health: () => this.server.health,
      onUse: () => void Object.assign(this.ui, { selected: 0, armed: "" }),
      onKeys: () => void this.sessions.read(this.server.identity),
    });
    this.nicknames = new Nicknames(
      () => this.server.health,
      redraw,
      () => import("../chain/wallet/sign.js"),
    );
    this.notices = new Notices(redraw);
    this.ui = new Ui(redraw, this.accounts.me);
    this.ownNode = new OwnNode(redraw);
    this.tokens = new Tokens(redraw, this.ownNode);
    this.boardChecker = new BoardChecker(this);
    this.finalityChecker = new FinalityChecker(this);
    this.myMatches = new MyMatches(this);
    this.leaderboards = new Leaderboards(this);
    this.opponents = new Opponents(this);
    this.previews = new LobbyPreviews(this);
    this.autoMoves = new AutoMoves(this);
    this.emotes = new Emotes(this);
    this.series = new MoveSeries(this);
    this.rejections = new Rejections(this);
    this.actions = new Actions(this);
    this.keyForms = new KeyForms(this.accounts);
    this.sessions = new Sessions(this);
    this.chainClient = new ChainClient(
      () => this.server.health,
      (address) => this.accounts.find(address) ?? this.sessions.signer(address),
      (slug) => (slug === SLUG ? { abi: sessions } : this.server.games.get(slug)),
    );
    this.transactions = new TransactionManager(this.chainClient, new Journal(), (...change) =>
      this.onTransaction(...change),
    );
    /**
     * The playback of the match in the address. It stores which earlier event, if any, is on
     * display.
     */
    this.playback = new Playback(redraw, (match, seq) => this.setAddress(linkTo(match, seq)));
    this.hints = new Hints(this);
    this.newVersion = new NewVersion(this);
    this.live = liveMatches(this);
    this.pairing = new Pairing(this);
    this.quickPlay = new QuickPlay(this);
    this.abandoned = new AbandonedMatches(this);
    this.challenges = new Challenges(this);
  }

  async start() {
    discover((found) => {
      this.accounts.injected = found;
      this.redraw();
    });
    this.notices.start();
    this.server.socket.start();
    this.server.socket.watch("lobby");
    addEventListener("pagehide", () => this.abandoned.noteSeen(true));
    setInterval(() => this.tick(), 1000);
    setInterval(() => void this.checkHealth(), HEALTH_MS);
    await this.loadServerInfo();
  }

  /** Load the server's health and games. Retry until the server answers for the current chain. */
  async loadServerInfo() {
    const { server } = this;
    try {
      const [health, { games }] = await Promise.all([get("/health"), get("/games", { abi: "false" })]);
      server.identity ||= identityOf(health);
      if (server.identity !== identityOf(health)) throw new Offline("another chain");
      await addGames(this, games);
      server.setHealth(health); // set last, so that the list of games is complete once the health is known
      await this.accounts.restore();
      server.orphans.restore(server.identity);
      void this.ownNode.restore(server.identity, health);
      await this.sessions.restore(server.identity);
      await this.refreshFee();
      void this.accounts.fund(this.accounts.me);
      void this.transactions.open(server.identity);
    } catch (error) {
      if (!(error instanceof Offline || error instanceof Problem)) throw error;
      setTimeout(() => void this.loadServerInfo(), RETRY_MS);
    }
    this.redraw();
  }

  /** @param {"live"|"lost"} status */
  onConnectionStatus(status) {
    this.server.connection = status;
    if (status === "live") void this.checkHealth();
    this.redraw();
  }

  /** @param {Json} hello */
  async onHello(hello) {
    const { server } = this;
    const other = server.identity !== "" && server.identity !== identityOf(hello);
    server.identity = identityOf(hello);
    if (other) this.forgetChain();
    server.orphans.restore(server.identity);
    if (hello.head) this.onHead(hello.head);
    this.pairing.renew();
    if (other) await this.loadServerInfo();
    else if (server.connection === "lost") await reloadGames(this);
  }

  /** Forget the state of the previous chain in all components. */
  forgetChain() {
    this.server.forget();
    this.ui.forgetMatches();
    this.transactions.forget(this.server.identity);
    this.sessions.forget();
    this.playback.close();
    this.accounts.forget();
    this.notices.turns.forget();
    const { abandoned, autoMoves, challenges, emotes, nicknames, opponents, pairing, tokens } = this;
    for (const part of [abandoned, autoMoves, challenges, emotes, nicknames, opponents, pairing, tokens]) part.reset();
    const { boardChecker, finalityChecker, hints, rejections, series } = this;
    for (const part of [boardChecker, finalityChecker, hints, rejections, series]) part.reset();
  }

  /** @param {Block} head */
  onHead(head) {
    this.server.setHead(head);
    void this.transactions.check();
    this.series.advance();
    this.goToOpened();
  }

  tick() {
    const { server, transactions } = this;
    if (server.noteHeard()) {
      for (const match of server.awaited()) server.socket.requestWatch(match);
      void transactions.poll();
      for (const tx of transactions.list) if (tx.state === "sent") void this.accounts.updateStuckReason(tx);
    }
    if (server.troubleAt) void this.checkHealth();
    this.abandoned.noteSeen();
    this.autoMoves.sendDue();
    this.series.advance();
    if (!isMoving()) this.redraw();
  }

  async checkHealth() {
    const { server } = this;
    if (server.connection !== "live" || document.hidden) return;
    try {
      const health = await get("/health");
      if (server.health && server.identity === identityOf(health)) server.setHealth({ ...server.health, ...health });
      await Promise.all([this.accounts.balanceOf(this.accounts.me), this.refreshFee()]);
    } catch (error) {
      if (error instanceof Problem && server.health) server.setHealth({ ...server.health, state: "degraded" });
    }
    if (!isMoving()) this.redraw(); // don't redraw while pieces are moving; the next tick redraws the page
  }

  /** Fetch the last final block's height and the fees. Without an answer, keep the old values. */
  async refreshFee() {
    this.server.setFinal(await this.chainClient.finalHeight());
    const price = await this.chainClient.currentFees().catch(() => null);
    if (price) this.server.setPrice(price, await this.chainClient.l1Fees.linearFee().catch(() => this.server.dataFee));
  }

  /** @param {string} match @param {Entry} entry @param {Json} message @param {Entry|null} before */
  onBoard(match, entry, message, before) {
    this.server.missing.delete(match);
    if (match === "lobby") return this.goToOpened();
    if (message.t === "deltas") {
      const events = eventsOf(message);
      this.server.addEvents(match, events);
      sound(this, match, entry, before);
      for (const { tx, block, hash } of events) this.transactions.onEvent(tx, block, hash);
    } else {
      if (message.why === "reorg") this.autoMoves.forget(match);
      void loadFeed(this, match, message, before);
    }
    if (match === this.playback.match) this.playback.retrySeek();
    void this.transactions.check();
    this.autoMoves.sendDue();
    this.series.advance();
    this.goToOpened();
  }

  /** Record that a match doesn't exist on the server, unless this page has just opened it. @param {Json} message the server's error message */
  noteMissing(message) {
    if (!this.transactions.list.some((tx) => tx.opened === message.match)) this.server.noteMissing(message);
    this.redraw();
  }

  /** Go to the match that the player has opened, once the server has indexed the match's block. */
  goToOpened() {
    const { openingTx } = this.ui;
    const opened = openingTx && openedBy(this, openingTx);
    if (opened && (openingTx.block ?? 0) <= (this.server.head?.height ?? -1)) {
      this.ui.openingTx = null;
      location.hash = `#/match/${opened}`;
      for (const part of [this.opponents, this.quickPlay, this.pairing]) part.onOpened(openingTx);
    }
    this.redraw();
  }

  /** @param {Tx} tx @param {boolean} isNewState true if the transaction's state has changed, false if only other fields have changed */
  onTransaction(tx, isNewState) {
    const { ui } = this;
    if (tx.reason?.sentence.key === "node.funds")
      void this.refreshFee().then(() => addMissingFunds(this.accounts, this.server.fee, this.chainClient.l1Fees, tx));
    if (tx.seat && tx.state === "refused") void this.sessions.grants.refresh(); // the registry might have rejected the session key because the key has expired
    const isOwnOpening = tx.match === "" && tx.state === "sent" && tx.tab === this.transactions.journal.tab;
    const opening = isOwnOpening && this.actions.of(tx.game, tx.action);
    if (opening) forget(ui, tx.game, opening);
    if (tx === ui.openingTx) this.goToOpened();
    if (tx === ui.openingTx && hasNoEffect(tx)) ui.openingTx = null;
    if (isNewState && isDone(tx.state)) this.tokens.forget();
    this.series.advance();
    if (tx.state === "mined" || tx.state === "failed") void this.accounts.balanceOf(tx.account).catch(() => undefined);
    this.redraw();
  }
}
