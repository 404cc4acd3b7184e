/**
 * Loads data about ERC-20 tokens: symbols, decimals, accounts' balances, and the allowances that
 * accounts have given to games.
 */

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
/** The maximum number of a token's decimals. A uint256 has at most 78 digits. */
const MAX_DECIMALS = 77;
/**
 * The characters that the page removes from a token's symbol. For example, a direction mark would
 * reverse the sentence in which the symbol appears.
 */
const NOT_IN_SYMBOL = /[^\p{L}\p{N}\p{Sc}.+_-]/gu;
const ASCII = /^[\x20-\x7e]*$/;
const FRESH_MS = 10_000;
const SERVER = { url: "", request: rpc };

/** @typedef {{symbol: string, decimals: number|undefined}} TokenInfo The symbol and the number of decimals of a token. `decimals`: undefined if the token's contract doesn't return a valid number. */
/** @typedef {{balance: bigint, allowance: bigint, at: number}} Holding */

/**
 * Make a token's symbol safe to show after an amount. The result can't be mistaken for digits of
 * the amount, and it can't change the direction of the text. @param {string} text
 */
function symbolOf(text) {
  const kept = [...text.replace(NOT_IN_SYMBOL, "")].slice(0, MAX_SYMBOL).join("");
  const quoted = /^\p{N}/u.test(kept) ? `“${kept}”` : kept;
  return ASCII.test(kept) ? quoted : isolate(quoted);
}

export class Tokens {
  /**
   * The node reports symbols and decimals. It is the player's own node, if there is one: with a
   * wrong number of decimals, the server could show a large stake as a small one. `url`: "" for the
   * server's node.
   * @param {() => void} redraw @param {{url: string, request: typeof rpc}} node
   */
  constructor(redraw, node = SERVER) {
    this.redraw = redraw;
    this.node = node;
    this.url = node.url;
    /** @type {Map<string, TokenInfo|null>} */
    this.known = new Map();
    /** @type {Map<string, Holding|null>} */
    this.holdings = new Map();
    this.formatAmount = this.formatAmount.bind(this);
  }

  /** Return a token's symbol and decimals. Return undefined if they aren't loaded yet. @param {string} token @returns {TokenInfo|undefined} */
  info(token) {
    return this.known.get(token) ?? undefined;
  }

  /** Load a token's symbol and decimals, unless they are loaded or being loaded. @param {string} token */
  request(token) {
    const { url } = this.node;
    if (this.url !== url) this.known.clear();
    this.url = url;
    if (this.known.has(token)) return;
    this.known.set(token, null);
    void this.read(token).then((facts) => {
      if (this.url === url) this.known.set(token, facts);
      this.redraw();
    });
  }

  /** @param {string} token @returns {Promise<TokenInfo>} */
  async read(token) {
    const { node } = this;
    const symbol = await callContract(node, token, "symbol", []).catch(() => "");
    const decimals = await callContract(node, token, "decimals", [])
      .then(Number)
      .catch(() => undefined);
    const isReadable = decimals !== undefined && decimals <= MAX_DECIMALS;
    return { symbol: symbolOf(String(symbol)) || longHex(token), decimals: isReadable ? decimals : undefined };
  }

  /**
   * Return an amount as text. If the amount is in a token, the text contains the token's address,
   * because different tokens can have the same symbol. @param {bigint} amount @param {string} [token] the token's address; omit it, or pass the zero address, for ether
   */
  formatAmount(amount, token) {
    const { symbol, decimals } = (token && this.info(token)) || {};
    if (!token || decimals === undefined) return amountOf(token, amount);
    return t("worth.token", {
      amount: decimal(formatUnits(amount, decimals)),
      symbol,
      token: longHex(token),
    });
  }

  /**
   * Return an account's balance in a token, and its allowance for a game's contract. Return
   * undefined if they aren't loaded yet. @param {string} token @param {string} owner @param {string} spender
   */
  holding(token, owner, spender) {
    return this.holdings.get([token, owner, spender].join()) ?? undefined;
  }

  /** Load an account's balance and allowance, unless they are loaded and recent. @param {string} token @param {string} owner @param {string} spender */
  requestHolding(token, owner, spender) {
    const key = [token, owner, spender].join();
    const known = this.holdings.get(key);
    if (known === null || (known && Date.now() - known.at <= FRESH_MS)) return;
    if (!known) this.holdings.set(key, null);
    else known.at = Date.now();
    void Promise.all([
      callContract(SERVER, token, "balanceOf", [owner]),
      callContract(SERVER, token, "allowance", [owner, spender]),
    ])
      .then(([balance, allowance]) => {
        this.holdings.set(key, { balance, allowance, at: Date.now() });
        this.redraw();
      })
      .catch(() => {
        if (!known) this.holdings.delete(key);
      });
  }

  /** Forget all tokens and balances. Called when the chain changes. */
  reset() {
    for (const cache of [this.known, this.holdings]) cache.clear();
  }

  /**
   * Forget the balances and allowances. Also forget the tokens whose data could not be read, so
   * that the page loads them again. Called after a transaction.
   */
  forget() {
    this.holdings.clear();
    for (const [token, facts] of this.known) if (facts && facts.decimals === undefined) this.known.delete(token);
  }
}

/** @param {string} spender @param {bigint} amount */
export const approval = (spender, amount) => ERC20.encodeFunctionData("approve", [spender, amount]);

/** @param {{request: typeof rpc}} node @param {string} token @param {string} name @param {any[]} args @returns {Promise<any>} */
async function callContract(node, token, name, args) {
  const answer = await node.request("eth_call", [{ to: token, data: ERC20.encodeFunctionData(name, args) }, "latest"]);
  // Some old tokens return their symbol as bytes32 instead of a string.
  if (name === "symbol" && answer.length === 66) return bytes32Text(answer);
  return ERC20.decodeFunctionResult(name, answer)[0];
}
