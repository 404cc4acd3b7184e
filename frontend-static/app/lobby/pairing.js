/** Implements *Play a person*: the gateway pairs two players, and one joins the other's match. */

import { isDone, isUnsuccessful } from "../../chain/tx/states.js";
import { reasonOf } from "../../chain/wallet/eip1193.js";
import { problemText } from "../../server/rest.js";
import { loadGame } from "../loading/load-game.js";
import { seatOf } from "../submit.js";
import { asOpponent, openingAction } from "./opponents.js";
import { lobbyEntry, unfinishedWith } from "./rows.js";
import { areSeated, isAgreed, longestClock, newSearch, signSeek } from "./seek.js";
import { UnjoinedMatches } from "./unjoined.js";

/** @import { Opponents } from "./opponents.js" */
/** @import { Search, SearchOptions } from "./seek.js" */
/** @import { GameInfo, I18nText, Json, Tx } from "../../types.js" */
/** @typedef {import("./opponents.js").Uses & {challenges: {dismissed: Set<string>}, opponents: Opponents, quickPlay: Joins}} Uses */
/** @typedef {{joining: {match: string}|null, join: (match: string, otherwise: () => void) => void, joinOwn: (match: string) => void, playComputer: (game: GameInfo) => Promise<void>}} Joins The part of the page that goes to a match and takes a seat there. */

/** If a search takes longer than this, the page offers a match against the computer. */
const OFFER_COMPUTER_MS = 10_000;
/** If *Play* finds no person within this time, the page opens a match against the computer. */
const FALLBACK_MS = 2000;
/**
 * After the gateway has reported that both players joined, the page waits this long for the board.
 */
const BOARD_TIMEOUT_MS = 30_000;
/** The search ends after this many opponents have left, because each departure can cost fees. */
const MAX_DEPARTURES = 3;
/** If a match can't be opened for one of these reasons, the reason is likely to disappear soon. */
const TEMPORARY = ["why.on-its-way", "why.no-server", "why.no-node"];

export class Pairing {
  /** @param {Uses} app */
  constructor(app) {
    this.app = app;
    /** @type {Search|null} */
    this.search = null;
    /** The reason why the last search ended, or null once the page has shown the reason. @type {I18nText|null} */
    this.why = null;
    /** The slug of the game whose card shows the clocks to choose from, or "" if no card does. */
    this.openCard = "";
    this.unjoined = new UnjoinedMatches(app, (match) => this.goTo(match));
  }

  /** Return the number of other players who are searching for an opponent at this clock. @param {string} slug @param {number|undefined} clock */
  otherSeekers(slug, clock) {
    const { search } = this;
    const all = Number(lobbyEntry(this.app, slug).seeking?.[String(clock)] ?? 0);
    const isOwn =
      search?.slug === slug && search.clock === clock && search.state === "waiting" && !search.confirmsFirst;
    return Math.max(0, all - (isOwn ? 1 : 0));
  }

  /** Return true if the page offers the computer, because nobody has come for a while. */
  offersComputer() {
    const { search } = this;
    if (!search || search.confirmsFirst || !hasWaited(search, OFFER_COMPUTER_MS)) return false;
    return search.state === "waiting" || (search.state === "opening" && !search.opens);
  }

  /** End the previous search for an opponent, and start a new search. @param {GameInfo} game @param {number} clock @param {SearchOptions} [options] */
  async start({ slug }, clock, options = {}) {
    const { app } = this;
    this.stop();
    this.openCard = "";
    const search = newSearch(slug, clock, app.accounts.me, options);
    this.search = search;
    app.redraw();
    await loadGame(app, slug); // the game's renderer defines how a player joins a match
    await this.requestSearch(search);
  }

  /** Search for a person while the player plays the computer. Do nothing for wallets' accounts. @param {GameInfo} game the game of the match against the computer */
  async searchMeanwhile(game) {
    const { search } = this;
    const { accounts } = this.app;
    const clock = longestClock(game);
    if (search) {
      search.confirmsFirst = true;
      await this.requestSearch(search);
    } else if (clock !== undefined && accounts.find(accounts.me)?.key)
      await this.start(game, clock, { confirmsFirst: true, hidden: true });
  }

  /** Open a match against the computer while the search for a person continues. */
  async playMeanwhile() {
    const { app, search } = this;
    const game = search && app.server.games.get(search.slug);
    if (!game) return;
    await Promise.all([this.searchMeanwhile(game), app.quickPlay.playComputer(game)]);
  }

