/** Nicknames: what accounts want to be called here. The server is asked for those of the accounts that the page names; each is believed for its account's signature alone (EIP-712). */

import { chainboardDomain } from "../../lib/ethereum/domain.js";
import { clean } from "../../lib/patterns.js";
import { accountsInView, setNicknames } from "../../names/names.js";
import { Offline, get, post, whyUnanswered } from "../../server/rest.js";
import { WalletRefusal } from "../wallet/eip1193.js";

/** @import { Account, Health, I18nText, Json } from "../../types.js" */
/** `issued`: seconds since 1970. @typedef {{account: string, name: string, issued: number, signature: string}} Nickname */

/** @typedef {Pick<Health, "chainId"|"genesis">} Chain */

/** For so long an answer is good. */
const FRESH_MS = 60_000;
/** One drawing names many accounts. */
const DEBOUNCE_MS = 50;
const RETRY_MS = 5000;
/** Accounts in one request, as the server takes them. */
const MOST = 100;
/** In characters. */
const [SHORTEST, LONGEST] = [3, 20];
const TYPES = {
  Nickname: [
    { name: "account", type: "address" },
    { name: "name", type: "string" },
    { name: "issued", type: "uint48" },
  ],
};

/** What is signed. @param {number} chainId @param {Pick<Nickname, "account"|"name"|"issued">} nickname */
const typedDataOf = (chainId, { account, name, issued }) => ({
  domain: chainboardDomain(chainId),
  types: TYPES,
  primaryType: "Nickname",
  message: { account, name, issued },
});

/** As it is signed and kept: in the normal form NFKC, without needless spaces. @param {string} text */
export const normalNickname = (text) => text.normalize("NFKC").trim().replace(/\s+/g, " ");

/** Whatever else is wrong with it the server says. @param {string} name @returns {I18nText|null} */
function whyNoNickname(name) {
  const { length } = [...name];
  const args = { shortest: SHORTEST, longest: LONGEST };
  if (length > LONGEST) return { key: "problem.bad-nickname.long", args };
  return length > 0 && length < SHORTEST ? { key: "problem.bad-nickname.short", args } : null;
}

export class Nicknames {
  /** @param {() => Chain|null} chain null while it is not known @param {() => void} redraw */
  constructor(chain, redraw) {
    this.chain = chain;
    this.redraw = redraw;
    /** By account, in small letters. @type {Map<string, Nickname>} */
    this.kept = new Map();
    /** When each account was asked for, in milliseconds since 1970. @type {Map<string, number>} */
    this.askedAt = new Map();
    /** @type {Set<string>} */
    this.wanted = new Set();
    /** What became of the last one that was to be kept. @type {{account: string, isPending: boolean, why: I18nText|null}} */
    this.last = { account: "", isPending: false, why: null };
    /** When the last one was signed here, in seconds since 1970. */
    this.signedAt = 0;
    /** Why nobody was found by a name. @type {I18nText|null} */
    this.missing = null;
  }

  /** Asks for those of the accounts in view that it has not asked for lately: after each drawing. */
  refresh() {
    const now = Date.now();
    const stale = [...accountsInView()].filter((one) => now - (this.askedAt.get(one) ?? 0) >= FRESH_MS);
    if (stale.length && !this.wanted.size) setTimeout(() => void this.ask(), DEBOUNCE_MS);
    for (const one of stale) {
      this.askedAt.set(one, now);
      this.wanted.add(one);
    }
  }

  /** Again and again until the server has answered for all. */
  async ask() {
    const { chainId = 0 } = this.chain() ?? {};
    const accounts = [...this.wanted].slice(0, MOST);
    const lost = !chainId || (await this.askFor(accounts, chainId));
    if (!lost) for (const one of accounts) this.wanted.delete(one);
    if (this.wanted.size) setTimeout(() => void this.ask(), lost ? RETRY_MS : 0);
  }

