/** Lists the computer players, opens matches against them, and asks them to join matches. */

import { ZERO_ADDRESS } from "../../lib/ethereum/address.js";
import { loadGame } from "../loading/load-game.js";
import { get, post, problemText, whyUnanswered } from "../../server/rest.js";
import { levelsOf, setComputers } from "../../names/computers.js";
import { clocksOf, inputKey } from "../inputs.js";
import { whyOpening } from "../submit.js";
import { unfinishedWith } from "./rows.js";

/** @import { Actions } from "../actions.js" */
/** @import { Ui } from "../ui.js" */
/** @import { TransactionManager } from "../../chain/tx/manager.js" */
/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { Action, GameInfo, I18nText, Json, Opponent, Tx } from "../../types.js" */
/** @typedef {import("./rows.js").Uses & {actions: Actions, live: Pick<MatchContext, "renderContext">, transactions: TransactionManager, ui: Ui}} Uses */

const FRESH_MS = 15_000;
/**
 * The refresh interval while the list of computer players is empty. It is short, because computer
 * players start a little later than the server.
 */
const EMPTY_MS = 5000;
/**
 * The time limit for a request that asks a computer player to join. The server's own time limit for
 * the computer's answer is shorter, so the page receives the server's error.
 */
const ANSWER_TIMEOUT_MS = 25_000;
/** If a computer hasn't joined a match after this time, the page offers to ask it again. */
const JOIN_TIMEOUT_MS = 20_000;
/** A match against a computer has a clock of at most this many seconds per move, if possible. */
const CLOCK = 3600;

/**
 * An opponent whom the player has chosen. `name` is set only for a computer. `accounts` contains a
 * person's account or, for a computer, all of its accounts. @typedef {{game: string, name?: string, accounts: {address: string}[]}} OpponentChoice
 */
/** @typedef {{name: string, at: number, account?: string, why?: I18nText}} Request A request that asks a computer to join. `at`: the time of the request, in milliseconds since 1970. `account`: the account with which the computer joins. `why`: the reason why the computer doesn't join. */

export class Opponents {
  /** @param {Uses} app */
  constructor(app) {
    this.app = app;
    /** @type {Opponent[]} */
    this.list = [];
    /** The reason why the computer players accept no new matches now, or null if they accept them. @type {I18nText|null} */
    this.why = null;
    this.isAnswered = false;
    this.at = 0;
    this.chain = "";
    /** For each match, the request that asks a computer to join. @type {Map<string, Request>} */
    this.requests = new Map();
    /**
     * For each game, the name of the computer that the page asks to join the next match. Not used
     * in games whose matches are opened with the opponent's address. @type {Map<string, string>}
     */
    this.chosenComputers = new Map();
    /**
     * The last match that the player opened against a computer. `computer`: the computer that the
     * page asks to join once the match exists, or "" for none. @type {{tx: Tx, computer: string}|null}
     */
    this.opening = null;
  }

  /**
   * Request the list of computer players when the chain or the connection changes. While `visible`
   * is true, also refresh the list from time to time. @param {boolean} visible
   */
  refresh(visible) {
    const { connection, identity } = this.app.server;
    const chain = connection === "live" ? identity : "";
    const isNew = chain !== this.chain;
    this.chain = chain;
    if (
      !chain ||
      (!isNew && (!visible || document.hidden || Date.now() - this.at < (this.list.length ? FRESH_MS : EMPTY_MS)))
    )
      return;
    this.at = Date.now();
    void this.fetch();
  }

  async fetch() {
    const found = await get("/opponents").catch(() => null); // if the request fails, keep the known computers, because a later refresh retries
    if (found) this.setList(found);
    this.isAnswered ||= Boolean(found);
    this.app.redraw();
  }

  /**
   * Store the list of computer players. If the server sends an empty list but the page knows
   * computer players, keep them, because they are probably unavailable only for a short time. @param {Json} answer the server's answer
   */
  setList({ opponents, why, key, args }) {
    const away = !opponents.length && this.list.length > 0;
    this.why = why ? problemText({ key, args, detail: why }) : away ? { key: "opponents.away" } : null;
    if (away) return;
    this.list = opponents;
    setComputers(levelsOf(opponents));
  }

  /** Return the computers that play a game. The weakest computer comes first. @param {string} slug */
  of(slug) {
    return this.list.filter(({ game }) => game === slug);
  }

  /** Return the computer player that plays in a match or is invited to it. @param {string} slug @param {Json} board */
  inMatch(slug, { players = {}, opponent }) {
    return this.of(slug).find(({ accounts }) =>
      accounts.some(({ address }) => players[address] || address === opponent),
    );
  }

  /**
   * Return the player's unfinished match against this computer. Return undefined if there is none,
   * or if the game's matches are opened without naming the opponent. @param {Action} create @param {Opponent} one
   */
  unfinished(create, { game, accounts }) {
    if (!invites(create)) return undefined;
    return accounts.map(({ address }) => unfinishedWith(this.app, game, address)).find(Boolean);
  }

  /**
   * Return the reason why a single click can't open a match against this opponent, or null if it
   * can. @param {GameInfo} game @param {Action} create @param {OpponentChoice} one @param {number} [clock] @returns {I18nText|null}
   */
  whyNot(game, create, one, clock) {
    if (this.why && one.name) return this.why;
    return this.needsPreparation(game)
      ? (this.app.actions.whyCantSend() ?? whyOpening(this.app, game.slug, this.app.accounts.me))
      : this.app.actions.why("", create, termsAgainst(create, one, clock), this.app.accounts.me, game.slug);
  }