  /** Sign the request for an opponent and send the request to the gateway. @param {Search} search */
  async requestSearch(search) {
    try {
      search.request = await signSeek(this.app, search);
    } catch (error) {
      if (this.search === search) this.stop(reasonOf(error).sentence);
      return;
    }
    if (this.search !== search) return;
    search.startedAt ||= Date.now();
    if (search.fallsBackSoon) setTimeout(this.app.redraw, FALLBACK_MS);
    this.sendMessage({ ...search.request, t: "seek", asks: search.confirmsFirst });
  }

  /** @param {Json} message */
  sendMessage(message) {
    this.app.server.socket.send(message);
  }

  /** Accept the opponent whom the gateway offers. */
  accept() {
    if (this.search) Object.assign(this.search, { confirmsFirst: false, hidden: false });
    this.sendMessage({ t: "accept" });
    this.app.redraw();
  }

  /** End the search for an opponent. @param {I18nText|null} [why] the reason to show */
  stop(why = null) {
    const { app, search } = this;
    this.search = null;
    this.why = why;
    if (search) {
      if (search.match) app.challenges.dismissed.add(search.match);
      this.sendMessage({ t: "unseek" });
      this.abandon(search);
    }
    app.redraw();
  }

  /** Send the request again. After a reconnect, the gateway has forgotten the search. */
  renew() {
    if (this.search) void this.requestSearch(this.search);
  }

  /** Forget the search. Called when the page switches to a different chain. */
  reset() {
    this.search = null;
    this.unjoined.reset();
  }

  /** @param {Json} message the gateway's message about the state of the search */
  onMessage({ state, game, clock, why, asked = "", rival: opponent = "", opens = false, match = "" }) {
    const { search } = this;
    if (!search || search.slug !== game || search.clock !== clock) return;
    search.asked = asked;
    if (state !== "ended" && areSeated(search, this.app.server.board(search.match))) this.finish(search);
    else if (state === "waiting") this.continueSearch(search, why === "left");
    else if (state === "ended") this.onEnded(search, why);
    else {
      if (search.opponent && search.opponent !== opponent) this.continueSearch(search, true);
      if (this.search !== search) return;
      Object.assign(search, { state, opponent, opens, match: match || search.match });
      if (state === "opening" && opens && search.match) this.setMatch(search, search.match); // the gateway's first message was lost with the connection
    }
    this.app.redraw();
  }

  /** @param {Search} search @param {string} why */
  onEnded(search, why) {
    if (why === "joined") return void (search.endsAt = Date.now() + BOARD_TIMEOUT_MS);
    this.search = null;
    this.abandon(search);
    if (["elsewhere", "late", "unanswered"].includes(why) && !search.hidden) this.why = { key: `pairing.why.${why}` };
  }

  /** End the search if the gateway's error is about the player's request for an opponent. @param {Json} error */
  onError(error) {
    if (!this.search || !String(error.key).startsWith("seek.")) return;
    this.stop(problemText(error));
  }

  /** Search for another opponent, for example because the previous opponent has left. @param {Search} search @param {boolean} hasLeft */
  continueSearch(search, hasLeft) {
    if (hasLeft) search.departures++;
    if (search.tx && search.departures >= MAX_DEPARTURES) return this.stop({ key: "pairing.why.lost" });
    this.abandon(search);
    Object.assign(search, { state: "waiting", opponent: "", opens: false, match: "", joins: false, tx: null });
  }

  /** @param {Search} search */
  async open(search) {
    const { app } = this;
    const game = app.server.games.get(search.slug);
    const create = game && openingAction(game);
    if (!game || !create) return;
    const opponent = asOpponent(game, search.opponent);
    search.isOpening = true;
    const tx = await app.opponents.play(game, create, opponent, search.clock);
    search.isOpening = false;
    if (this.search !== search || search.state !== "opening")
      this.abandon({ ...search, tx }); // the opponent left while the match was being opened
    else if (tx) search.tx = tx;
    else {
      const why = app.opponents.whyNot(game, create, opponent, search.clock);
      if (why && !TEMPORARY.includes(why.key)) this.onUnopened(search, why); // if the reason is temporary, the next tick tries again
    }
  }

  /** Go on with the two players' unfinished match. If they have none, end the search. @param {Search} search @param {I18nText|null} why */
  onUnopened(search, why) {
    const unfinished = unfinishedWith(this.app, search.slug, search.opponent);
    search.tx = null;
    if (unfinished) this.setMatch(search, unfinished.match);
    else this.stop(why);
  }

