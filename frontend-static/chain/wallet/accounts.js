/**
 * The page's accounts. This module knows the account in use and all balances, and asks the faucet
 * for ether.
 */

import { reasonOf } from "./eip1193.js";
import { retry, sleep } from "../../lib/retry.js";
import { readText, writeText } from "../../lib/storage.js";
import { Problem, post } from "../../server/rest.js";
import { NodeUnavailable, rpc } from "../../server/jsonrpc.js";
import { longHex } from "../../i18n/translate.js";
import { Sponsorship } from "./sponsorship.js";

/** @import { Account, Health, Reason, Tx } from "../../types.js" */
/** @import { InjectedWallet } from "./eip1193.js" */
/** @import { Keys } from "./keys.js" */

/** The localStorage key for the address of the account that was used last. */
const ACTIVE = "chainboard.active";
/** The faucet funds an account whose balance is lower than this, in wei. */
const FAUCET_BELOW = 10n ** 17n;
const FILL_MS = 200;
const FILLS = 300;
/**
 * The page retries if the faucet has reached its limit per minute or the node is unavailable. This
 * is the interval and the maximum number of the retries. They take ten minutes in total.
 */
const BUSY_MS = 5000;
const BUSY_TRIES = 120;

/** @typedef {{health: () => Health|null, onUse: () => void, onKeys: () => void}} AccountsHost `onUse`: called when an account has been selected. `onKeys`: called when the stored keys might have changed. */

const developmentAccounts = async () => (await import("./development-accounts.js")).developmentAccounts();
/** Load the module for wallets on demand, because few players have a wallet. */
const injectedWallet = () => import("./injected-wallet.js");

export class Accounts {
  /** @param {() => void} redraw @param {Keys} keys @param {AccountsHost} host */
  constructor(redraw, keys, host) {
    this.redraw = redraw;
    this.keys = keys;
    this.host = host;
    /** @type {Account[]} */
    this.list = keys.accounts();
    const remembered = readText(ACTIVE);
    this.me = (this.list.find(({ address }) => address === remembered) ?? this.list[0]).address;
    /** @type {Account[]} */
    this.offered = [];
    /** @type {InjectedWallet[]} */
    this.injected = [];
    /** @type {WeakSet<object>} */
    this.connected = new WeakSet();
    /** @type {Map<string, bigint>} */
    this.balances = new Map();
    /** @type {Map<string, Promise<void>>} */
    this.filling = new Map();
    /**
     * The addresses whose balance the page has loaded, and for which it has requested ether if
     * necessary. @type {Set<string>}
     */
    this.fundRequests = new Set();
    /** @type {Reason|null} the latest problem with a wallet or the faucet */
    this.trouble = null;
    /** The reason why the faucet sent nothing, or null. It comes from the faucet's last answer. @type {Reason|null} */
    this.unfunded = null;
    this.sponsorship = new Sponsorship(this);
    keys.onChange(() => this.reloadKeys());
  }

  get health() {
    return this.host.health();
  }

  /** @param {string} address */
  find(address) {
    return this.list.find((account) => account.address === address);
  }

  /** Load the stored keys again, because another tab might have changed them. */
  reloadKeys() {
    for (const account of this.keys.accounts()) {
      const known = this.find(account.address);
      if (known) Object.assign(known, account);
      else this.list.push(account);
    }
    this.host.onKeys();
    this.redraw();
  }

  /** Select the account that the player used last. */
  async restore() {
    const remembered = readText(ACTIVE);
    if (!remembered || remembered === this.me) return;
    const isOther = this.health?.development && !this.find(remembered);
    const candidates = isOther ? await developmentAccounts() : this.list;
    const found = candidates.find(({ address }) => address === remembered);
    if (found) this.use(found);
  }

  /**
   * Select the account for which the page acts. In a hot-seat match, the page calls this at each
   * turn. @param {Account} account
   */
  use(account) {
    const index = this.list.findIndex(({ address }) => address === account.address);
    if (index < 0) this.list.push(account);
    else this.list[index] = account;
    this.me = account.address;
    this.host.onUse();
    writeText(ACTIVE, account.address);
    void this.fund(account.address);
    this.redraw();
  }

  async offerDevelopmentAccounts() {
    this.offered = await developmentAccounts();
    this.redraw();
  }

  /**
   * Create a key or, if `key` is set, import this key. Once the key is on disk, select its account. @param {string} [key] @param {{name?: string, backedUp?: boolean}} [more]
   */
  async makeAccount(key, more = {}) {
    const { address } = key ? await this.keys.add(key, more) : await this.keys.make();
    this.reloadKeys();
    const account = /** @type {Account} */ (this.find(address));
    this.use(account);
    return account;
  }