  /**
   * Open a match and go to the match. If the game needs preparation, such as placing ships, prepare
   * the match at random. If that fails, show the game's form for new matches. Return null if no
   * match was opened.
   * @param {GameInfo} game @param {Action} create @param {OpponentChoice} one @param {number} [clock] seconds per move
   */
  async play(game, create, one, clock) {
    const { app } = this;
    const { slug } = game;
    await loadGame(app, slug);
    if (this.whyNot(game, create, one, clock) || app.ui.openingTx) return null;
    const terms = termsAgainst(create, one, clock);
    if (this.needsPreparation(game)) {
      this.fillForm(create, one);
      Object.assign(app.ui.draftFor(slug, app.accounts.me).state, seatFor(one));
      app.server.renderers.get(slug)?.prepare?.(app.live.renderContext("", app.accounts.me, slug));
      if (app.actions.why("", create, terms, app.accounts.me, slug)) {
        location.hash = `#/new/${slug}`;
        return null;
      }
    }
    const tx = app.actions.submit(slug, create, "", terms);
    app.ui.openingTx = tx;
    this.opening = { tx, computer: invites(create) || this.needsPreparation(game) ? "" : (one.name ?? "") };
    return tx;
  }

  /** Open a match with the values in the game's form, and go to the match. @param {GameInfo} game @param {Action} create */
  open({ slug }, create) {
    const tx = this.app.actions.submitWithDeposit(slug, create, "");
    this.app.ui.openingTx = tx;
    this.opening = { tx, computer: this.chosenComputers.get(slug) ?? "" };
    this.chosenComputers.delete(slug);
  }

  /** Return true if the game needs preparation, such as placing ships, before a match opens. @param {GameInfo} game */
  needsPreparation({ slug }) {
    return Boolean(this.app.server.renderers.get(slug)?.hasNewMatchPage);
  }

  /** Fill in the game's form for a new match against this opponent. @param {Action} create @param {OpponentChoice} one */
  fillForm(create, one) {
    for (const [name, value] of Object.entries(termsAgainst(create, one)))
      this.app.ui.typed[inputKey(one.game, name, "", "")] = value === ZERO_ADDRESS ? "" : value;
    this.app.redraw();
  }

  /** Store the computer that the page asks to join the player's next match of this game. @param {string} slug @param {string} name the computer's name, or "" for nobody */
  chooseComputer(slug, name) {
    this.chosenComputers.set(slug, name);
    this.app.redraw();
  }

  /** @param {Tx} tx a transaction that has opened a match */
  onOpened(tx) {
    const { opening } = this;
    if (opening?.tx !== tx || !tx.opened || !opening.computer) return;
    void this.requestComputer(tx.opened, opening.computer);
    opening.computer = "";
  }

  /**
   * If a computer that the page has asked to join a match hasn't joined yet, return the computer's
   * name. Return "" if there is no such computer, or if the computer takes too long. @param {string} match @param {Json} board
   */
  joiningComputer(match, { players = {} }) {
    const request = this.requests.get(match);
    const late = !request || request.why || Date.now() - request.at > JOIN_TIMEOUT_MS;
    return late || players[request.account ?? ""] ? "" : request.name;
  }

  /** @param {string} match @param {string} name */
  async requestComputer(match, name) {
    const { redraw } = this.app;
    this.requests.set(match, { name, at: Date.now() });
    redraw();
    const answer = await post("/opponents", { match, name }, ANSWER_TIMEOUT_MS).catch((error) => ({
      why: whyUnanswered(error),
    }));
    this.requests.set(match, { name, at: Date.now(), account: answer.account, why: answer.why });
    redraw();
  }

  /** Forget the computer players and all requests. Called when the chain changes. */
  reset() {
    this.list = [];
    this.requests.clear();
    this.chosenComputers.clear();
    this.opening = null;
  }
}

/** @param {GameInfo} game */
export const openingAction = (game) => game.actions.find(({ opens }) => opens);

/** Return true if the action that opens a match has an input for the opponent's address. @param {Action} create */
export const invites = ({ inputs }) => inputs.some(({ kind }) => kind === "opponent");

/** @param {GameInfo} game @param {string} address @returns {OpponentChoice} */
export const asOpponent = ({ slug }, address) => ({ game: slug, accounts: [{ address }] });

/** Return a draft of the game's form for new matches, with this opponent in the second seat. @param {OpponentChoice} one */
const seatFor = ({ name, accounts }) => (name ? { opponent: name } : { opponentAddress: accounts[0].address });

/**
 * Return the arguments of the action that opens a match against an opponent. The match has no
 * stake. Its default clock is an hour per move.
 * @param {Action} create @param {OpponentChoice} one @param {number} [clock] seconds per move @returns {Json}
 */
export function termsAgainst({ inputs }, { accounts }, clock) {
  /** @type {Record<string, (input: Action["inputs"][number]) => string|number>} */
  const terms = {
    opponent: () => accounts[0].address,
    clock: (input) => clock ?? clocksOf(input).findLast((seconds) => seconds <= CLOCK) ?? clocksOf(input)[0],
    amount: () => "0",
    token: () => ZERO_ADDRESS,
  };
  return Object.fromEntries(
    inputs.flatMap((input) => (terms[input.kind] ? [[input.name, terms[input.kind](input)]] : [])),
  );
}