  /** @param {Tx} tx a transaction that has opened a match */
  onOpened(tx) {
    const { search } = this;
    if (!search || !tx.opened || search.tx !== tx) return;
    this.setMatch(search, tx.opened);
    this.app.quickPlay.joinOwn(tx.opened); // in some games, the player who opens a match has no seat and must also join
  }

  /** Tell the opponent, through the gateway, which match the player has opened. @param {Search} search @param {string} match */
  setMatch(search, match) {
    search.match = match;
    this.sendMessage({ t: "opened", match });
  }

  /** @param {Pick<Search, "tx"|"account"|"match">} search */
  abandon({ tx, account, match }) {
    if (tx?.state === "waiting") void this.app.transactions.cancel(tx);
    if (tx && this.unjoined.add(tx, account) && match && location.hash === `#/match/${match}`) location.hash = "#/";
  }

  /** Return the matches whose boards the page must follow for the search. @returns {string[]} */
  matches() {
    return [...(this.search?.match ? [this.search.match] : []), ...this.unjoined.matches()];
  }

  /** Do what the search has to do next in its current state. Called before each drawing. @param {string} [match] the match on display */
  advance(match) {
    this.unjoined.advance();
    const { app, search } = this;
    if (!search) return;
    const board = app.server.board(search.match);
    const isPlaying = this.isPlayingPerson(match);
    if (search.account !== app.accounts.me || (search.hidden && isPlaying)) this.stop();
    else if (search.tx && isUnsuccessful(search.tx)) this.onUnopened(search, search.tx.reason?.sentence ?? null);
    else if (areSeated(search, board)) this.finish(search);
    else if (search.endsAt && Date.now() >= search.endsAt) this.stop({ key: "pairing.why.gone" });
    else if (search.state === "opening" && search.opens && !search.tx && !search.match && !search.isOpening)
      void this.open(search);
    else if (search.state === "opened" && !search.opens && board) this.join(search, board);
    else if (isPlaying && search.state === "waiting" && !search.confirmsFirst && search.startedAt) {
      search.confirmsFirst = true; // from now on, the gateway asks the player before pairing, because the player is in a match
      void this.requestSearch(search);
    } else if (search.fallsBackSoon && search.state === "waiting" && hasWaited(search, FALLBACK_MS)) {
      const game = app.server.games.get(search.slug);
      this.stop();
      if (game) void app.quickPlay.playComputer(game);
    }
  }

  /** Return true if the match on display is running, and the account in use plays against a person. @param {string} [match] */
  isPlayingPerson(match = "") {
    const { accounts, opponents, server } = this.app;
    const board = server.board(match);
    if (board?.status !== "playing" || !board.players[accounts.me]) return false;
    return !opponents.inMatch(match.split("/")[0], board);
  }

  /** End the search and go to the match, because both players have a seat there. @param {Search} search */
  finish({ match }) {
    this.search = null;
    this.sendMessage({ t: "unseek", joined: true });
    location.hash = `#/match/${match}`;
  }

  /** Go to a match. Its opponent seemed to have left, but has joined the match after all. @param {string} match */
  goTo(match) {
    this.stop();
    location.hash = `#/match/${match}`;
  }

  /** Return true while the player's transaction that joins the match is pending. @param {Search} search */
  isJoinPending({ match, account }) {
    return this.app.transactions.list.some((tx) => tx.match === match && seatOf(tx) === account && !isDone(tx.state));
  }

  /** Join the opponent's match, but only once, and only if the match has the agreed terms. @param {Search} search @param {Json} board */
  join(search, board) {
    const { app } = this;
    const { quickPlay } = app;
    if (search.joins) {
      const isJoining = quickPlay.joining?.match === search.match || board.players[search.account];
      if (!isJoining && !this.isJoinPending(search)) this.stop();
      return;
    }
    search.joins = true;
    if (isAgreed(search, board)) quickPlay.join(search.match, () => this.stop({ key: "pairing.why.gone" }));
    else this.stop({ key: "pairing.why.terms" });
  }
}

/** Return true if the page sent the request to the gateway at least `ms` milliseconds ago. @param {Search} search @param {number} ms */
const hasWaited = ({ startedAt }, ms) => startedAt > 0 && Date.now() - startedAt >= ms;
