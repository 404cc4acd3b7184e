/**
 * Asks the server's sponsor for ether, if the server has a sponsor. An account that lacks ether
 * receives enough for its next moves.
 */

import { decimal } from "../../i18n/quantities.js";
import { inEther } from "../../lib/ethereum/ether.js";
import { sleep } from "../../lib/retry.js";
import { Problem, post } from "../../server/rest.js";

/** @import { GameInfo, Health, I18nText } from "../../types.js" */
/** @typedef {{me: string, health: Health|null, balances: Map<string, bigint>, filling: Map<string, Promise<void>>, redraw: () => void, balanceOf: (address: string) => Promise<bigint>}} Payers The parts of the page's accounts that the sponsorship needs. Balances are in wei. */

/**
 * The time limit for the sponsor's answer. The server's own time limit, which includes waiting for
 * the node, is shorter.
 */
const ANSWER_MS = 40_000;
/**
 * The pauses before the page can send another request for the same account to the sponsor, in
 * milliseconds. The three pauses follow an answer, a rejection, and a request without an answer.
 */
const [ANSWERED_MS, REJECTED_MS, UNANSWERED_MS] = [30_000, 300_000, 5_000];
const ARRIVAL_MS = 500;
const ARRIVALS = 120;
/**
 * The action that exists only in matches with a stake. The sponsor doesn't pay for this action, so
 * the page leaves it out when it compares an account's balance with the costs.
 */
const OF_STAKES = "withdraw";

export class Sponsorship {
  /** @param {Payers} accounts */
  constructor(accounts) {
    this.accounts = accounts;
    /** For each account, the message about the ether that the sponsor has sent. @type {Map<string, I18nText>} */
    this.notes = new Map();
    /** For each account, the reason why the sponsor has sent no ether. @type {Map<string, I18nText>} */
    this.rejections = new Map();
    /** For each account and game, the time before which the page doesn't ask again. @type {Map<string, number>} */
    this.due = new Map();
  }

  /** Forget the sponsor's answers on the previous chain. Called when the chain changes. */
  forget() {
    for (const cache of [this.notes, this.rejections, this.due]) cache.clear();
  }

  /**
   * Return true if the server has a sponsor, and the sponsor hasn't rejected the account's last
   * request. @param {string} address
   */
  isOpen(address) {
    const { health } = this.accounts;
    return Boolean(health?.sponsor && !health.development) && !this.rejections.has(address);
  }

  /** Return true if the account's moves cost the player nothing, or if the chain isn't known yet. @param {string} address */
  isFree(address) {
    const { health } = this.accounts;
    return !health || health.development || this.isOpen(address);
  }

  /**
   * Ask the sponsor for ether for the account in use. Do nothing if the account can pay for any of
   * the game's actions. @param {GameInfo} game @param {bigint} fee the current maximum fee per gas, in wei
   */
  request(game, fee) {
    const { accounts } = this;
    const { me, health } = accounts;
    const balance = accounts.balances.get(me);
    if (!health?.sponsor || health.development || balance === undefined || accounts.filling.has(me)) return;
    const gas = Math.max(...game.actions.filter(({ name }) => name !== OF_STAKES).map((action) => action.gas.base));
    const key = `${me} ${game.slug}`;
    if (balance >= BigInt(gas) * fee || !fee || Date.now() < (this.due.get(key) ?? 0)) return;
    this.due.set(key, Infinity);
    accounts.filling.set(
      me,
      this.requestGrant(me, game, balance).then((pause) => {
        this.due.set(key, Date.now() + pause);
        accounts.filling.delete(me);
        accounts.redraw();
      }),
    );
  }

  /** @param {string} address @param {Pick<GameInfo, "slug"|"title">} game @param {bigint} before the account's balance before the request, in wei @returns {Promise<number>} the pause before the page can ask again, in milliseconds */
  async requestGrant(address, { slug, title }, before) {
    try {
      const { sent, moves } = await post("/sponsor", { address, game: slug }, ANSWER_MS);
      this.rejections.delete(address);
      if (sent === "0") return ANSWERED_MS;
      await this.untilAbove(address, before);
      const args = { ether: decimal(inEther(BigInt(sent), true)), n: moves, game: title };
      this.notes.set(address, { key: "account.sponsored", args });
      return ANSWERED_MS;
    } catch (error) {
      if (error instanceof Problem) this.rejections.set(address, error.text);
      return error instanceof Problem && error.status < 500 ? REJECTED_MS : UNANSWERED_MS;
    }
  }

  /** Wait until an account's balance is higher than before, but for a minute at most. @param {string} address @param {bigint} before */
  async untilAbove(address, before) {
    for (let tries = 0; tries < ARRIVALS; tries++) {
      if ((await this.accounts.balanceOf(address).catch(() => before)) > before) return;
      await sleep(ARRIVAL_MS);
    }
  }
}
