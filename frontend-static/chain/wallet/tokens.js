/** ERC-20 tokens: symbol and decimals, balances, and the allowances of games. */

import { Interface } from "../../lib/ethereum/abi.js";
import { bytes32Text } from "../../lib/ethereum/bytes.js";
import { formatUnits } from "../../lib/ethereum/ether.js";
import { amountOf } from "../../games/shared/amounts.js";
import { isolate } from "../../lib/patterns.js";
import { rpc } from "../../server/jsonrpc.js";
import { decimal } from "../../i18n/quantities.js";
import { longHex, t } from "../../i18n/translate.js";
import erc20 from "./erc20.abi.js";

const ERC20 = new Interface(erc20);
const MAX_SYMBOL = 12;
/** A uint256 has 78 digits. */
const MAX_DECIMALS = 77;
/** What a symbol can't have: it stands in sentences about money, and marks of direction would turn them round. */
const NOT_IN_SYMBOL = /[^\p{L}\p{N}\p{Sc}.+_-]/gu;
const ASCII = /^[\x20-\x7e]*$/;
const FRESH_MS = 10_000;

/** @typedef {{symbol: string, decimals: number|undefined}} TokenInfo `decimals`: undefined when the token can't be read. */
/** @typedef {{balance: bigint, allowance: bigint, at: number}} Holding */

/** As it can stand beside an amount: not as more digits of it, and with a direction of its own. @param {string} text */
function symbolOf(text) {
  const kept = [...text.replace(NOT_IN_SYMBOL, "")].slice(0, MAX_SYMBOL).join("");
  const quoted = /^\p{N}/u.test(kept) ? `“${kept}”` : kept;
  return ASCII.test(kept) ? quoted : isolate(quoted);
}

export class Tokens {
  /** @param {() => void} redraw */
  constructor(redraw) {
    this.redraw = redraw;
    /** @type {Map<string, TokenInfo|null>} */
    this.known = new Map();
    /** @type {Map<string, Holding|null>} */
    this.holdings = new Map();
    this.formatAmount = this.formatAmount.bind(this);
  }

  /** Undefined until it was asked. @param {string} token @returns {TokenInfo|undefined} */
  info(token) {
    return this.known.get(token) ?? undefined;
  }

  /** Asks what a token is, once. @param {string} token */
  request(token) {
    if (this.known.has(token)) return;
    this.known.set(token, null);
    void this.read(token).then((facts) => {
      this.known.set(token, facts);
      this.redraw();
    });
  }

  /** @param {string} token @returns {Promise<TokenInfo>} */
  async read(token) {
    const symbol = await ask(token, "symbol", []).catch(() => "");
    const decimals = await ask(token, "decimals", [])
      .then(Number)
      .catch(() => undefined);
    const isReadable = decimals !== undefined && decimals <= MAX_DECIMALS;
    return { symbol: symbolOf(String(symbol)) || longHex(token), decimals: isReadable ? decimals : undefined };
  }

  /** An amount in words. A token is named by its address too, as it may call itself as it likes. @param {bigint} amount @param {string} [token] none, or the zero address: ether */
  formatAmount(amount, token) {
    const { symbol, decimals } = (token && this.info(token)) || {};
    if (!token || decimals === undefined) return amountOf(token, amount);
    return t("worth.token", {
      amount: decimal(formatUnits(amount, decimals)),
      symbol,
      token: longHex(token),
    });
  }

  /** An account's balance and a game's allowance; undefined until loaded. @param {string} token @param {string} owner @param {string} spender */
  holding(token, owner, spender) {
    return this.holdings.get([token, owner, spender].join()) ?? undefined;
  }

  /** Asks for it, and again when it is old. @param {string} token @param {string} owner @param {string} spender */
  requestHolding(token, owner, spender) {
    const key = [token, owner, spender].join();
    const known = this.holdings.get(key);
    if (known === null || (known && Date.now() - known.at <= FRESH_MS)) return;
    if (!known) this.holdings.set(key, null);
    else known.at = Date.now();
    void Promise.all([ask(token, "balanceOf", [owner]), ask(token, "allowance", [owner, spender])])
      .then(([balance, allowance]) => {
        this.holdings.set(key, { balance, allowance, at: Date.now() });
        this.redraw();
      })
      .catch(() => {
        if (!known) this.holdings.delete(key);
      });
  }

  /** Of another chain. */
  reset() {
    for (const cache of [this.known, this.holdings]) cache.clear();
  }

  /** A transaction may have changed what was known, or another token may be let through now. */
  forget() {
    this.holdings.clear();
    for (const [token, facts] of this.known) if (facts && facts.decimals === undefined) this.known.delete(token);
  }
}

/** @param {string} spender @param {bigint} amount */
export const approval = (spender, amount) => ERC20.encodeFunctionData("approve", [spender, amount]);

/** @param {string} token @param {string} name @param {any[]} args @returns {Promise<any>} */
async function ask(token, name, args) {
  const answer = await rpc("eth_call", [{ to: token, data: ERC20.encodeFunctionData(name, args) }, "latest"]);
  // Some old tokens return their symbol as bytes32.
  if (name === "symbol" && answer.length === 66) return bytes32Text(answer);
  return ERC20.decodeFunctionResult(name, answer)[0];
}
