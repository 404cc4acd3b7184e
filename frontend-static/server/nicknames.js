/** Nicknames: what accounts want to be called here. The server is asked for those of the accounts that the page names; each is believed for its account's signature alone (EIP-712). */

import { chainboardDomain } from "../lib/ethereum/domain.js";
import { clean } from "../lib/patterns.js";
import { sleep } from "../lib/retry.js";
import { accountsInView, setNicknames } from "../names/names.js";
import { Offline, get, post, whyUnanswered } from "./rest.js";

/** @import { Account, Health, I18nText, Json } from "../types.js" */
/** `issued`: seconds since 1970. @typedef {{account: string, name: string, issued: number, signature: string}} Nickname */

/** @typedef {Pick<Health, "chainId"|"genesis">} Chain */
/** What signs, and tells who has signed: loaded where anybody has a nickname. @typedef {{signAs: (account: Account, chain: Chain, value: any) => Promise<string>, recoverTypedData: (value: any, signature: string) => string}} Signing */

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

/** As it is signed and kept: in the normal form NFKC, without needless spaces, with straight apostrophes, as phones type curly ones. @param {string} text */
export const normalNickname = (text) => text.normalize("NFKC").replace(/[‘’]/g, "'").trim().replace(/\s+/g, " ");

/** Whatever else is wrong with it the server says. @param {string} name @returns {I18nText|null} */
function whyNoNickname(name) {
  const { length } = [...name];
  const args = { shortest: SHORTEST, longest: LONGEST };
  if (length > LONGEST) return { key: "problem.bad-nickname.long", args };
  return length > 0 && length < SHORTEST ? { key: "problem.bad-nickname.short", args } : null;
}

export class Nicknames {
  /** @param {() => Chain|null} chain null while it is not known @param {() => void} redraw @param {() => Promise<Signing>} loadSigning */
  constructor(chain, redraw, loadSigning) {
    this.chain = chain;
    this.redraw = redraw;
    this.loadSigning = loadSigning;
    /** By account, in small letters. @type {Map<string, Nickname>} */
    this.kept = new Map();
    /** When each account was asked for, in milliseconds since 1970. @type {Map<string, number>} */
    this.askedAt = new Map();
    /** @type {Set<string>} */
    this.wanted = new Set();
    /** What became of the last one of each own account. @type {Map<string, {isPending: boolean, why: I18nText|null}>} */
    this.saves = new Map();
    /** When the last one was signed here, in seconds since 1970. */
    this.signedAt = 0;
    /** The name by which nobody was found, and why. @type {{name: string, why: I18nText}|null} */
    this.missing = null;
  }

  /** Asks for those of the accounts in view that it has not asked for lately: after each drawing. */
  refresh() {
    if (!this.chain()) return;
    const [{ wanted }, now] = [this, Date.now()];
    const stale = [...accountsInView()].filter((one) => now - (this.askedAt.get(one) ?? 0) >= FRESH_MS);
    if (stale.length && !wanted.size) setTimeout(() => void this.askAll(wanted), DEBOUNCE_MS);
    for (const one of stale) {
      this.askedAt.set(one, now);
      wanted.add(one);
    }
  }

  /** Until the server has answered for all, or another chain answers. @param {Set<string>} wanted */
  async askAll(wanted) {
    while (wanted.size && wanted === this.wanted) if (await this.ask(wanted)) await sleep(RETRY_MS);
  }

  /** Returns whether the server could not be reached. @param {Set<string>} wanted */
  async ask(wanted) {
    const accounts = [...wanted].slice(0, MOST);
    const chainId = this.chain()?.chainId ?? 0;
    try {
      const { nicknames } = await get("/nicknames", { account: accounts });
      const found = await this.signedOf(nicknames, chainId, accounts);
      const unchanged = accounts.filter((one) => wanted.has(one)); // not those that were saved meanwhile
      if (wanted === this.wanted) this.take(unchanged, found);
    } catch (error) {
      if (error instanceof Offline) return true; // an older server knows none
    }
    for (const one of accounts) wanted.delete(one);
    return false;
  }

  /** Those that their accounts have signed. @param {Json[]} answer of a server @param {number} chainId @param {string[]} accounts that were asked for, in small letters @returns {Promise<Nickname[]>} */
  async signedOf(answer, chainId, accounts) {
    const byAccount = new Map(answer.map((one) => [String(one?.account).toLowerCase(), one]));
    const found = accounts.flatMap((one) => byAccount.get(one) ?? []);
    if (!found.length) return [];
    const { recoverTypedData } = await this.loadSigning(); // few have one
    const isSigned = (/** @type {Json} */ one) => {
      try {
        if (JSON.stringify(one) === JSON.stringify(this.kept.get(one.account.toLowerCase()))) return true; // checked before
        const signer = recoverTypedData(typedDataOf(chainId, /** @type {Nickname} */ (one)), one.signature);
        return signer === one.account && isReadable(one.name);
      } catch {
        return false; // whatever a server may answer
      }
    };
    return /** @type {Nickname[]} */ (found.filter(isSigned));
  }

  /** @param {string[]} accounts that are answered for, in small letters @param {Nickname[]} found theirs */
  take(accounts, found) {
    const byAccount = new Map(found.map((one) => [one.account.toLowerCase(), one]));
    const isChanged = accounts.some((one) => this.kept.get(one)?.name !== byAccount.get(one)?.name);
    for (const account of accounts) {
      const nickname = byAccount.get(account);
      if (nickname) this.kept.set(account, nickname);
      else this.kept.delete(account);
    }
    if (!isChanged) return;
    setNicknames(new Map([...this.kept].map(([address, { name }]) => [address, name])));
    this.redraw();
  }

  /** @param {string} address */
  of(address) {
    return this.kept.get(address.toLowerCase())?.name ?? "";
  }

  /** Gives an account of this browser a nickname; "" takes it back. Returns whether it is kept; `saves` says why not. @param {Account} account @param {string} text */
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
    const before = Math.max(this.signedAt, this.kept.get(key)?.issued ?? 0);
    const issued = Math.max(Math.floor(Date.now() / 1000), before + 1); // each must be later than the one before
    const nickname = { account: account.address, name, issued };
    try {
      const { signAs } = await this.loadSigning();
      const signature = await signAs(account, chain, typedDataOf(chain.chainId, nickname));
      await post("/nicknames", { ...nickname, signature });
      this.signedAt = issued;
      this.wanted.delete(key);
      this.take([key], name ? [{ ...nickname, signature }] : []);
    } catch (error) {
      return /** @type {any} */ (error).reason?.sentence ?? whyUnanswered(error); // a wallet refuses with a reason
    }
    return null;
  }

  /** The account that is called so, or alike; "": none, and `missing` says why. @param {string} name */
  async find(name) {
    this.missing = null;
    try {
      const { nicknames } = await get("/nicknames", { name });
      const accounts = nicknames.map((/** @type {Json} */ one) => String(one?.account).toLowerCase());
      const [found] = await this.signedOf(nicknames, this.chain()?.chainId ?? 0, accounts);
      if (found) return found.account;
      this.missing = { name, why: { key: "players.no-name", args: { name } } };
    } catch (error) {
      this.missing = { name, why: whyUnanswered(error) };
    }
    this.redraw();
    return "";
  }

  /** Another chain has other accounts. */
  reset() {
    this.wanted = new Set();
    this.missing = null;
    for (const one of [this.askedAt, this.kept, this.saves]) one.clear();
    setNicknames(new Map());
  }
}

/** @param {string} name */
const isReadable = (name) => clean(name) === name && [...name].length <= LONGEST;
