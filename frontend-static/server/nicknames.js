/**
 * Nicknames of the accounts in view. A nickname is accepted only if its account has signed it
 * (EIP-712).
 */

import { ZERO_ADDRESS } from "../lib/ethereum/address.js";
import { chainboardDomain } from "../lib/ethereum/domain.js";
import { clean } from "../lib/patterns.js";
import { sleep } from "../lib/retry.js";
import { accountsInView, setNicknames } from "../names/names.js";
import { Offline, get, post, whyUnanswered } from "./rest.js";

/** @import { Account, Health, I18nText, Json } from "../types.js" */
/** `issued`: seconds since 1970. @typedef {{account: string, name: string, issued: number, signature: string}} Nickname */

/** @typedef {Pick<Health, "chainId"|"genesis">} Chain */
/** The module that signs and recovers signers. It is loaded only if an account has a nickname. @typedef {{signAs: (account: Account, chain: Chain, value: any) => Promise<string>, recoverTypedData: (value: any, signature: string) => string}} Signing */

/** The time for which an answer is valid, in milliseconds. */
const FRESH_MS = 60_000;
/** Requests are delayed by this time, because a single drawing names many accounts. */
const DEBOUNCE_MS = 50;
const RETRY_MS = 5000;
/** The server's maximum number of accounts per request. */
const MAX_ACCOUNTS = 100;
/** The minimum and maximum length of a nickname, in characters. */
const [SHORTEST, LONGEST] = [3, 20];
const TYPES = {
  Nickname: [
    { name: "account", type: "address" },
    { name: "name", type: "string" },
    { name: "issued", type: "uint48" },
  ],
};

/** Return the typed data to sign. @param {number} chainId @param {Pick<Nickname, "account"|"name"|"issued">} nickname */
const typedDataOf = (chainId, { account, name, issued }) => ({
  domain: chainboardDomain(chainId),
  types: TYPES,
  primaryType: "Nickname",
  message: { account, name, issued },
});

/**
 * Normalise a nickname before it is signed: apply NFKC, trim it, and replace curly apostrophes with
 * straight ones. @param {string} text
 */
export const normalNickname = (text) => text.normalize("NFKC").replace(/[‘’]/g, "'").trim().replace(/\s+/g, " ");

/**
 * Return why a nickname's length is wrong, or null if it is valid. The server reports all other
 * problems. @param {string} name @returns {I18nText|null}
 */
function whyNoNickname(name) {
  const { length } = [...name];
  const args = { shortest: SHORTEST, longest: LONGEST };
  if (length > LONGEST) return { key: "problem.bad-nickname.long", args };
  return length > 0 && length < SHORTEST ? { key: "problem.bad-nickname.short", args } : null;
}

export class Nicknames {
  /** @param {() => Chain|null} chain null until the chain is known @param {() => void} redraw @param {() => Promise<Signing>} loadSigning */
  constructor(chain, redraw, loadSigning) {
    this.chain = chain;
    this.redraw = redraw;
    this.loadSigning = loadSigning;
    /** The nicknames by account in lower case. @type {Map<string, Nickname>} */
    this.cached = new Map();
    /** The time of each account's last request, in milliseconds since 1970. @type {Map<string, number>} */
    this.requestedAt = new Map();
    /** @type {Set<string>} */
    this.wanted = new Set();
    /**
     * For each of the player's accounts, the progress and the result of the last change to its
     * nickname.
     * @type {Map<string, {isPending: boolean, why: I18nText|null}>}
     */
    this.saves = new Map();
    /** The time of this browser's last signature, in seconds since 1970. */
    this.signedAt = 0;
    /** The last name that was not found, and the reason. @type {{name: string, why: I18nText}|null} */
    this.missing = null;
  }

  /**
   * Fetch the nicknames of the accounts in view for which there is no recent answer. Called after
   * each drawing.
   */
  refresh() {
    if (!this.chain()) return;
    const [{ wanted }, now] = [this, Date.now()];
    const isStale = (/** @type {string} */ one) => now - (this.requestedAt.get(one) ?? 0) >= FRESH_MS;
    const stale = [...accountsInView()].filter((one) => one !== ZERO_ADDRESS && isStale(one));
    if (stale.length && !wanted.size) setTimeout(() => void this.fetchAll(wanted), DEBOUNCE_MS);
    for (const one of stale) {
      this.requestedAt.set(one, now);
      wanted.add(one);
    }
  }

  /** Fetch batches until the server has answered for all accounts or the chain changes. @param {Set<string>} wanted */
  async fetchAll(wanted) {
    while (wanted.size && wanted === this.wanted) if (await this.fetchBatch(wanted)) await sleep(RETRY_MS);
  }

