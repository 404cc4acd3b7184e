/**
 * Manages session keys, which sign moves so that no wallet must ask its user. The page creates a
 * session key in this browser, and an account authorises the key with a signature.
 */

import { randomHex } from "../../lib/ethereum/bytes.js";
import { Grants } from "./grants.js";
import { getAll, put, remove } from "../../lib/indexeddb.js";
import { addressOf } from "../wallet/signer.js";
import { WalletRejection, reasonOf } from "../wallet/eip1193.js";
import { MAX_GAMES, linkData, nonceOf, registryOf, revokeData } from "./registry.js";
import { signTerms } from "./sign-terms.js";
import { Problem, post } from "../../server/rest.js";

/** @import { Session, SessionsHost } from "./registry.js" */
/** @import { Account, Health, Reason } from "../../types.js" */

/** The slug with which the journal stores transactions of session keys. No game has this slug. */
export const SLUG = "sessions";
/** The time for which the registry accepts an account's signature, in seconds. */
const SIGNATURE_SECONDS = 3600;
/**
 * The page stops using a key this many seconds before the key expires. Otherwise, a move could be
 * mined too late.
 */
const EXPIRY_MARGIN = 30;
const LINK_GAS = 700_000n;
const REVOKE_GAS = 120_000n;
const TRANSFER_GAS = 30_000n;
/** The gas that a new session key can pay for. It is enough for a few dozen moves. */
const FUNDED_GAS = 6_000_000n;
/** The approximate amount of gas that the most expensive move needs. */
const MAX_MOVE_GAS = 1_200_000n;

export class Sessions {
  /** @param {SessionsHost} app */
  constructor(app) {
    this.app = app;
    /** The maximum number of game contracts in which a session key can act. */
    this.maxGames = MAX_GAMES;
    /** @type {Session[]} the session keys that are stored in this browser for the current chain */
    this.list = [];
    this.grants = new Grants(app, this);
    /** @type {string} the message key of the text about the current task, or "" if no task is running */
    this.doing = "";
    /** @type {Reason|null} */
    this.trouble = null;
    /**
     * The state of the form for a new session key. `open`: the account. `without`: the games that
     * are left out. `seconds`: the time until the key expires. `gas`: the typed amount of ether.
     */
    this.draft = {
      open: "",
      without: /** @type {Set<string>} */ (new Set()),
      seconds: 86_400,
      gas: /** @type {string|undefined} */ (undefined),
    };
  }

  /** Forget the session keys of the previous chain. Called when the chain changes. */
  forget() {
    Object.assign(this, { list: [], grants: new Grants(this.app, this), doing: "", trouble: null });
  }

  /** Load the current chain's stored session keys. If there are any, refresh their state. @param {string} chain the chain's identity */
  async restore(chain) {
    await this.read(chain);
    if (this.list.length) void this.grants.refresh();
  }

  /** Read the stored session keys of a chain again, because other tabs can have changed them. @param {string} chain the chain's identity */
  async read(chain) {
    const all = /** @type {Session[]} */ (await getAll("sessions").catch(() => []));
    for (const one of all.filter((found) => found.chain === chain)) {
      const known = this.list.find(({ key }) => key === one.key);
      if (!known) this.list.push(one);
      else if (one.deadline >= known.deadline) Object.assign(known, one); // if the stored key's deadline is earlier than that of this tab's copy, the copy is newer
      if (one.until > this.app.server.now()) void this.app.accounts.balanceOf(one.key).catch(() => undefined);
    }
  }

  /** Store a session key in the browser's database, and notify the other tabs. @param {Session} session */
  async write(session) {
    await put("sessions", session).catch(() => {
      this.app.accounts.keys.isPersistent = false;
    });
    this.app.accounts.keys.announce();
  }

  /** Return an account object that signs with a session key, if this browser has the key. @param {string} key the session key's address @returns {Account|undefined} */
  signer(key) {
    const found = this.list.find((one) => one.key === key);
    return found && { address: key, kind: "session", name: "", key: found.secret };
  }

  /**
   * Return a session key that can act for an account in a contract now. The key must have enough
   * ether for `gas`, at the current maximum fee. @param {string} account @param {string} contract @param {bigint} [gas]
   */
  keyFor(account, contract, gas = 0n) {
    return this.list.find(
      (one) =>
        one.account === account &&
        one.linked &&
        one.games.includes(contract) &&
        one.until > this.app.server.now() + EXPIRY_MARGIN &&
        (this.app.accounts.balances.get(one.key) ?? 0n) > gas * this.app.server.fee,
    );
  }

  /** Return the amount of ether for gas that a new session key receives, in wei. */
  gasBudget() {
    return FUNDED_GAS * this.app.server.fee;
  }

