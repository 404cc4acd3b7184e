/**
 * Opens challenges, which are matches that wait for a particular player. Also lists the challenges
 * that other players have sent to this page's accounts.
 */

import { asOpponent, invites, openingAction } from "./opponents.js";
import { finished, running } from "./rows.js";
import { longestClock } from "./seek.js";

/** @import { Opponents } from "./opponents.js" */
/** @import { GameInfo, I18nText, Summary } from "../../types.js" */
/** @typedef {import("./opponents.js").Uses & {opponents: Opponents}} Uses */

/** For this long after a match, a challenge between the same players counts as a rematch. */
const REMATCH_SECONDS = 900;

export class Challenges {
  /** @param {Uses} app */
  constructor(app) {
    this.app = app;
    /** The matches whose challenges the player has dismissed. The page doesn't show them. @type {Set<string>} */
    this.dismissed = new Set();
  }

  /** Forget the dismissed challenges. Called when the page switches to a different chain. */
  reset() {
    this.dismissed.clear();
  }

  /** Return true if a player of this game can open a match for a particular opponent. @param {GameInfo} game */
  isPossible(game) {
    const create = openingAction(game);
    return create !== undefined && (invites(create) || this.app.opponents.needsPreparation(game));
  }

  /**
   * Return the challenges to this page's accounts. Leave out challenges whose sender is offline,
   * and those that the player has dismissed. @returns {Summary[]} the newest challenge comes first
   */
  waiting() {
    const { app } = this;
    if (!app.server.board("lobby")) return [];
    const rows = running(app);
    return rows.filter(
      ({ match, game, id, status, attended, opponent, players }) =>
        status === "open" &&
        attended === true &&
        opponent !== undefined &&
        Boolean(app.accounts.find(opponent)) &&
        !players.includes(opponent) &&
        !players.some((address) => app.accounts.find(address)) &&
        !rows.some((own) => invitesBack(own, { game, id, opponent, players })) &&
        !this.dismissed.has(match),
    );
  }

  /**
   * Return true if a challenge's players have just finished a match of the same game. A match's
   * `time` is the time of its last event, which can be later than the match's end. @param {Summary} challenge
   */
  isRematch({ game, id, players: [host], opponent = "", created }) {
    return finished(this.app).some(
      ({ game: slug, id: before, status, players, time }) =>
        slug === game &&
        status === "finished" &&
        players.includes(host) &&
        players.includes(opponent) &&
        before < id &&
        created - time < REMATCH_SECONDS,
    );
  }

  /** Dismiss all challenges that the page shows now. */
  dismiss() {
    for (const { match } of this.waiting()) this.dismissed.add(match);
    this.app.redraw();
  }

  /** Return the reason why the account in use can't challenge a player, or null if it can. @param {GameInfo} game @param {string} address @returns {I18nText|null} */
  whyNot(game, address) {
    const create = openingAction(game);
    return create ? this.app.opponents.whyNot(game, create, asOpponent(game, address), longestClock(game)) : null;
  }

  /**
   * Open a match that only this player can join, and go to the match. It has the longest clock and
   * no stake. @param {GameInfo} game @param {string} address
   */
  async challenge(game, address) {
    const create = openingAction(game);
    if (create) await this.app.opponents.play(game, create, asOpponent(game, address), longestClock(game));
  }
}

/**
 * Return true if two players have invited each other, and the host of the earlier match (`own`) is
 * waiting there. The page then hides the later match (`other`), because the player who
 * opened it joins `own`. @param {Summary} own @param {Pick<Summary, "game"|"id"|"opponent"|"players">} other
 */
const invitesBack = (own, { game, id, opponent, players }) =>
  own.game === game &&
  own.status === "open" &&
  own.attended === true &&
  own.id < id &&
  own.players[0] === opponent &&
  own.opponent === players[0];
