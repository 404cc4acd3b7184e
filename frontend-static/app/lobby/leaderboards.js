/** What the server told of players: a leaderboard for each game, and one player's figures. */

import { Problem, get } from "../../server/rest.js";
import { t } from "../../i18n/translate.js";

/** @import { App } from "../app.js" */
/** @import { Json } from "../../types.js" */
/** @typedef {{at: number, answer?: Json, why?: string}} Told `at`: milliseconds since 1970. */

const FRESH_MS = 10_000;
const BEST = 10;

export class Leaderboards {
  /** @param {Pick<App, "server"|"redraw">} app */
  constructor(app) {
    this.app = app;
    /** @type {Map<string, Told>} */
    this.told = new Map();
  }

  /** @param {string} path `leaderboardOf` or `figuresOf` */
  of(path) {
    return this.told.get(this.keyOf(path));
  }

  /** Asks for what is not there, or old. @param {string} path */
  async request(path) {
    const key = this.keyOf(path);
    const known = this.told.get(key);
    if (known && Date.now() - known.at < FRESH_MS) return;
    this.told.set(key, { ...known, at: Date.now() });
    const told = await get(path).then(
      (answer) => ({ answer }),
      (error) => ({ ...known, why: error instanceof Problem ? error.message : t("why.no-server") }),
    );
    this.told.set(key, { ...told, at: Date.now() });
    this.app.redraw();
  }

  /** @param {string} path */
  keyOf(path) {
    return `${this.app.server.identity} ${path}`;
  }
}

/** @param {string} slug */
export const leaderboardOf = (slug) => `/leaderboard?game=${slug}&limit=${BEST}`;

/** @param {string} address */
export const figuresOf = (address) => `/players/${address}`;
