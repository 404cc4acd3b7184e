/** Implements the button *Play*. One click leads the player to a match in which they can move. */

import { loadGame } from "../loading/load-game.js";
import { isUnsuccessful } from "../../chain/tx/states.js";
import { openingAction } from "./opponents.js";
import { ownOpen, waitingHost } from "./rows.js";
import { longestClock } from "./seek.js";

/** @import { Opponents } from "./opponents.js" */
/** @import { Pairing } from "./pairing.js" */
/** @import { GameInfo, I18nText, Tx } from "../../types.js" */
/** @typedef {import("./opponents.js").Uses & {opponents: Opponents, pairing: Pairing}} Uses */

/**
 * A match that the player is joining. `sent`: the sent transactions. `otherwise`: called if joining
 * fails. @typedef {{match: string, account: string, sent: Tx[], otherwise: (game: GameInfo) => void}} Joining
 */

export class QuickPlay {
  /** @param {Uses} app */
  constructor(app) {
    this.app = app;
    /** @type {Joining|null} */
    this.joining = null;
    /** The transaction with which *Play* has opened a match, or null if *Play* hasn't opened one. @type {Tx|null} */
    this.opening = null;
  }

  /** Return the weakest computer player of a game, or undefined if no computer can play now. @param {GameInfo} game */
  easiest({ slug }) {
    const { opponents } = this.app;
    return opponents.why ? undefined : opponents.of(slug)[0];
  }

  /**
   * Return true if a person is searching for an opponent at the game's longest clock, and this
   * browser has the key of the account in use. @param {GameInfo} game
   */
  hasSeeker(game) {
    const { accounts, pairing } = this.app; // a wallet would ask its user twice: to sign the search and to send the transaction
    return pairing.otherSeekers(game.slug, longestClock(game)) > 0 && Boolean(accounts.find(accounts.me)?.key);
  }

  /**
   * Return the match to which *Play* leads without sending a transaction. It is an unfinished match
   * against the computer. If no computer can play, it is an open match that the player has joined. @param {GameInfo} game @returns {string|undefined}
   */
  unfinished(game) {
    const create = openingAction(game);
    const easiest = this.easiest(game);
    if (!create) return undefined;
    return (easiest ? this.app.opponents.unfinished(create, easiest) : ownOpen(this.app, game.slug))?.match;
  }

  /** Return the reason why *Play* is disabled, or null if *Play* is enabled. @param {GameInfo} game @returns {I18nText|null} */
  whyNot(game) {
    const { actions, accounts, opponents } = this.app;
    const create = openingAction(game);
    const easiest = this.easiest(game);
    if (!create || this.unfinished(game)) return null;
    if (waitingHost(this.app, game.slug) || this.hasSeeker(game)) return actions.whyCantSend();
    if (easiest) return opponents.whyNot(game, create, easiest);
    if (opponents.needsPreparation(game)) return null;
    return actions.whyCantSend() ?? actions.why("", create, {}, accounts.me, game.slug);
  }

  /**
   * Join the match of a host who is online, or pair with a person who is searching for an opponent.
   * If there is nobody, play the weakest computer and keep searching for a person. If there are no
   * computers either, open a match and wait. @param {GameInfo} game
   */
  async press(game) {
    const { app } = this;
    await loadGame(app, game.slug); // the game's renderer defines the settings of a new match
    if (!app.opponents.isAnswered) await app.opponents.fetch();
    if (this.whyNot(game) || app.ui.openingTx) return;
    const host = waitingHost(app, game.slug);
    if (host) {
      app.pairing.stop();
      this.join(host.match);
    } else if (this.hasSeeker(game)) await app.pairing.start(game, longestClock(game) ?? 0, { fallsBackSoon: true });
    else {
      await this.playComputer(game);
      if (this.easiest(game)) await app.pairing.searchMeanwhile(game);
    }
  }

  /** @param {GameInfo} game */
  async playComputer(game) {
    const { app } = this;
    const create = openingAction(game);
    const easiest = this.easiest(game);
    const unfinished = this.unfinished(game);
    if (unfinished) location.hash = `#/match/${unfinished}`;
    else if (create && easiest) this.opening = await app.opponents.play(game, create, easiest);
    else if (app.opponents.needsPreparation(game)) location.hash = `#/new/${game.slug}`;
    else if (create) this.opening = app.ui.openingTx = app.actions.submit(game.slug, create, "");
  }

  /** Go to a match and, once the match's board has arrived, take a seat in the match. @param {string} match @param {(game: GameInfo) => void} [otherwise] called if the player can't join; by default, this opens a match against the computer */
  join(match, otherwise = (game) => void this.playComputer(game)) {
    this.joining = { match, account: this.app.accounts.me, sent: [], otherwise };
    location.hash = `#/match/${match}`;
  }

  /** If *Play* opened this match, also join it, because opening takes no seat in some games. @param {Tx} tx a transaction that has opened a match */
  onOpened(tx) {
    if (tx.opened && tx === this.opening) this.joinOwn(tx.opened);
  }

  /**
   * Join a match that the player has opened. A failure doesn't open another match, because this
   * could go on forever. @param {string} match
   */
  joinOwn(match) {
    this.join(match, () => undefined);
  }

  /**
   * Send the transactions that join the match, once the match's board has arrived. If another
   * player was faster or the match was closed, call `otherwise`. @param {string} [shown] the match on display
   */
  advance(shown) {
    const { app, joining } = this;
    if (!joining) return;
    const { match, account, sent, otherwise } = joining;
    const [slug] = match.split("/");
    const game = app.server.games.get(slug);
    const board = app.server.board(match);
    const renderer = app.server.renderers.get(slug);
    if (shown !== match || app.accounts.me !== account) this.joining = null;
    else if (game && board && renderer) {
      const isSeated = Boolean(board.players?.[account]);
      const isSent = sent.length >= (renderer.joinCount ?? 1);
      if (isSeated && (!sent.length || isSent)) this.joining = null;
      else if (sent.some(isUnsuccessful) || (board.status !== "open" && !isSeated)) {
        this.joining = null;
        otherwise(game);
      } else if (!isSent) this.submit(joining);
    }
  }

  /** @param {Joining} joining */
  submit({ match, sent }) {
    const { app } = this;
    const [slug] = match.split("/");
    const renderer = app.server.renderers.get(slug);
    const join = renderer && app.actions.of(match, renderer.joinAction);
    if (join && !app.actions.why(match, join)) sent.push(app.actions.submit(slug, join, match));
  }
}