  /** @param {InjectedWallet} found */
  async connect(found) {
    try {
      this.trouble = null;
      const { connect, onWalletChange } = await injectedWallet();
      if (this.health) this.useWallet(found, await connect(found, this.health), onWalletChange);
    } catch (error) {
      this.trouble = reasonOf(error);
    }
    this.redraw();
  }

  /** @param {InjectedWallet} found @param {Account} account @param {typeof import("./injected-wallet.js").onWalletChange} onWalletChange */
  useWallet(found, account, onWalletChange) {
    this.use(account);
    if (!this.connected.has(found.provider))
      onWalletChange(account, (what, value) => void this.walletChanged(found, what, value));
    this.connected.add(found.provider);
  }

  /**
   * Handle a change in a wallet. If the change causes a problem, the page shows the problem at each
   * of the wallet's accounts until it is resolved.
   * @param {InjectedWallet} found @param {"accounts"|"chain"|"gone"} what @param {any} value
   */
  async walletChanged(found, what, value) {
    const own = this.list.filter(({ provider }) => provider === found.provider);
    if (what === "accounts" && value.length) {
      const before = own.find(({ address }) => address === this.me);
      if (!before) return;
      await this.connect(found);
      const args = { wallet: found.name, name: longHex(this.me) };
      if (this.me !== before.address) this.trouble = { sentence: { key: "account.wallet-switched", args }, small: "" };
    } else for (const account of own) account.trouble = await this.whyWallet(account, what);
    this.redraw();
  }

  /** @param {Account} account @param {"accounts"|"chain"|"gone"} what */
  async whyWallet(account, what) {
    if (what !== "chain" || !this.health) return { key: "why.wallet-gone", args: { wallet: account.name } };
    const { checkWallet } = await injectedWallet();
    return checkWallet(account, this.health).then(
      () => undefined,
      (error) => reasonOf(error).sentence,
    );
  }

  /**
   * Connect an account's wallet again, after the wallet's user has changed something in the wallet. @param {string} address
   */
  async reconnect(address) {
    const account = this.find(address);
    if (account?.provider) await this.connect({ id: account.name, name: account.name, provider: account.provider });
  }

  /**
   * If a wallet has sent a transaction that can't be mined, store the reason. Only the wallet's
   * user can fix the problem. @param {Tx} tx
   */
  async updateStuckReason(tx) {
    if (!this.find(tx.account)?.provider) return;
    const why = await injectedWallet()
      .then(({ whyStuck }) => whyStuck(tx))
      .catch(() => null);
    if (tx.state === "sent") tx.reason = why ? { sentence: why, small: tx.hashes.at(-1) ?? "" } : undefined;
  }

  /** Forget the balances and requests on the previous chain. Called when the chain changes. */
  forget() {
    for (const cache of [this.balances, this.filling, this.fundRequests]) cache.clear();
    this.sponsorship.forget();
  }

  /** @param {string} address */
  async balanceOf(address) {
    const balance = BigInt(await rpc("eth_getBalance", [address, "latest"]));
    this.balances.set(address, balance);
    return balance;
  }

  /** Return true if the account's balance is known to be so low that the faucet funds the account. @param {string} address */
  isPoor(address) {
    return (this.balances.get(address) ?? FAUCET_BELOW) < FAUCET_BELOW;
  }

  /**
   * Load an account's balance. On a development chain, fund the account if its balance is low. The
   * promise settles when both are done. @param {string} address @returns {Promise<void>}
   */
  fund(address) {
    this.fundRequests.add(address);
    const under =
      this.filling.get(address) ??
      this.fill(address).finally(() => {
        this.filling.delete(address);
        this.redraw();
      });
    this.filling.set(address, under);
    return under;
  }

  /** @param {string} address */
  async fill(address) {
    if (!this.health) return;
    const { development } = this.health;
    const isBusy = (/** @type {unknown} */ error) => {
      if (!(error instanceof Problem)) return error instanceof NodeUnavailable;
      this.trouble = this.unfunded = { sentence: error.text, small: "" };
      this.redraw();
      return error.status === 429;
    };
    const requestFunds = async () => {
      const poor = (await this.balanceOf(address)) < FAUCET_BELOW;
      this.redraw();
      if (!poor || !development) return;
      await post("/faucet", { address });
      await this.untilFunded(address);
    };
    try {
      await retry(requestFunds, isBusy, BUSY_TRIES, () => sleep(BUSY_MS));
      if (this.trouble === this.unfunded) this.trouble = null;
      this.unfunded = null;
    } catch (error) {
      if (!(error instanceof Problem)) this.trouble = this.unfunded = null;
    }
  }

  /** @param {string} address */
  async untilFunded(address) {
    for (let tries = 0; tries < FILLS && (await this.balanceOf(address)) < FAUCET_BELOW; tries++) {
      await sleep(FILL_MS);
    }
  }
}
