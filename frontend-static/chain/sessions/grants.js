/**
 * Lists the session keys of the account in use. The page reads the keys from the events of the
 * session registry, and confirms them with contract calls.
 */

import { accountOf, grantEventsOf, registryOf } from "./registry.js";
import { NodeUnavailable, RpcError } from "../../server/jsonrpc.js";

/** @import { GrantEvent, Session, SessionsHost } from "./registry.js" */
/** @typedef {{key: string, games: string[], until: number, state: "live"|"expired"|"revoked"|"pending", session?: Session}} Grant A grant, with which an account permits a session key to act for it. `pending`: the grant isn't on the chain yet. `session`: set if the key is stored in this browser. */

/**
 * The number of the newest blocks whose events the page reads again at each refresh, because a
 * reorg can still replace these blocks.
 */
const UNSURE = 128;

export class Grants {
  /** @param {SessionsHost} app @param {{list: Session[], write: (session: Session) => Promise<void>}} sessions */
  constructor(app, sessions) {
    this.app = app;
    this.sessions = sessions;
    this.registry = "";
    this.account = "";
    /** @type {GrantEvent[]} the events up to block `known`; no reorg is expected to replace these events */
    this.events = [];
    this.known = -1;
    /** @type {Grant[]|null} the grants, the newest first, or null before the first refresh */
    this.list = null;
    this.loadedAt = -1;
    this.reads = 0;
  }

  /** Refresh the grants if the account in use has changed or there is a new block. */
  refreshOnNewHead() {
    const height = this.app.server.head?.height ?? 0;
    if (this.account === this.app.accounts.me && this.loadedAt === height) return;
    this.loadedAt = height;
    void this.refresh();
  }

  /** Read the grants from the chain. If the node is unavailable, retry at the next block. */
  async refresh() {
    const [account, turn] = [this.app.accounts.me, ++this.reads];
    if (account !== this.account) Object.assign(this, { account, events: [], known: -1, list: null });
    try {
      const found = await this.read(account);
      if (account !== this.account || turn !== this.reads) return; // the account has changed, or a newer refresh has started
      this.list = found;
      for (const { session, state } of found)
        if (session && session.linked !== (state === "live"))
          await this.sessions.write(Object.assign(session, { linked: state === "live" }));
    } catch (error) {
      if (!(error instanceof NodeUnavailable || error instanceof RpcError)) throw error;
    }
    this.app.redraw();
  }

  /** @param {string} account @returns {Promise<Grant[]>} */
  async read(account) {
    const [first, newest] = this.range();
    if (!newest) return [];
    this.registry ||= await registryOf(newest);
    const head = this.app.server.head?.height ?? 0;
    const { events: before, known } = this; // a refresh that runs at the same time can change these fields
    const events = [...before, ...(await grantEventsOf(this.registry, account, Math.max(first, known + 1), head))];
    this.events = events.filter(({ block }) => block <= head - UNSURE);
    this.known = Math.max(known, head - UNSURE);
    const pending = this.sessions.list.filter(
      (one) => one.account === account && !events.some(({ key }) => key === one.key),
    );
    const linked = await Promise.all(latest(events).map((event) => this.grantOf(account, event)));
    return [...pending.map((session) => this.pendingGrant(session)), ...linked];
  }

  /**
   * Return the number of the first block that can contain a grant, and the address of the newest
   * game contract. That contract returns the registry's address. @returns {[number, string|undefined]}
   */
  range() {
    const all = [...this.app.server.games.values()].flatMap(({ deployments }) => deployments);
    return [Math.min(...all.map(({ firstBlock }) => firstBlock)), all.at(-1)?.address];
  }

  /** @param {Session} session @returns {Grant} */
  pendingGrant(session) {
    const { key, games, until } = session;
    return { key, games, until, session, state: until > this.app.server.now() ? "pending" : "expired" };
  }

  /**
   * Return the current grant of a key. Ask the registry for the grant's state, because the events
   * can be outdated or come from a node that lags behind. @param {string} account @param {GrantEvent} step @returns {Promise<Grant>}
   */
  async grantOf(account, { key, games, until }) {
    const session = this.sessions.list.find((one) => one.key === key);
    const answers = await Promise.all(games.map((game) => accountOf(this.registry, key, game)));
    const expired = until <= this.app.server.now() || answers.includes("Expired");
    const live = answers.length > 0 && answers.every((answer) => answer === account);
    const state = live && !expired ? "live" : answers.includes("NotLinked") || !expired ? "revoked" : "expired";
    return { key, games, until, session, state };
  }
}

/** Return the last `Linked` event of each key, the newest event first. @param {GrantEvent[]} events */
function latest(events) {
  const newestFirst = events.filter(({ name }) => name === "Linked").reverse();
  return newestFirst.filter(({ key }, i) => newestFirst.findIndex((one) => one.key === key) === i);
}
