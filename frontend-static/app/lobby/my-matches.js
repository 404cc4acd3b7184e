/** The matches of this page's own accounts, and to which they are invited, also those that are not on the lobby's list; and in which of them it is their turn. */

import { get } from "../../server/rest.js";

/** @import { ServerState } from "../server-state.js" */
/** @import { Ui } from "../ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Summary } from "../../types.js" */
/** @typedef {{accounts: Accounts, redraw: () => void, server: ServerState, ui: Ui}} Needs What it uses of the page. */

const FRESH_MS = 15_000;
/** Elsewhere than in the lobby, or where nobody looks. */
const RARE_MS = 60_000;
/** Asked for at most; the one in use first. */
const ACCOUNTS = 6;
const ROWS = 50;

export class MyMatches {
  /** @param {Needs} app */
  constructor(app) {
    this.app = app;
    /** @type {Summary[]} */
    this.rows = [];
    this.at = 0;
    this.of = "";
    /** Whether it was answered once, if only with an error: before that the lobby isn't drawn, so that nothing on it moves. */
    this.isAnswered = false;
  }

  /** Requested again from time to time: the socket reports only the listed matches. @param {boolean} [looksAt] whether the player looks at them */
  refresh(looksAt = true) {
    const { app } = this;
    const own = new Set([app.accounts.me, ...app.accounts.list.map(({ address }) => address)]);
    const of = [...own].slice(0, ACCOUNTS);
    const who = `${app.server.identity} ${of} ${app.ui.filters.mine}`;
    const fresh = this.of === who && Date.now() - this.at < (looksAt ? FRESH_MS : RARE_MS);
    if (app.server.line !== "live" || fresh) return;
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
    const answers = await Promise.all(requests).catch(() => null); // what is known stays, and is asked for again
    this.isAnswered = true;
    if (answers && this.of === who) this.rows = answers.flatMap(({ matches }) => matches);
    this.app.redraw();
  }

  /** With the lobby's own, each match once, as the later telling has it. @param {Summary[]} lobby @returns {Summary[]} */
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

/** 0: an account of this page is to move, or is invited; 1: one of them takes part; 2: none does. @param {{accounts: Accounts}} app @param {Summary} match */
export function closeness(app, { status, mover, opponent, players }) {
  const invited =
    status === "open" && Boolean(opponent && app.accounts.find(opponent)) && !players.includes(String(opponent));
  if (invited || (status === "playing" && mover && app.accounts.find(mover))) return 0;
  return players.some((address) => app.accounts.find(address)) ? 1 : 2;
}
