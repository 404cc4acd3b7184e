/** Session keys: made here, linked to an account by one signature, then playing for it without a question per move. */

import { randomHex } from "../../lib/ethereum/bytes.js";
import { Grants } from "./grants.js";
import { getAll, put, remove } from "../../lib/indexeddb.js";
import { addressOf } from "../wallet/signer.js";
import { WalletRefusal, reasonOf } from "../wallet/eip1193.js";
import { MAX_GAMES, linkData, nonceOf, registryOf, revokeData } from "./registry.js";
import { signTerms } from "./sign-terms.js";
import { Problem, post } from "../../server/rest.js";

/** @import { Session, SessionsHost } from "./registry.js" */
/** @import { Account, Health, Reason } from "../../types.js" */

/** The name of its transactions in the journal, which is no game's. */
export const SLUG = "sessions";
/** Seconds for which a signature is valid. */
const HAND_IN = 3600;
/** A move must be in a block before the key's time is over. */
const LATE = 30;
const LINK_GAS = 700_000n;
const REVOKE_GAS = 120_000n;
const TRANSFER_GAS = 30_000n;
/** Gas that a session key is given for: some dozens of moves. */
const GIVEN_GAS = 6_000_000n;
/** Gas of about the most expensive move. */
const ENOUGH_GAS = 1_200_000n;

export class Sessions {
  /** @param {SessionsHost} app */
  constructor(app) {
    this.app = app;
    /** In how many contracts a key may act. */
    this.maxGames = MAX_GAMES;
    /** @type {Session[]} those of this browser, on this chain */
    this.list = [];
    this.grants = new Grants(app, this);
    /** @type {string} the step that is under way, as a text's key */
    this.doing = "";
    /** @type {Reason|null} */
    this.trouble = null;
    /** The form: for which account it is open, games that are not meant, how long, and the ether for its gas as it is typed. */
    this.draft = {
      open: "",
      without: /** @type {Set<string>} */ (new Set()),
      seconds: 86_400,
      gas: /** @type {string|undefined} */ (undefined),
    };
  }

  /** Another chain knows none of them. */
  forget() {
    Object.assign(this, { list: [], grants: new Grants(this.app, this), doing: "", trouble: null });
  }

  /** What this browser keeps for the chain that answers now. What is not true any more is seen soon. @param {string} chain its identity */
  async recall(chain) {
    await this.read(chain);
    if (this.list.length) void this.grants.refresh();
  }

  /** By whichever tab. @param {string} chain its identity */
  async read(chain) {
    const all = /** @type {Session[]} */ (await getAll("sessions").catch(() => []));
    for (const one of all.filter((found) => found.chain === chain)) {
      const known = this.list.find(({ key }) => key === one.key);
      if (!known) this.list.push(one);
      else if (one.deadline >= known.deadline) Object.assign(known, one); // or it is older than what is being made here
      if (one.until > this.app.server.now()) void this.app.accounts.balanceOf(one.key).catch(() => undefined);
    }
  }

  /** On the disk, and known to the other tabs. @param {Session} session */
  async write(session) {
    await put("sessions", session).catch(() => {
      this.app.accounts.keys.isPersistent = false;
    });
    this.app.accounts.keys.announce();
  }

  /** A session key as who signs. @param {string} key its address @returns {Account|undefined} */
  signer(key) {
    const found = this.list.find((one) => one.key === key);
    return found && { address: key, kind: "session", name: "", key: found.secret };
  }

  /** The key that acts for an account in a game's contract now, and can pay so much gas. @param {string} account @param {string} contract @param {bigint} [gas] */
  keyFor(account, contract, gas = 0n) {
    return this.list.find(
      (one) =>
        one.account === account &&
        one.linked &&
        one.games.includes(contract) &&
        one.until > this.app.server.now() + LATE &&
        (this.app.accounts.balances.get(one.key) ?? 0n) > gas * this.app.server.fee,
    );
  }

  /** What a new key is given for its gas, in wei. */
  gasBudget() {
    return GIVEN_GAS * this.app.server.fee;
  }

  /** The contracts of these games, as far as one registry serves them: the one that the newest asks. @param {string[]} slugs */
  async contractsOf(slugs) {
    const all = slugs.flatMap(
      (slug) => this.app.server.games.get(slug)?.deployments.map(({ address }) => address) ?? [],
    );
    const registries = await Promise.all(all.map(registryOf));
    const at = registries[registries.length - 1];
    return { at, games: all.filter((_, i) => registries[i] === at) };
  }

  /**
   * Lets a new key act for the account that is used. The key is on the disk before anything is asked; what fails on the way
   * is told, and can be carried on.
   * @param {string[]} slugs @param {number} seconds @param {bigint} amount in wei, from the account, for the key's gas
   */
  async create(slugs, seconds, amount) {
    await this.exclusively(async () => {
      const { at, games } = await this.contractsOf(slugs);
      const secret = randomHex(32);
      const until = this.app.server.now() + seconds;
      /** @type {Session} */
      const session = {
        key: addressOf(secret),
        secret,
        chain: this.app.server.identity,
        registry: at,
        account: this.app.accounts.me,
        games,
        until,
        deadline: 0,
        linked: false,
      };
      this.list.push(session);
      await this.write(session);
      await this.complete(session, amount);
    });
  }

