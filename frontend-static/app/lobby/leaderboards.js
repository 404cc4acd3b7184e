/** Caches the server's responses about players, such as leaderboards and statistics. */

import { get, whyUnanswered } from "../../server/rest.js";

/** @import { ServerState } from "../server-state.js" */
/** @import { I18nText, Json, Rating } from "../../types.js" */
/** @typedef {{at: number, answer?: Json, why?: I18nText}} CachedAnswer The server's last response to a request. `why`: the reason why the latest request failed. `at`: the time of the request, in milliseconds since 1970. */

const FRESH_MS = 10_000;
const BEST = 10;

export class Leaderboards {
  /** @param {{redraw: () => void, server: ServerState}} app */
  constructor(app) {
    this.app = app;
    /** @type {Map<string, CachedAnswer>} */
    this.cache = new Map();
  }

  /** @param {string} path the requested path, for example from `leaderboardPath` or `playerPath` */
  of(path) {
    return this.cache.get(this.keyOf(path));
  }

  /**
   * Return a player's rating in a game. Return null if the player hasn't finished a match of this
   * game, or if the player's statistics aren't loaded. @param {string} address @param {string} slug @returns {Rating|null}
   */
  ratingOf(address, slug) {
    const games = /** @type {Json[]} */ (this.of(playerPath(address))?.answer?.games ?? []);
    const { played = 0, rating, rivals } = games.find(({ game }) => game === slug) ?? {};
    return played ? { rating, rivals } : null;
  }

  /** Send a request to the server, unless the cached response is younger than `freshMs`. @param {string} path @param {number} [freshMs] */
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
