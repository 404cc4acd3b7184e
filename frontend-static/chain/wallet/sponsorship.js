/**
 * Requests ether from the server's sponsor, if there is one. An account that lacks ether receives
 * enough for its next moves.
 */

import { decimal } from "../../i18n/quantities.js";
import { inEther } from "../../lib/ethereum/ether.js";
import { sleep } from "../../lib/retry.js";
import { Problem, post } from "../../server/rest.js";

/** @import { GameInfo, Health, I18nText } from "../../types.js" */
/** @typedef {{me: string, health: Health|null, balances: Map<string, bigint>, filling: Map<string, Promise<void>>, redraw: () => void, balanceOf: (address: string) => Promise<bigint>}} Payers The page's accounts. Balances are in wei. */

/**
 * The time limit for an answer. It is longer than the server's own time limit, which includes
 * waiting for the node.
 */
const ANSWER_MS = 40_000;
/**
 * The pauses before an account can ask again, in milliseconds. They apply after an answer, after a
 * rejection, and after a request without an answer.
 */
const [ANSWERED_MS, REJECTED_MS, UNANSWERED_MS] = [30_000, 300_000, 5_000];
const ARRIVAL_MS = 500;
const ARRIVALS = 120;
/**
 * The action that exists only in matches with a stake. Its gas doesn't count in the balance that an
 * account needs.
 */
const OF_STAKES = "withdraw";

export class Sponsorship {
  /** @param {Payers} accounts */
  constructor(accounts) {
    this.accounts = accounts;
    /** The messages about the ether that each account received. @type {Map<string, I18nText>} */
    this.notes = new Map();
    /** The reason why an account received no ether, by account. @type {Map<string, I18nText>} */
    this.rejections = new Map();
    /** The earliest time of the next request, by account and game. @type {Map<string, number>} */
    this.due = new Map();
  }

  /** Drop everything that is known about the previous chain. */
  forget() {
    for (const cache of [this.notes, this.rejections, this.due]) cache.clear();
  }

  /** Return true if there is a sponsor that has not rejected the account's last request. @param {string} address */
  isOpen(address) {
    const { health } = this.accounts;
    return Boolean(health?.sponsor && !health.development) && !this.rejections.has(address);
  }

  /**
   * Return true if the account's moves cost the player nothing, or if the chain is not known yet.
   * @param {string} address
   */
  isFree(address) {
    const { health } = this.accounts;
    return !health || health.development || this.isOpen(address);
  }

  /** Request ether for the account in use, unless it can pay for the game's most expensive action. @param {GameInfo} game @param {bigint} fee the current maximum fee per gas, in wei */
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

  /** @param {string} address @param {Pick<GameInfo, "slug"|"title">} game @param {bigint} before the account's balance before the request @returns {Promise<number>} milliseconds until the account may ask again */
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

  /** Wait until the account's balance has risen, for a minute at most. @param {string} address @param {bigint} before */
  async untilAbove(address, before) {
    for (let tries = 0; tries < ARRIVALS; tries++) {
      if ((await this.accounts.balanceOf(address).catch(() => before)) > before) return;
      await sleep(ARRIVAL_MS);
    }
  }
}
