/**
 * Opens challenges, which are matches that wait for one named player. Also lists the challenges to
 * this page's accounts.
 */

import { asOpponent, invites, openingAction } from "./opponents.js";
import { finished, running } from "./rows.js";
import { longestClock } from "./seek.js";

/** @import { Opponents } from "./opponents.js" */
/** @import { GameInfo, I18nText, Summary } from "../../types.js" */
/** @typedef {import("./opponents.js").Uses & {opponents: Opponents}} Uses */

/** If a challenge comes within this time after a match, the page calls it a rematch. */
const REMATCH_SECONDS = 900;

export class Challenges {
  /** @param {Uses} app */
  constructor(app) {
    this.app = app;
    /** The matches whose challenges the player has dismissed. @type {Set<string>} */
    this.dismissed = new Set();
  }

  /** Forget everything. Called when the chain changes. */
  reset() {
    this.dismissed.clear();
  }

  /** Return true if a player of this game can open a match for a named opponent. @param {GameInfo} game */
  isPossible(game) {
    const create = openingAction(game);
    return create !== undefined && (invites(create) || this.app.opponents.needsPreparation(game));
  }

  /** Return the challenges to this page's accounts, if the challenger is online. @returns {Summary[]} newest first */
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
   * Return true if the challenger and the challenged player have just finished a match of this
   * game. A match's `time` is the time of its last event, which can be later than its end. @param {Summary} challenge
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

  /** Hide the current challenges. */
  dismiss() {
    for (const { match } of this.waiting()) this.dismissed.add(match);
    this.app.redraw();
  }

  /** Return why a player can't be challenged. @param {GameInfo} game @param {string} address @returns {I18nText|null} */
  whyNot(game, address) {
    const create = openingAction(game);
    return create ? this.app.opponents.whyNot(game, create, asOpponent(game, address), longestClock(game)) : null;
  }

  /** Open a match with the longest clock and no stake, invite the player, and go to the match. @param {GameInfo} game @param {string} address */
  async challenge(game, address) {
    const create = openingAction(game);
    if (create) await this.app.opponents.play(game, create, asOpponent(game, address), longestClock(game));
  }
}

/**
 * Return true if two players have invited each other, `own` is the earlier of the two matches, and
 * its host is waiting there. In that case, the other player joins `own`. @param {Summary} own @param {Pick<Summary, "game"|"id"|"opponent"|"players">} other
 */
const invitesBack = (own, { game, id, opponent, players }) =>
  own.game === game &&
  own.status === "open" &&
  own.attended === true &&
  own.id < id &&
  own.players[0] === opponent &&
  own.opponent === players[0];
