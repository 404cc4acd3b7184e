/** Estimates the fee for a transaction's data, in wei. Only OP Stack chains charge this fee. */

import { Interface } from "../../lib/ethereum/abi.js";
import { toQuantity } from "../../lib/ethereum/bytes.js";
import { signedLike } from "../wallet/signer.js";
import { RpcError, rpc } from "../../server/jsonrpc.js";
import gasPriceOracle from "./gas-price-oracle.abi.js";

/** @import { Tx } from "../../types.js" */

/** The address of the contract that calculates the data fee, the same on all OP Stack chains. */
const ORACLE = "0x420000000000000000000000000000000000000F";
const GAS_PRICE_ORACLE = new Interface(gasPriceOracle);
/** A placeholder for gas fees that aren't known yet. It takes more bytes than any real fee. */
const LARGE = 2n ** 40n;
/** A typical argument of a call: a 32-byte word that contains a small number. */
const WORD = "00".repeat(28) + "5a3c96e1";
/**
 * Two sample calls have arguments of these lengths, in words of 32 bytes. From the fees of the two
 * calls, the page calculates the fee for any number of words.
 */
const [FEW, MANY] = [1, 21];
const FRESH_MS = 30_000;

/** @typedef {{base: bigint, word: bigint}} DataFee The data fee of a call, in wei. `base`: the fee for a call without arguments. `word`: the additional fee for each argument word of 32 bytes. */
/** @typedef {Pick<Tx, "to"|"data"|"value">} Payload */

export class L1Fees {
  constructor() {
    /** True if the chain has no data fees. The page then doesn't ask the contract again. */
    this.isMissing = false;
    /** @type {DataFee} */
    this.last = { base: 0n, word: 0n };
    this.readAt = 0;
  }

  /** Return the data fee of the signed transaction for a call, or 0 on a chain without data fees. @param {Payload} call @returns {Promise<bigint>} */
  async of(call) {
    if (this.isMissing) return 0n;
    const data = GAS_PRICE_ORACLE.encodeFunctionData("getL1Fee", [longest(call)]);
    const answer = await rpc("eth_call", [{ to: ORACLE, data, gas: toQuantity(1_000_000) }, "latest"]).catch(noAnswer);
    if (answer.length === 66) return BigInt(answer);
    this.isMissing = true;
    return 0n;
  }

  /** Return the approximate data fee per call and per argument word. Cache it for 30 seconds. @param {number} [now] @returns {Promise<DataFee>} */
  async linearFee(now = Date.now()) {
    if (this.isMissing || now - this.readAt < FRESH_MS) return this.last;
    const few = await this.of(sample(FEW));
    const many = this.isMissing ? 0n : await this.of(sample(MANY));
    const word = (many > few ? many - few : 0n) / BigInt(MANY - FEW);
    this.readAt = now;
    return (this.last = { base: few - word * BigInt(FEW), word });
  }
}

/** @param {DataFee} line @param {number} words the number of argument words of 32 bytes */
export const about = ({ base, word }, words) => base + word * BigInt(words);

/**
 * Handle a failed call to the contract that calculates data fees. If the node returned an error,
 * this chain doesn't have the contract, so return an empty answer. Rethrow any other error. @param {unknown} error
 */
function noAnswer(error) {
  if (error instanceof RpcError) return "0x";
  throw error;
}

/** @param {number} words @returns {Payload} */
const sample = (words) => ({ to: ORACLE, data: `0x5a3c96e1${WORD.repeat(words)}`, value: 0n });

/**
 * Return a signed transaction for this call. Its fields have such high values that no real
 * transaction is longer. @param {Payload} call @returns {string} 0x hex
 */
function longest({ to, data, value }) {
  const fees = { maxFeePerGas: LARGE, maxPriorityFeePerGas: LARGE, gasLimit: 2n ** 24n - 1n };
  return signedLike({ chainId: 2 ** 32 - 1, nonce: 2 ** 24 - 1, to, data, value, ...fees });
}
