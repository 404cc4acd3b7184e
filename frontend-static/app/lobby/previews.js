/**
 * Loads the boards for the lobby's cards. If a board is too large for the lobby's message, the page
 * fetches the board separately and then follows its match.
 */

import { fromReset } from "../../lib/board.js";
import { sleep, whenIdle } from "../../lib/retry.js";
import { get } from "../../server/rest.js";

/** @import { Actions } from "../actions.js" */
/** @import { ServerState } from "../server-state.js" */

const RETRY_MS = 2000;

export class LobbyPreviews {
  /** @param {{actions: Actions, redraw: () => void, server: ServerState}} app */
  constructor(app) {
    this.app = app;
    /** @type {string[]} the matches whose boards the lobby shows */
    this.visible = [];
    /** @type {Set<string>} */
    this.loading = new Set();
    /** @type {"early"|"waiting"|"idle"} The state becomes `idle` once the browser has been idle. The page draws slow pictures only after that. */
    this.state = "early";
  }

  /**
   * Wait until the browser is idle before drawing slow pictures. While a new account is being
   * funded, don't begin to wait, because the account's buttons should work first.
   */
  awaitIdle() {
    if (this.state !== "early" || this.app.actions.whyCantSend()?.key === "why.filling") return;
    this.state = "waiting";
    whenIdle(() => {
      this.state = "idle";
      this.app.redraw();
    });
  }

  /** Set the matches whose boards the lobby shows, and load the boards that are missing. @param {string[]} matches */
  show(matches) {
    this.visible = matches;
    for (const match of matches)
      if (!this.app.server.socket.entries.has(match) && !this.loading.has(match)) void this.fetchBoard(match);
  }

  /** @param {string} match */
  async fetchBoard(match) {
    this.loading.add(match);
    const found = await get(`/matches/${match}`).catch(() => null);
    if (!found) await sleep(RETRY_MS);
    this.loading.delete(match);
    if (!found) this.app.redraw();
    else if (this.visible.includes(match))
      this.app.server.socket.adopt(match, { ...found, t: "reset", why: "watch" }, fromReset(found));
  }
}
