/**
 * Fetches the matches in which this page's accounts play, and those to which they are invited. This
 * includes matches that the lobby's list leaves out.
 */

import { get } from "../../server/rest.js";

/** @import { ServerState } from "../server-state.js" */
/** @import { Ui } from "../ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Summary } from "../../types.js" */
/** @typedef {{accounts: Accounts, redraw: () => void, server: ServerState, ui: Ui}} Uses */

const FRESH_MS = 15_000;
/** The time between two refreshes while the player isn't looking at the list of matches. */
const UNSEEN_FRESH_MS = 60_000;
/** The maximum number of accounts whose matches are requested. The account in use comes first. */
const ACCOUNTS = 6;
const ROWS = 50;

export class MyMatches {
  /** @param {Uses} app */
  constructor(app) {
    this.app = app;
    /** @type {Summary[]} */
    this.rows = [];
    this.at = 0;
    this.of = "";
    /**
     * True after the first response, even if it was an error. Before that, the page doesn't draw
     * the lobby.
     */
    this.isAnswered = false;
  }

  /**
   * Request the matches from the server if the last response is too old. The websocket doesn't
   * report these matches, unless they are in the lobby's list. @param {boolean} [looksAt] true if
   * the player is looking at the matches. The page then refreshes them more often
   */
  refresh(looksAt = true) {
    const { app } = this;
    const own = new Set([app.accounts.me, ...app.accounts.list.map(({ address }) => address)]);
    const of = [...own].slice(0, ACCOUNTS);
    const who = `${app.server.identity} ${of} ${app.ui.filters.mine}`;
    const fresh = this.of === who && Date.now() - this.at < (looksAt ? FRESH_MS : UNSEEN_FRESH_MS);
    if (app.server.connection !== "live" || fresh) return;
    Object.assign(this, { at: Date.now(), of: who });
    void this.fetch(of, who);
  }

  /** @param {string[]} of @param {string} who */
  async fetch(of, who) {
    const kinds = (/** @type {string} */ who) => [
      { player: who, status: "playing" },
      { player: who, status: "open" },
      { opponent: who, status: "open" },
      ...(this.app.ui.filters.mine ? [{ player: who, status: "finished" }] : []),
    ];
    const requests = of.flatMap(kinds).map((query) => get("/matches", { ...query, limit: ROWS }));
    const answers = await Promise.all(requests).catch(() => null); // if a request fails, keep the known matches; a later refresh retries
    this.isAnswered = true;
    if (answers && this.of === who) this.rows = answers.flatMap(({ matches }) => matches);
    this.app.redraw();
  }

  /**
   * Merge the fetched matches with the matches in the lobby's list. If a match is in both lists,
   * keep the newer of its two states. @param {Summary[]} lobby @returns {Summary[]}
   */
  mergedWith(lobby) {
    const known = new Map(lobby.map((row) => [row.match, row]));
    for (const row of this.rows) {
      const listed = known.get(row.match);
      if (!listed) known.set(row.match, row);
      else if (listed.seq <= row.seq) known.set(row.match, { ...row, attended: listed.attended, live: listed.live });
      else if (listed.morePlayers) known.set(row.match, { ...listed, players: row.players });
    }
    return [...known.values()];
  }
}

/**
 * Return 0 if one of this page's accounts must move in a match or is invited to the match. Return 1
 * if one of the accounts plays in the match but has nothing to do. Otherwise, return 2. @param {{accounts: Accounts}} app @param {Summary} match
 */
export function involvement(app, { status, mover, opponent, players }) {
  const invited =
    status === "open" && Boolean(opponent && app.accounts.find(opponent)) && !players.includes(String(opponent));
  if (invited || (status === "playing" && mover && app.accounts.find(mover))) return 0;
  return players.some((address) => app.accounts.find(address)) ? 1 : 2;
}
