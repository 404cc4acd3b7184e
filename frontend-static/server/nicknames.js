/**
 * Fetches and sets nicknames, which are public names that accounts have chosen. The page shows a
 * nickname only if its account has signed it (EIP-712).
 */

import { ZERO_ADDRESS } from "../lib/ethereum/address.js";
import { chainboardDomain } from "../lib/ethereum/domain.js";
import { clean } from "../lib/patterns.js";
import { sleep } from "../lib/retry.js";
import { accountsInView, setNicknames } from "../names/names.js";
import { Offline, get, post, whyUnanswered } from "./rest.js";

/** @import { Account, Health, I18nText, Json } from "../types.js" */
/**
 * An account's nickname with its signature. `issued`: the time when the account signed the
 * nickname, in seconds since 1970. @typedef {{account: string, name: string, issued: number, signature: string}} Nickname
 */

/** @typedef {Pick<Health, "chainId"|"genesis">} Chain */
/**
 * The module that signs nicknames and checks their signatures. It is loaded only if a nickname must
 * be signed or checked, because few accounts have nicknames. @typedef {{signAs: (account: Account, chain: Chain, value: any) => Promise<string>, recoverTypedData: (value: any, signature: string) => string}} Signing
 */

/** The age at which the page fetches an account's nickname again. */
const FRESH_MS = 60_000;
/** The delay before a request, so that a single request asks for all the names in a drawing. */
const DEBOUNCE_MS = 50;
const RETRY_MS = 5000;
/** The maximum number of accounts in one request to the server. */
const MAX_ACCOUNTS = 100;
/** The minimum and the maximum length of a nickname, in characters. */
const [SHORTEST, LONGEST] = [3, 20];
const TYPES = {
  Nickname: [
    { name: "account", type: "address" },
    { name: "name", type: "string" },
    { name: "issued", type: "uint48" },
  ],
};

/** Return the typed data (EIP-712) that an account signs to choose a nickname. @param {number} chainId @param {Pick<Nickname, "account"|"name"|"issued">} nickname */
const typedDataOf = (chainId, { account, name, issued }) => ({
  domain: chainboardDomain(chainId),
  types: TYPES,
  primaryType: "Nickname",
  message: { account, name, issued },
});

/**
 * Return a nickname in the form in which it is signed. Apply the Unicode form NFKC, trim the text,
 * replace several spaces with one space, and replace curly apostrophes with straight ones. @param {string} text
 */
export const normalNickname = (text) => text.normalize("NFKC").replace(/[‘’]/g, "'").trim().replace(/\s+/g, " ");

/**
 * Return the reason if a nickname is too short or too long, or null if its length is valid. The
 * server checks everything else. @param {string} name @returns {I18nText|null}
 */
function whyNoNickname(name) {
  const { length } = [...name];
  const args = { shortest: SHORTEST, longest: LONGEST };
  if (length > LONGEST) return { key: "problem.bad-nickname.long", args };
  return length > 0 && length < SHORTEST ? { key: "problem.bad-nickname.short", args } : null;
}

export class Nicknames {
  /** @param {() => Chain|null} chain returns the chain, or null if it isn't known yet @param {() => void} redraw @param {() => Promise<Signing>} loadSigning */
  constructor(chain, redraw, loadSigning) {
    this.chain = chain;
    this.redraw = redraw;
    this.loadSigning = loadSigning;
    /** The nicknames of the accounts on the page. The key is the address in lower case. @type {Map<string, Nickname>} */
    this.cached = new Map();
    /** For each account, the time of the last request for its nickname, in milliseconds since 1970. @type {Map<string, number>} */
    this.requestedAt = new Map();
    /** @type {Set<string>} */
    this.wanted = new Set();
    /**
     * For each of the player's accounts, the state of the last change to its nickname. `why`: the
     * reason why the change failed, or null.
     * @type {Map<string, {isPending: boolean, why: I18nText|null}>}
     */
    this.saves = new Map();
    /** The time when this browser last signed a nickname, in seconds since 1970. */
    this.signedAt = 0;
    /** The nickname that the last call of `find` didn't find, and why. Null if it did. @type {{name: string, why: I18nText}|null} */
    this.missing = null;
  }

  /**
   * Fetch the nicknames of those accounts on the page whose nickname isn't cached or is too old.
   * Called after each drawing.
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
   * Fetch the nicknames of these accounts in batches. End when the server has answered for all of
   * them, or when the chain has changed. @param {Set<string>} wanted
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
      const unchanged = accounts.filter((one) => wanted.has(one)); // skip accounts whose new nickname was saved during the request
      if (wanted === this.wanted) this.store(unchanged, found);
    } catch (error) {
      if (error instanceof Offline) return true; // don't retry after any other error: an older server doesn't have nicknames
    }
    for (const one of accounts) wanted.delete(one);
    return false;
  }

  /** Return the nicknames in the server's answer that were signed by their accounts. @param {Json[]} answer the nicknames in the server's answer @param {number} chainId @param {string[]} accounts the accounts in the request, in lower case @returns {Promise<Nickname[]>} */
  async verified(answer, chainId, accounts) {
    const byAccount = new Map(answer.map((one) => [String(one?.account).toLowerCase(), one]));
    const found = accounts.flatMap((one) => byAccount.get(one) ?? []);
    if (!found.length) return [];
    const { recoverTypedData } = await this.loadSigning(); // loaded on demand, because few accounts have nicknames
    const isSigned = (/** @type {Json} */ one) => {
      try {
        if (JSON.stringify(one) === JSON.stringify(this.cached.get(one.account.toLowerCase()))) return true; // the page has already checked this signature
        const signer = recoverTypedData(typedDataOf(chainId, /** @type {Nickname} */ (one)), one.signature);
        return signer === one.account && isReadable(one.name);
      } catch {
        return false; // the data can have any form, because the server might be dishonest
      }
    };
    return /** @type {Nickname[]} */ (found.filter(isSigned));
  }

  /** @param {string[]} accounts the accounts in the request, in lower case @param {Nickname[]} found the nicknames of these accounts */
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
   * the change. If not, `saves` contains the reason. @param {Account} account @param {string} text
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
    const issued = Math.max(Math.floor(Date.now() / 1000), before + 1); // the server accepts a signature only if it is newer than the account's last signature
    const nickname = { account: account.address, name, issued };
    try {
      const { signAs } = await this.loadSigning();
      const signature = await signAs(account, chain, typedDataOf(chain.chainId, nickname));
      await post("/nicknames", { ...nickname, signature });
      this.signedAt = issued;
      this.wanted.delete(key);
      this.store([key], name ? [{ ...nickname, signature }] : []);
    } catch (error) {
      return /** a wallet's error has a reason @type {any} */ (error).reason?.sentence ?? whyUnanswered(error);
    }
    return null;
  }

  /**
   * Return the account that has chosen this nickname or a similar nickname. If there is none, set
   * `missing` and return "". @param {string} name
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

  /** Forget all nicknames. Called when the chain changes. */
  reset() {
    this.wanted = new Set();
    this.missing = null;
    for (const one of [this.requestedAt, this.cached, this.saves]) one.clear();
    setNicknames(new Map());
  }
}

/** @param {string} name */
const isReadable = (name) => clean(name) === name && [...name].length <= LONGEST;
