/**
 * Loads the boards on the lobby's cards. Boards that are too large for the lobby's message are
 * fetched separately and then followed.
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
    /** @type {string[]} the matches whose boards are shown */
    this.visible = [];
    /** @type {Set<string>} */
    this.loading = new Set();
    /** @type {"early"|"waiting"|"idle"} The state is `idle` once the page has been idle. Slow drawings wait for that. */
    this.state = "early";
  }

  /**
   * Begin to wait until the page is idle. Don't begin while a new account is being funded, because
   * its buttons should work before slow drawings start.
   */
  awaitIdle() {
    if (this.state !== "early" || this.app.actions.whyCantSend()?.key === "why.filling") return;
    this.state = "waiting";
    whenIdle(() => {
      this.state = "idle";
      this.app.redraw();
    });
  }

  /** Set which boards are shown, and load those that are missing. @param {string[]} matches */
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
