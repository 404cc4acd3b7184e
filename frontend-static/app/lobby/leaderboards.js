/** Caches the leaderboard of each game and the statistics of each player. */

import { get, whyUnanswered } from "../../server/rest.js";

/** @import { ServerState } from "../server-state.js" */
/** @import { I18nText, Json, Rating } from "../../types.js" */
/** @typedef {{at: number, answer?: Json, why?: I18nText}} CachedAnswer A response and its age. `at`: the time of the request, in milliseconds since 1970. */

const FRESH_MS = 10_000;
const BEST = 10;

export class Leaderboards {
  /** @param {{redraw: () => void, server: ServerState}} app */
  constructor(app) {
    this.app = app;
    /** @type {Map<string, CachedAnswer>} */
    this.cache = new Map();
  }

  /** @param {string} path `leaderboardPath` or `playerPath` */
  of(path) {
    return this.cache.get(this.keyOf(path));
  }

  /**
   * Return a player's rating in a game, or null if the player has not finished a match of the game. @param {string} address @param {string} slug @returns {Rating|null}
   */
  ratingOf(address, slug) {
    const games = /** @type {Json[]} */ (this.of(playerPath(address))?.answer?.games ?? []);
    const { played = 0, rating, rivals } = games.find(({ game }) => game === slug) ?? {};
    return played ? { rating, rivals } : null;
  }

  /** Fetch a response if it is missing or old. @param {string} path @param {number} [freshMs] */
  async request(path, freshMs = FRESH_MS) {
    const key = this.keyOf(path);
    const known = this.cache.get(key);
    if (known && Date.now() - known.at < freshMs) return;
    this.cache.set(key, { ...known, at: Date.now() });
    const answered = await get(path).then(
      (answer) => ({ answer }),
      (error) => ({ ...known, why: whyUnanswered(error) }),
    );
    this.cache.set(key, { ...answered, at: Date.now() });
    this.app.redraw();
  }

  /** @param {string} path */
  keyOf(path) {
    return `${this.app.server.identity} ${path}`;
  }
}

/** @param {string} slug @param {boolean} peopleOnly */
export const leaderboardPath = (slug, peopleOnly) =>
  `/leaderboard?game=${slug}&limit=${BEST}${peopleOnly ? "&opponents=false" : ""}`;

/** @param {string} address */
export const playerPath = (address) => `/players/${address}`;
