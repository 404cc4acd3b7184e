/** Whose key the page uses, what it has, and how it gets it. */

import { Problem, post } from "./rest.js";
import { rpc } from "./rpc.js";
import * as wallet from "./wallet.js";

/** @import { Account, Health } from "./types.js" */
/** @import { Injected } from "./wallet.js" */

const TENTH_ETHER = 10n ** 17n;
const FILL_MS = 200;
const FILLS = 300;

export class Accounts {
  /** @param {() => void} redraw */
  constructor(redraw) {
    this.redraw = redraw;
    /** @type {Health|null} */
    this.health = null;
    /** @type {Account[]} */
    this.accounts = wallet.browserAccounts();
    this.me = this.accounts[0].address;
    /** @type {Account[]} */
    this.offered = [];
    /** @type {Injected[]} */
    this.injected = [];
    /** @type {WeakSet<object>} */
    this.connected = new WeakSet();
    /** @type {Map<string, bigint>} */
    this.balances = new Map();
    /** @type {Map<string, Promise<void>>} */
    this.filling = new Map();
    /** @type {string} what went wrong with a wallet or the faucet, as told */
    this.trouble = "";
    this.ui = { drawer: false, help: false, selected: 0, pointed: -1, key: false, copied: "", armed: "" };
  }

  /** @param {string} address */
  account(address) {
    return this.accounts.find((account) => account.address === address);
  }

  recallAccount() {
    const remembered = wallet.rememberedAddress();
    if (!remembered || remembered === this.me) return;
    const candidates = this.health?.development && !this.account(remembered) ? wallet.developmentAccounts() : this.accounts;
    const found = candidates.find(({ address }) => address === remembered);
    if (found) this.use(found);
  }

  /** @param {Account} account */
  use(account) {
    const index = this.accounts.findIndex(({ address }) => address === account.address);
    if (index < 0) this.accounts.push(account);
    else this.accounts[index] = account;
    this.me = account.address;
    this.ui.key = false;
    this.ui.selected = 0;
    wallet.rememberAddress(account.address);
    void this.fund(account.address);
    this.redraw();
  }

  offerDevelopmentAccounts() {
    this.offered = wallet.developmentAccounts();
    this.redraw();
  }

  makeAccount() {
    const account = wallet.makeAccount();
    this.accounts.push(account);
    this.use(account);
    return account;
  }

  /** @param {Injected} injected */
  async connect(injected) {
    try {
      this.trouble = "";
      if (this.health) this.use(await wallet.connect(injected, this.health));
      if (!this.connected.has(injected.provider)) injected.provider.on?.("accountsChanged", () => void this.connect(injected));
      this.connected.add(injected.provider);
    } catch (error) {
      this.trouble = String(/** @type {any} */ (error)?.message ?? error);
    }
    this.redraw();
  }

  /** @param {string} address */
  async balanceOf(address) {
    const balance = BigInt(await rpc("eth_getBalance", [address, "latest"]));
    this.balances.set(address, balance);
    return balance;
  }

  /** On a development chain a new wallet is filled without being asked. Settles when it is. @param {string} address @returns {Promise<void>} */
  fund(address) {
    const under = this.filling.get(address) ?? this.fill(address).finally(() => { this.filling.delete(address); this.redraw(); });
    this.filling.set(address, under);
    return under;
  }

  /** @param {string} address */
  async fill(address) {
    if (!this.health) return;
    try {
      const poor = (await this.balanceOf(address)) < TENTH_ETHER;
      this.redraw();
      if (!poor || !this.health.development) return;
      await post("/faucet", { address });
      await this.untilFunded(address);
    } catch (error) {
      this.trouble = error instanceof Problem ? error.message : "";
    }
  }

  /** @param {string} address */
  async untilFunded(address) {
    for (let tries = 0; tries < FILLS && (await this.balanceOf(address)) < TENTH_ETHER; tries++) {
      await new Promise((done) => setTimeout(done, FILL_MS));
    }
  }
}
