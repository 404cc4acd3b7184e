/**
 * Finds out why a contract would reject the actions that the page offers. If a game's renderer has
 * no checks of its own, the page simulates the game's actions. Views show the results.
 */

import { CLAIM } from "../games/shared/duel.js";
import { prepare, whyChecked } from "./submit.js";

/** @import { ChainClient } from "../chain/tx/chain-client.js" */
/** @import { Uses as Preparing, Prepared } from "./submit.js" */
/** @import { Action, GameInfo, I18nText, Json, Reason, Tx, TxState } from "../types.js" */
/** @typedef {Preparing & {chainClient: ChainClient, redraw: () => void}} Uses */

/**
 * The time after which a rejected action is simulated again. The result can change even if the
 * board stays the same, because it can depend on the time or on other matches.
 */
const RECHECK_MS = 4000;
/**
 * The maximum time for which a click waits for the simulation. After this time, the page sends the
 * move anyway, and the transaction manager simulates the move again.
 */
const PRESS_TIMEOUT_MS = 1000;
/** @type {{state: TxState, chain: string, tab: string, hashes: string[]}} */
const UNSENT = { state: "waiting", chain: "", tab: "", hashes: [] };

export class Rejections {
  /** @param {Uses} app */
  constructor(app) {
    this.app = app;
    /**
     * The results of the simulations, for the actions on display. The key contains the transaction
     * and the board's event number. `why`: the reason for a rejection, or null. @type {Map<string, {why: I18nText|null, at: number}>}
     */
    this.known = new Map();
    /** The actions on display. Simulation results for other actions are discarded. @type {Map<string, Prepared>} */
    this.displayed = new Map();
    this.isSimulating = false;
    /**
     * After a failed request, the time of the next request, in milliseconds since 1970; initially
     * 0.
     */
    this.backoffUntil = 0;
    /** The clicked moves that are still being simulated. The key contains the match and account. @type {Map<string, Tx>} */
    this.pressed = new Map();
  }

  /**
   * Return true if the page simulates this action. The page never sends secrets to the node, so it
   * doesn't simulate actions with secret arguments. It doesn't simulate actions that open a match
   * either, because there is no board yet. @param {string} match @param {Action} action
   */
  isSimulated(match, action) {
    const slug = match.split("/")[0];
    const [game, renderer] = [this.app.server.games.get(slug), this.app.server.renderers.get(slug)];
    if (!game || !renderer || renderer.why || action.secret || action.name === CLAIM) return false;
    return !action.opens;
  }

  /** Return the reason why the contract would reject an action, or null if none is known. @param {Action} action @param {string} match @param {Json} values @param {string} account @returns {I18nText|null} */
  of(action, match, values, account) {
    if (!this.known.size || !this.isSimulated(match, action)) return null;
    const prepared = this.prepared(action, match, values, account);
    return (prepared && this.known.get(this.keyOf(prepared))?.why) ?? null;
  }

  /**
   * Return the transaction to simulate. Return null if arguments are missing, or if the action
   * needs a token approval first.
   * @param {Action} action @param {string} match @param {Json} values @param {string} account
   */
  prepared(action, match, values, account) {
    try {
      const prepared = prepare(this.app, match.split("/")[0], action, match, values, account);
      return prepared.token && prepared.amount ? null : prepared;
    } catch {
      return null; // some arguments are known only after a click on the board
    }
  }

  /** @param {Prepared} prepared */
  keyOf({ request: { account, match, to, data, value } }) {
    return [match, this.app.server.socket.entries.get(match)?.seq, account, to, data, value].join();
  }

  /** Simulate all actions on display that have no result or only an old result, in one request. @param {string} match the match on display, or "" if there is none */
  refresh(match) {
    this.displayed = new Map(this.offered(match).map((prepared) => [this.keyOf(prepared), prepared]));
    for (const key of this.known.keys()) if (!this.displayed.has(key)) this.known.delete(key);
    const due = [...this.displayed].filter(([key]) => this.isDue(this.known.get(key)));
    if (due.length && !this.isSimulating && Date.now() >= this.backoffUntil) void this.simulate(new Map(due));
  }

  /** @param {{why: I18nText|null, at: number}|undefined} known */
  isDue(known) {
    return !known || (known.why !== null && Date.now() - known.at >= RECHECK_MS);
  }

  /** @param {string} match @returns {Prepared[]} */
  offered(match) {
    const { app } = this;
    const slug = match.split("/")[0];
    const renderer = app.server.renderers.get(slug);
    if (!match || !renderer || renderer.why || !app.server.board(match) || app.server.connection !== "live") return [];
    const context = app.live.renderContext(match);
    const { actions } = /** @type {GameInfo} */ (app.server.games.get(slug));
    return actions
      .filter((action) => this.isSimulated(match, action) && renderer.isOffered(context, action))
      .filter((action) => !whyChecked(app, slug, action, match, {}, app.accounts.me))
      .flatMap((action) => this.prepared(action, match, {}, app.accounts.me) ?? []);
  }

  /** @param {Map<string, Prepared>} due */
  async simulate(due) {
    this.isSimulating = true;
    const reasons = await this.simulateAll([...due.values()]);
    this.isSimulating = false;
    const at = Date.now();
    if (!reasons) {
      this.known.clear();
      this.backoffUntil = at + RECHECK_MS;
    }
    [...due.keys()].forEach((key, i) => {
      if (reasons && this.displayed.has(key)) this.known.set(key, { why: reasons[i]?.sentence ?? null, at });
    });
    this.app.redraw();
  }

  /** Ask the node why it would reject these transactions. Return null if the node doesn't answer. @param {Prepared[]} all @returns {Promise<(Reason|null)[]|null>} */
  simulateAll(all) {
    return this.app.chainClient.rejectionsOf(all.map(({ request }) => request)).catch(() => null);
  }

  /**
   * Ask the node why the contract would reject a move on which the player has clicked. Return null
   * if the contract would accept the move, or if the node is too slow. @param {Prepared} prepared @returns {Promise<I18nText|null>}
   */
  async checkPress(prepared) {
    const key = pressOf(prepared.request.match, prepared.request.seat ?? prepared.request.account);
    this.pressed.set(key, { ...prepared.request, ...UNSENT, id: `pressed ${key}`, at: Date.now() });
    this.app.redraw();
    const late = new Promise((done) => setTimeout(done, PRESS_TIMEOUT_MS, null));
    const reasons = await Promise.race([this.simulateAll([prepared]), late]);
    this.pressed.delete(key);
    return reasons?.[0]?.sentence ?? null;
  }

  /**
   * Return the reason why a click is rejected while the move of an earlier click is being
   * simulated. Return null if there is no earlier click. @param {string} match @param {string} account @returns {I18nText|null}
   */
  whyPendingPress(match, account) {
    return this.pressed.has(pressOf(match, account)) ? { key: "why.on-its-way" } : null;
  }

  /** Return a match's moves that are being simulated. Each is an unsent transaction. @param {string} match @returns {Tx[]} */
  pressedIn(match) {
    return [...this.pressed.values()].filter((tx) => tx.match === match);
  }

  /** Forget all results. Called when the chain changes. */
  reset() {
    this.known.clear();
    this.displayed.clear();
    this.backoffUntil = 0;
  }
}

/** @param {string} match @param {string} account the player's account */
const pressOf = (match, account) => `${match} ${account}`;
