/** The matches of this page's own accounts, and to which they are invited, also those that are not on the lobby's list; and in which of them it is their turn. */

import { get } from "../../server/rest.js";

/** @import { App } from "../app.js" */
/** @import { Summary } from "../../types.js" */
/** @typedef {Pick<App, "accounts"|"redraw"|"server">} Needs What it uses of the page. */

const FRESH_MS = 15_000;
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
  }

  /** Requested again from time to time while the lobby is visible: the socket reports only the listed matches. */
  refresh() {
    const { app } = this;
    const of = [
      app.accounts.me,
      ...app.accounts.list.map(({ address }) => address).filter((one) => one !== app.accounts.me),
    ].slice(0, ACCOUNTS);
    const who = `${app.server.identity} ${of}`;
    if (app.server.line !== "live" || document.hidden || (this.of === who && Date.now() - this.at < FRESH_MS)) return;
    Object.assign(this, { at: Date.now(), of: who });
    void this.fetch(of, who);
  }

  /** @param {string[]} of @param {string} who */
  async fetch(of, who) {
    const kinds = (/** @type {string} */ who) => [
      { player: who, status: "playing" },
      { player: who, status: "open" },
      { opponent: who, status: "open" },
    ];
    const requests = of.flatMap(kinds).map((query) => get("/matches", { ...query, limit: ROWS }));
    const answers = await Promise.all(requests).catch(() => null); // what is known stays, and is asked for again
    if (!answers || this.of !== who) return;
    this.rows = answers.flatMap(({ matches }) => matches);
    this.app.redraw();
  }

  /** With the lobby's own, each match once, as the later telling has it. @param {Summary[]} lobby @returns {Summary[]} */
  mergedWith(lobby) {
    const known = new Map(lobby.map((row) => [row.match, row]));
    for (const row of this.rows) {
      const listed = known.get(row.match);
      if (!listed || listed.seq <= row.seq) known.set(row.match, row);
      else if (listed.morePlayers) known.set(row.match, { ...listed, players: row.players });
    }
    return [...known.values()];
  }
}

/** 0: an account of this page is to move, or is invited; 1: one of them takes part; 2: none does. @param {Needs} app @param {Summary} match */
export function closeness(app, { status, mover, opponent, players }) {
  const invited =
    status === "open" && Boolean(opponent && app.accounts.find(opponent)) && !players.includes(String(opponent));
  if (invited || (status === "playing" && mover && app.accounts.find(mover))) return 0;
  return players.some((address) => app.accounts.find(address)) ? 1 : 2;
}