  /** Returns whether the server could not be reached. @param {string[]} accounts in small letters @param {number} chainId */
  async askFor(accounts, chainId) {
    try {
      const { nicknames } = await get("/nicknames", { account: accounts });
      const believed = await signedOf(nicknames, chainId);
      if (chainId === this.chain()?.chainId) this.take(accounts, believed);
    } catch (error) {
      return error instanceof Offline; // an older server knows none
    }
    return false;
  }

  /** @param {string[]} accounts that were asked for, in small letters @param {Nickname[]} found theirs */
  take(accounts, found) {
    const before = textOf(this.kept);
    for (const one of accounts) this.kept.delete(one);
    for (const one of found) this.kept.set(one.account.toLowerCase(), one);
    if (textOf(this.kept) === before) return;
    setNicknames(new Map([...this.kept].map(([address, { name }]) => [address, name])));
    this.redraw();
  }

  /** @param {string} address */
  of(address) {
    return this.kept.get(address.toLowerCase())?.name ?? "";
  }

  /** Gives an account of this browser a nickname; "" takes it back. `last` says what became of it. @param {Account} account @param {string} text */
  async keep(account, text) {
    const { address } = account;
    this.last = { account: address, isPending: true, why: null };
    this.redraw();
    this.last = { account: address, isPending: false, why: await this.send(account, text) };
    this.redraw();
  }

  /** @param {Account} account @param {string} text @returns {Promise<I18nText|null>} */
  async send(account, text) {
    const chain = this.chain();
    if (!chain) return { key: "why.no-server" };
    const before = Math.max(this.signedAt, this.kept.get(account.address.toLowerCase())?.issued ?? 0);
    const issued = Math.max(Math.floor(Date.now() / 1000), before + 1); // each must be later than the one before
    const nickname = { account: account.address, name: normalNickname(text), issued };
    const why = whyNoNickname(nickname.name);
    if (why) return why;
    try {
      const { signAs } = await import("../wallet/sign.js"); // frames sign nothing
      const signature = await signAs(account, chain, typedDataOf(chain.chainId, nickname));
      await post("/nicknames", { ...nickname, signature });
      this.signedAt = issued;
      this.take([account.address.toLowerCase()], nickname.name ? [{ ...nickname, signature }] : []);
    } catch (error) {
      return error instanceof WalletRefusal ? error.reason.sentence : whyUnanswered(error);
    }
    return null;
  }

  /** The account that is called so, or alike; "": none, and `missing` says why. @param {string} name */
  async find(name) {
    this.missing = null;
    try {
      const { nicknames } = await get("/nicknames", { name });
      const [found] = await signedOf(nicknames, this.chain()?.chainId ?? 0);
      if (found) return found.account;
      this.missing = { key: "players.no-name", args: { name } };
    } catch (error) {
      this.missing = whyUnanswered(error);
    }
    this.redraw();
    return "";
  }

  /** Another chain has other accounts. */
  reset() {
    for (const one of [this.askedAt, this.wanted, this.kept]) one.clear();
    setNicknames(new Map());
  }
}

/** Those that their accounts have signed. @param {Json[]} found of a server @param {number} chainId @returns {Promise<Nickname[]>} */
async function signedOf(found, chainId) {
  if (!found.length) return [];
  const { recoverTypedData } = await import("../wallet/signer.js"); // few have one
  const isSigned = (/** @type {Json} */ one) => {
    try {
      const signer = recoverTypedData(typedDataOf(chainId, /** @type {Nickname} */ (one)), one.signature);
      return signer === one.account && isReadable(one.name);
    } catch {
      return false; // whatever a server may answer
    }
  };
  return /** @type {Nickname[]} */ (found.filter(isSigned));
}

/** @param {string} name */
const isReadable = (name) => clean(name) === name && [...name].length <= LONGEST;

/** @param {Map<string, Nickname>} kept */
const textOf = (kept) => JSON.stringify([...kept.entries()].sort());