  /** Fetch one batch. Return true if the server was unreachable. @param {Set<string>} wanted */
  async fetchBatch(wanted) {
    const accounts = [...wanted].slice(0, MAX_ACCOUNTS);
    const chainId = this.chain()?.chainId ?? 0;
    try {
      const { nicknames } = await get("/nicknames", { account: accounts });
      const found = await this.verified(nicknames, chainId, accounts);
      const unchanged = accounts.filter((one) => wanted.has(one)); // skip accounts that were saved in the meantime
      if (wanted === this.wanted) this.store(unchanged, found);
    } catch (error) {
      if (error instanceof Offline) return true; // otherwise the server is older and has no nicknames
    }
    for (const one of accounts) wanted.delete(one);
    return false;
  }

  /** Return the nicknames that their accounts have signed. @param {Json[]} answer the server's answer @param {number} chainId @param {string[]} accounts the requested accounts in lower case @returns {Promise<Nickname[]>} */
  async verified(answer, chainId, accounts) {
    const byAccount = new Map(answer.map((one) => [String(one?.account).toLowerCase(), one]));
    const found = accounts.flatMap((one) => byAccount.get(one) ?? []);
    if (!found.length) return [];
    const { recoverTypedData } = await this.loadSigning(); // loaded on demand, because few accounts have nicknames
    const isSigned = (/** @type {Json} */ one) => {
      try {
        if (JSON.stringify(one) === JSON.stringify(this.cached.get(one.account.toLowerCase()))) return true; // already checked
        const signer = recoverTypedData(typedDataOf(chainId, /** @type {Nickname} */ (one)), one.signature);
        return signer === one.account && isReadable(one.name);
      } catch {
        return false; // a server may return anything
      }
    };
    return /** @type {Nickname[]} */ (found.filter(isSigned));
  }

  /** @param {string[]} accounts the answered accounts in lower case @param {Nickname[]} found their nicknames */
  store(accounts, found) {
    const byAccount = new Map(found.map((one) => [one.account.toLowerCase(), one]));
    const isChanged = accounts.some((one) => this.cached.get(one)?.name !== byAccount.get(one)?.name);
    for (const account of accounts) {
      const nickname = byAccount.get(account);
      if (nickname) this.cached.set(account, nickname);
      else this.cached.delete(account);
    }
    if (!isChanged) return;
    setNicknames(new Map([...this.cached].map(([address, { name }]) => [address, name])));
    this.redraw();
  }

  /** @param {string} address */
  of(address) {
    return this.cached.get(address.toLowerCase())?.name ?? "";
  }

  /**
   * Set an account's nickname; "" removes it. Return true if the nickname is saved. Otherwise
   * `saves` has the reason. @param {Account} account @param {string} text
   */
  async save(account, text) {
    const { address } = account;
    if (this.saves.get(address)?.isPending) return false;
    this.saves.set(address, { isPending: true, why: null });
    this.redraw();
    const why = await this.send(account, text);
    this.saves.set(address, { isPending: false, why });
    this.redraw();
    return !why;
  }

  /** @param {Account} account @param {string} text @returns {Promise<I18nText|null>} */
  async send(account, text) {
    const [chain, key, name] = [this.chain(), account.address.toLowerCase(), normalNickname(text)];
    if (!chain) return { key: "why.no-server" };
    const why = whyNoNickname(name);
    if (why) return why;
    const before = Math.max(this.signedAt, this.cached.get(key)?.issued ?? 0);
    const issued = Math.max(Math.floor(Date.now() / 1000), before + 1); // each signature must be later than the previous one
    const nickname = { account: account.address, name, issued };
    try {
      const { signAs } = await this.loadSigning();
      const signature = await signAs(account, chain, typedDataOf(chain.chainId, nickname));
      await post("/nicknames", { ...nickname, signature });
      this.signedAt = issued;
      this.wanted.delete(key);
      this.store([key], name ? [{ ...nickname, signature }] : []);
    } catch (error) {
      return /** a wallet's rejection has a reason @type {any} */ (error).reason?.sentence ?? whyUnanswered(error);
    }
    return null;
  }

  /**
   * Find the account that has this nickname or a similar one. If there is no such account, return
   * "" and set `missing`. @param {string} name
   */
  async find(name) {
    this.missing = null;
    try {
      const { nicknames } = await get("/nicknames", { name });
      const accounts = nicknames.map((/** @type {Json} */ one) => String(one?.account).toLowerCase());
      const [found] = await this.verified(nicknames, this.chain()?.chainId ?? 0, accounts);
      if (found) return found.account;
      this.missing = { name, why: { key: "players.no-name", args: { name } } };
    } catch (error) {
      this.missing = { name, why: whyUnanswered(error) };
    }
    this.redraw();
    return "";
  }

  /** Drop everything when the chain changes. */
  reset() {
    this.wanted = new Set();
    this.missing = null;
    for (const one of [this.requestedAt, this.cached, this.saves]) one.clear();
    setNicknames(new Map());
  }
}

/** @param {string} name */
const isReadable = (name) => clean(name) === name && [...name].length <= LONGEST;
