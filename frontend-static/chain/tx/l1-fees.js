/**
 * Estimates the fee for a transaction's data on an OP-stack chain, in wei. Other chains have no
 * such fee.
 */

import { Interface } from "../../lib/ethereum/abi.js";
import { toQuantity } from "../../lib/ethereum/bytes.js";
import { signedLike } from "../wallet/signer.js";
import { RpcError, rpc } from "../../server/jsonrpc.js";
import gasPriceOracle from "./gas-price-oracle.abi.js";

/** @import { Tx } from "../../types.js" */

/** The oracle's address, which is the same on every OP-stack chain. */
const ORACLE = "0x420000000000000000000000000000000000000F";
const GAS_PRICE_ORACLE = new Interface(gasPriceOracle);
/** A placeholder of five nonzero bytes for fees that are not known yet. */
const LARGE = 2n ** 40n;
/** A typical argument: a small number in a word. */
const WORD = "00".repeat(28) + "5a3c96e1";
/**
 * The number of words in each of the two samples. The fee is assumed to be linear in the number of
 * words.
 */
const [FEW, MANY] = [1, 21];
const FRESH_MS = 30_000;

/** @typedef {{base: bigint, word: bigint}} DataFee `base`: the fee of a signed call without arguments; `word`: the fee per word of arguments. */
/** @typedef {Pick<Tx, "to"|"data"|"value">} Payload */

export class L1Fees {
  constructor() {
    /** True if no oracle answered. The page doesn't ask again. */
    this.isMissing = false;
    /** @type {DataFee} */
    this.last = { base: 0n, word: 0n };
    this.readAt = 0;
  }

  /** Return the data fee of a signed call, or 0 on a chain without data fees. @param {Payload} call @returns {Promise<bigint>} */
  async of(call) {
    if (this.isMissing) return 0n;
    const data = GAS_PRICE_ORACLE.encodeFunctionData("getL1Fee", [longest(call)]);
    const answer = await rpc("eth_call", [{ to: ORACLE, data, gas: toQuantity(1_000_000) }, "latest"]).catch(noAnswer);
    if (answer.length === 66) return BigInt(answer);
    this.isMissing = true;
    return 0n;
  }

  /** Return the approximate fee for calls of any length. It is refreshed every 30 seconds. @param {number} [now] @returns {Promise<DataFee>} */
  async linearFee(now = Date.now()) {
    if (this.isMissing || now - this.readAt < FRESH_MS) return this.last;
    const few = await this.of(sample(FEW));
    const many = this.isMissing ? 0n : await this.of(sample(MANY));
    const word = (many > few ? many - few : 0n) / BigInt(MANY - FEW);
    this.readAt = now;
    return (this.last = { base: few - word * BigInt(FEW), word });
  }
}

/** @param {DataFee} line @param {number} words the number of argument words */
export const about = ({ base, word }, words) => base + word * BigInt(words);

/**
 * Handle a failed call. An RPC error means that there is no oracle, but any other error proves
 * nothing, so rethrow it. @param {unknown} error
 */
function noAnswer(error) {
  if (error instanceof RpcError) return "0x";
  throw error;
}

/** @param {number} words @returns {Payload} */
const sample = (words) => ({ to: ORACLE, data: `0x5a3c96e1${WORD.repeat(words)}`, value: 0n });

/** Return a signed transaction for this call, with fields so large that no real one is longer. @param {Payload} call @returns {string} 0x hex */
function longest({ to, data, value }) {
  const fees = { maxFeePerGas: LARGE, maxPriorityFeePerGas: LARGE, gasLimit: 2n ** 24n - 1n };
  return signedLike({ chainId: 2 ** 32 - 1, nonce: 2 ** 24 - 1, to, data, value, ...fees });
}