  /** Resumes a creation from its last completed step. @param {Session} session @param {bigint} amount */
  resume(session, amount) {
    return this.exclusively(() => this.complete(session, amount));
  }

  /** @param {Session} session @param {bigint} amount */
  async complete(session, amount) {
    if (!session.signature || session.deadline <= this.app.server.now() + LATE) await this.sign(session);
    if ((await this.app.accounts.balanceOf(session.key)) < LINK_GAS * this.app.server.fee)
      await this.fundKey(session, amount);
    const data = linkData(session, String(session.signature));
    await this.transact("account.session-linking", session.key, session, {
      action: "link",
      to: session.registry,
      data,
      gasCap: LINK_GAS,
    });
  }

  /** The one question: the account's signature. @param {Session} session */
  async sign(session) {
    const { app } = this;
    const health = /** @type {Health} */ (app.server.health);
    const account = /** @type {Account} */ (app.accounts.find(session.account));
    this.setDoing("account.session-signing");
    const deadline = app.server.now() + HAND_IN;
    const { account: owner, key, games, until } = session;
    const terms = { account: owner, key, games, until, deadline, nonce: await nonceOf(session.registry, owner) };
    const signature = await signTerms(account, health, session.registry, terms);
    await this.write(Object.assign(session, { deadline, signature }));
  }

  /** The key's gas: play money from the faucet of a development chain, else one transfer by the account. @param {Session} session @param {bigint} amount */
  async fundKey(session, amount) {
    const { app } = this;
    if (app.server.health?.development) {
      this.setDoing("account.session-paying");
      await post("/faucet", { address: session.key });
      await app.accounts.untilFunded(session.key);
    } else
      await this.transact("account.session-paying", session.account, session, {
        action: "fund",
        to: session.key,
        value: amount,
      });
    await app.accounts.balanceOf(session.key);
  }

  /** A key that has too little left for a move gets ether again. @param {Session} session @param {bigint} amount */
  topUp(session, amount) {
    return this.exclusively(() => this.fundKey(session, amount));
  }

  /** Whether the account signs again itself, as the key could not pay. @param {Session} session */
  isPoor({ key }) {
    return (this.app.accounts.balances.get(key) ?? 0n) < ENOUGH_GAS * this.app.server.fee;
  }

  /** Takes a key's leave to act back: the account says so on the chain. @param {string} key */
  async revoke(key) {
    const account = this.app.accounts.me;
    const order = { action: "revoke", to: this.grants.registry, data: revokeData(key), gasCap: REVOKE_GAS };
    await this.exclusively(() => this.transact("account.session-revoking", account, { account }, order));
  }

  /** A key that was never linked, and has nothing. @param {Session} session */
  async discard({ key }) {
    await this.exclusively(async () => {
      if ((await this.app.accounts.balanceOf(key)) > 0n) return;
      await remove("sessions", key).catch(() => undefined);
      this.list = this.list.filter((one) => one.key !== key);
    });
  }

  /** Sends what a key of ours has left to its account. @param {Session} session */
  async withdraw(session) {
    await this.exclusively(async () => {
      const remaining = (await this.app.accounts.balanceOf(session.key)) - TRANSFER_GAS * 2n * this.app.server.fee;
      if (remaining <= 0n) return;
      const order = { action: "return", to: session.account, value: remaining };
      await this.transact("account.session-returning", session.key, session, order);
    });
  }

  /**
   * Sends a transaction, a plain transfer unless it has data, and waits for its end; how it ended badly is thrown.
   * @param {string} doing a text of what is under way @param {string} from @param {{account: string}} seat for whom
   * @param {{action: string, to: string, data?: string, value?: bigint, gasCap?: bigint}} order
   */
  async transact(doing, from, { account: seat }, { data = "0x", value = 0n, gasCap = TRANSFER_GAS, ...order }) {
    this.setDoing(doing);
    const { transactions } = this.app;
    const seated = from === seat ? {} : { seat };
    const tx = transactions.submit({ account: from, ...seated, match: "", game: SLUG, data, value, gasCap, ...order });
    await transactions.untilDone(tx);
    if (!["mined", "final"].includes(tx.state))
      throw Object.assign(new WalletRefusal({ key: `tx.${tx.state}` }), tx.reason && { reason: tx.reason });
  }

  /** @param {string} key of a text */
  setDoing(key) {
    this.doing = key;
    this.app.redraw();
  }

  /** Runs one action at a time; an error is shown. @param {() => Promise<void>} work */
  async exclusively(work) {
    if (this.doing) return;
    this.setDoing("account.session-asking");
    this.trouble = null;
    try {
      await work();
    } catch (error) {
      this.trouble = error instanceof Problem ? { sentence: error.text, small: "" } : reasonOf(error);
    }
    await this.grants.refresh();
    this.setDoing("");
  }
}