  /**
   * Return the address of a session registry (`at`): the registry that the newest contract of these
   * games uses. Also return the addresses of all these games' contracts that use this registry
   * (`games`). @param {string[]} slugs
   */
  async contractsOf(slugs) {
    const all = slugs.flatMap(
      (slug) => this.app.server.games.get(slug)?.deployments.map(({ address }) => address) ?? [],
    );
    const registries = await Promise.all(all.map(registryOf));
    const at = registries[registries.length - 1];
    return { at, games: all.filter((_, i) => registries[i] === at) };
  }

  /**
   * Create a session key for the account in use. The key is stored before the wallet asks its user
   * to sign. If a step fails, show the error. The player can resume later. @param {string[]} slugs @param {number} seconds @param {bigint} amount the ether for gas that the account sends to the key, in wei
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

  /** Continue to create a session key, after the last step that was completed. @param {Session} session @param {bigint} amount */
  resume(session, amount) {
    return this.exclusively(() => this.complete(session, amount));
  }

  /** @param {Session} session @param {bigint} amount */
  async complete(session, amount) {
    if (!session.signature || session.deadline <= this.app.server.now() + EXPIRY_MARGIN) await this.sign(session);
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

  /** Ask the account to sign the terms of a session key, and store the signature. @param {Session} session */
  async sign(session) {
    const { app } = this;
    const health = /** @type {Health} */ (app.server.health);
    const account = /** @type {Account} */ (app.accounts.find(session.account));
    this.setDoing("account.session-signing");
    const deadline = app.server.now() + SIGNATURE_SECONDS;
    const { account: owner, key, games, until } = session;
    const terms = { account: owner, key, games, until, deadline, nonce: await nonceOf(session.registry, owner) };
    const signature = await signTerms(account, health, session.registry, terms);
    await this.write(Object.assign(session, { deadline, signature }));
  }

  /**
   * Send ether for gas to a session key. On a development chain, the faucet sends the ether. On
   * other chains, the account sends it. @param {Session} session @param {bigint} amount
   */
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

  /** Send more ether to a session key, because it can't pay for another move. @param {Session} session @param {bigint} amount */
  topUp(session, amount) {
    return this.exclusively(() => this.fundKey(session, amount));
  }

  /**
   * Return true if a session key might be unable to pay for a move. In that case, the account
   * itself signs its moves. @param {Session} session
   */
  isPoor({ key }) {
    return (this.app.accounts.balances.get(key) ?? 0n) < MAX_MOVE_GAS * this.app.server.fee;
  }

  /** @param {string} key */
  async revoke(key) {
    const account = this.app.accounts.me;
    const order = { action: "revoke", to: this.grants.registry, data: revokeData(key), gasCap: REVOKE_GAS };
    await this.exclusively(() => this.transact("account.session-revoking", account, { account }, order));
  }

  /** Delete a session key that was never linked to its account. Don't delete it if it has ether. @param {Session} session */
  async discard({ key }) {
    await this.exclusively(async () => {
      if ((await this.app.accounts.balanceOf(key)) > 0n) return;
      await remove("sessions", key).catch(() => undefined);
      this.list = this.list.filter((one) => one.key !== key);
    });
  }

  /** Send a session key's remaining ether to its account. Keep back the fee of this transfer. @param {Session} session */
  async withdraw(session) {
    await this.exclusively(async () => {
      const remaining = (await this.app.accounts.balanceOf(session.key)) - TRANSFER_GAS * 2n * this.app.server.fee;
      if (remaining <= 0n) return;
      const order = { action: "return", to: session.account, value: remaining };
      await this.transact("account.session-returning", session.key, session, order);
    });
  }

  /**
   * Send a transaction and wait for its outcome. Without `data`, the transaction is a plain
   * transfer. Throws WalletRejection if the transaction has no effect. @param {string} doing the message key of the text that the page shows while it waits @param {string} from @param {{account: string}} seat `account`: the account for which the sender acts @param {{action: string, to: string, data?: string, value?: bigint, gasCap?: bigint}} order
   */
  async transact(doing, from, { account: seat }, { data = "0x", value = 0n, gasCap = TRANSFER_GAS, ...order }) {
    this.setDoing(doing);
    const { transactions } = this.app;
    const seated = from === seat ? {} : { seat };
    const tx = transactions.submit({ account: from, ...seated, match: "", game: SLUG, data, value, gasCap, ...order });
    await transactions.untilDone(tx);
    if (!["mined", "final"].includes(tx.state))
      throw Object.assign(new WalletRejection({ key: `tx.${tx.state}` }), tx.reason && { reason: tx.reason });
  }

  /** @param {string} key the message key of the text about the current task, or "" */
  setDoing(key) {
    this.doing = key;
    this.app.redraw();
  }

  /** Run a task unless another task is running. If the task fails, show the error. @param {() => Promise<void>} work */
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
