/**
 * Fetches and sets nicknames, which are public names that accounts choose. A nickname is accepted
 * only if its account has signed it (EIP-712).
 */

import { ZERO_ADDRESS } from "../lib/ethereum/address.js";
import { chainboardDomain } from "../lib/ethereum/domain.js";
import { clean } from "../lib/patterns.js";
import { sleep } from "../lib/retry.js";
import { accountsInView, setNicknames } from "../names/names.js";
import { Offline, get, post, whyUnanswered } from "./rest.js";

/** @import { Account, Health, I18nText, Json } from "../types.js" */
/** A signed nickname. `issued`: the time of the signature, in seconds since 1970. @typedef {{account: string, name: string, issued: number, signature: string}} Nickname */

/** @typedef {Pick<Health, "chainId"|"genesis">} Chain */
/**
 * The module that signs nicknames and checks their signatures. It is loaded only if an account has
 * a nickname. @typedef {{signAs: (account: Account, chain: Chain, value: any) => Promise<string>, recoverTypedData: (value: any, signature: string) => string}} Signing
 */

/** The age at which an answer is fetched again. */
const FRESH_MS = 60_000;
/** The delay before a request, because a single drawing can name many accounts. */
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

/** Return the EIP-712 typed data that an account signs for its nickname. @param {number} chainId @param {Pick<Nickname, "account"|"name"|"issued">} nickname */
const typedDataOf = (chainId, { account, name, issued }) => ({
  domain: chainboardDomain(chainId),
  types: TYPES,
  primaryType: "Nickname",
  message: { account, name, issued },
});

/**
 * Normalise a nickname before it is signed. Apply NFKC, trim the text, replace several spaces with
 * one, and replace curly apostrophes with straight ones. @param {string} text
 */
export const normalNickname = (text) => text.normalize("NFKC").replace(/[‘’]/g, "'").trim().replace(/\s+/g, " ");

/**
 * Return why a nickname is too short or too long, or null if its length is valid. The server
 * reports all other problems. @param {string} name @returns {I18nText|null}
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
    /** The nicknames, by lower-case address. @type {Map<string, Nickname>} */
    this.cached = new Map();
    /** The time when each account's nickname was last requested, in milliseconds since 1970. @type {Map<string, number>} */
    this.requestedAt = new Map();
    /** @type {Set<string>} */
    this.wanted = new Set();
    /**
     * The state of the last change to each own account's nickname. `why`: the reason if it failed.
     * @type {Map<string, {isPending: boolean, why: I18nText|null}>}
     */
    this.saves = new Map();
    /** The time of this browser's last signature, in seconds since 1970. */
    this.signedAt = 0;
    /** The last nickname that `find` didn't find, and the reason. @type {{name: string, why: I18nText}|null} */
    this.missing = null;
  }

  /**
   * Fetch the nicknames of all accounts on the page for which there is no recent answer. Called
   * after each drawing.
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

  /**
   * Fetch the nicknames in batches, until the server has answered for all accounts or the chain
   * changes. @param {Set<string>} wanted
   */
  async fetchAll(wanted) {
    while (wanted.size && wanted === this.wanted) if (await this.fetchBatch(wanted)) await sleep(RETRY_MS);
  }

  /** Fetch one batch of nicknames. Return true if the server can't be reached. @param {Set<string>} wanted */
  async fetchBatch(wanted) {
    const accounts = [...wanted].slice(0, MAX_ACCOUNTS);
    const chainId = this.chain()?.chainId ?? 0;
    try {
      const { nicknames } = await get("/nicknames", { account: accounts });
      const found = await this.verified(nicknames, chainId, accounts);
      const unchanged = accounts.filter((one) => wanted.has(one)); // skip accounts whose nickname was saved in the meantime
      if (wanted === this.wanted) this.store(unchanged, found);
    } catch (error) {
      if (error instanceof Offline) return true; // after any other error, don't retry: an older server has no nicknames
    }
    for (const one of accounts) wanted.delete(one);
    return false;
  }

  /** Return the nicknames in the server's answer whose signatures are valid. @param {Json[]} answer the server's answer @param {number} chainId @param {string[]} accounts the requested accounts in lower case @returns {Promise<Nickname[]>} */
  async verified(answer, chainId, accounts) {
    const byAccount = new Map(answer.map((one) => [String(one?.account).toLowerCase(), one]));
    const found = accounts.flatMap((one) => byAccount.get(one) ?? []);
    if (!found.length) return [];
    const { recoverTypedData } = await this.loadSigning(); // loaded on demand, because few accounts have nicknames
    const isSigned = (/** @type {Json} */ one) => {
      try {
        if (JSON.stringify(one) === JSON.stringify(this.cached.get(one.account.toLowerCase()))) return true; // the signature has been checked before
        const signer = recoverTypedData(typedDataOf(chainId, /** @type {Nickname} */ (one)), one.signature);
        return signer === one.account && isReadable(one.name);
      } catch {
        return false; // a dishonest server can return anything
      }
    };
    return /** @type {Nickname[]} */ (found.filter(isSigned));
  }

  /** @param {string[]} accounts the accounts in the request, in lower case @param {Nickname[]} found their nicknames */
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
   * Set an account's nickname, or remove it if `text` is "". Return true if the server has saved
   * it. Otherwise, `saves` has the reason. @param {Account} account @param {string} text
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
   * Return the account that has this nickname or a similar one. If there is none, set `missing` and
   * return "". @param {string} name
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

  /** Drop everything. Called when the chain changes. */
  reset() {
    this.wanted = new Set();
    this.missing = null;
    for (const one of [this.requestedAt, this.cached, this.saves]) one.clear();
    setNicknames(new Map());
  }
}

/** @param {string} name */
const isReadable = (name) => clean(name) === name && [...name].length <= LONGEST;
