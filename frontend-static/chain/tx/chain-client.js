/**
 * Gives the transaction manager access to the chain: simulates, signs, sends and looks up
 * transactions.
 */

import { signTransaction } from "../wallet/signer.js";
import { toQuantity } from "../../lib/ethereum/bytes.js";
import { keccak256 } from "../../lib/ethereum/hash.js";
import { interfaceOf } from "../../lib/ethereum/abi.js";
import { HISTORY_BLOCKS, MAX_PRIORITY_FEE, PERCENTILES, nextBaseFee, paidPriorityFee, suggested } from "./fees.js";
import { L1Fees } from "./l1-fees.js";
import { WalletRejection } from "../wallet/eip1193.js";
import { lastOf } from "./model.js";
import { explain } from "./revert-reason.js";
import { abiOf } from "../../server/abi.js";
import { NodeUnavailable, batch, errorsOf, rpc } from "../../server/jsonrpc.js";

/** @import { CurrentFees, Receipt, Signed } from "./model.js" */
/** @import { Account, Fees, GameInfo, Health, Reason, Tx } from "../../types.js" */

const GWEI = 1_000_000_000n;
const TRANSFER_GAS = 21_000n;
/** The number of confirmations that make a block final if the node has no `finalized` tag. */
const FINAL_BLOCKS = 64;
/** The length of a selector as 0x hex. The data of a custom error are at least this long. */
const SELECTOR = "0x12345678".length;

export class ChainClient {
  /** @param {() => Health|null} health @param {(address: string) => Account|undefined} account @param {(slug: string) => Partial<Pick<GameInfo, "abi"|"abiHash">>|undefined} game */
  constructor(health, account, game) {
    this.health = health;
    this.account = account;
    this.game = game;
    this.l1Fees = new L1Fees();
  }

  /**
   * Simulate a transaction in the state that follows the account's pending transactions. Return the
   * gas limit to use. Throws if the transaction would fail. @param {Tx} tx @returns {Promise<bigint>}
   */
  async simulate(tx) {
    const call = callOf(tx);
    const called = tx.data === "0x" ? null : rpc("eth_call", [call, "pending"]); // a transfer without data calls no function, so only the gas is estimated
    const [, estimate] = await Promise.all([called, rpc("eth_estimateGas", [call, "pending"])]);
    const padded = (BigInt(estimate) * 5n) / 4n;
    return padded < tx.gasCap ? padded : tx.gasCap;
  }

  /**
   * Simulate several transactions. For each of them, return the reason why it would be reverted.
   * Return null if it would succeed, or if the contract gives no reason.
   * @param {(Call & {game: string, gasCap: bigint})[]} requests @returns {Promise<(Reason|null)[]>}
   */
  async rejectionsOf(requests) {
    const errors = await errorsOf(
      requests.map((one) => ["eth_call", [{ ...callOf(one), gas: toQuantity(one.gasCap) }, "pending"]]),
    );
    return Promise.all(
      errors.map((error, i) => (error && error.data.length >= SELECTOR ? this.reason(requests[i], error) : null)),
    );
  }

  /** @param {string} address @param {"latest"|"pending"} [at] */
  async transactionCount(address, at = "pending") {
    return Number(await rpc("eth_getTransactionCount", [address, at]));
  }

  /** @returns {Promise<CurrentFees>} */
  async currentFees() {
    const [block, history] = await Promise.all([
      rpc("eth_getBlockByNumber", ["latest", false]),
      rpc("eth_feeHistory", [toQuantity(HISTORY_BLOCKS), "latest", PERCENTILES]).catch(() => null),
    ]);
    const usual =
      paidPriorityFee(history) ?? BigInt(await rpc("eth_maxPriorityFeePerGas", []).catch(() => toQuantity(GWEI)));
    const priorityFee = usual < MAX_PRIORITY_FEE ? usual : MAX_PRIORITY_FEE;
    const [known, next] = [BigInt(block.baseFeePerGas ?? GWEI), nextBaseFee(history)];
    const baseFee = known > next ? known : next;
    return { ...suggested(baseFee, priorityFee), baseFee, height: Number(block.number) };
  }

  /** Return true if a wallet sends the transaction. The wallet chooses the nonce and asks its user. @param {Tx} tx */
  walletSends(tx) {
    return Boolean(this.account(tx.account)?.provider);
  }

  /** @param {Tx} tx @param {bigint} gas @returns {Promise<string>} the transaction's hash */
  async sendByWallet(tx, gas) {
    const [account, health] = [this.account(tx.account), this.health()];
    if (!account || !health) throw new Error(`there is no wallet for ${tx.account}`);
    const { sendByWallet } = await import("../wallet/injected-wallet.js");
    return sendByWallet(account, health, { ...callOf(tx), gas: toQuantity(gas) });
  }

  /** @param {string} account */
  canSign(account) {
    return Boolean(this.account(account)?.key);
  }

  /** @param {Call} tx @param {bigint} gasLimit @param {number} nonce @param {Fees} fees @returns {Promise<Signed>} */
  async sign({ account, to, data, value }, gasLimit, nonce, { maxFeePerGas, maxPriorityFeePerGas }) {
    const key = this.account(account)?.key;
    if (!key) throw new Error(`there is no key for ${account}`);
    const fees = { maxFeePerGas, maxPriorityFeePerGas };
    const chainId = Number(this.health()?.chainId);
    const raw = signTransaction(key, { chainId, to, data, value, nonce, gasLimit, ...fees });
    return { raw, hash: keccak256(raw) };
  }

  /** Sign a transfer of 0 ether from an account to itself, to use up a nonce. @param {string} account @param {number} nonce @param {Fees} fees */
  signEmpty(account, nonce, fees) {
    return this.sign({ account, to: account, data: "0x", value: 0n }, TRANSFER_GAS, nonce, fees);
  }

  /** @param {string} raw */
  async send(raw) {
    await rpc("eth_sendRawTransaction", [raw]);
  }

  /** @param {string} hash */
  async transactionNonce(hash) {
    const found = await rpc("eth_getTransactionByHash", [hash]);
    return found ? Number(found.nonce) : null;
  }

  /** @param {string[]} hashes @returns {Promise<(Receipt & {logs: any[]}|null)[]>} */
  async receipts(hashes) {
    const found = await batch(hashes.map((hash) => ["eth_getTransactionReceipt", [hash]]));
    return found.map(
      (one, i) =>
        one && {
          block: Number(one.blockNumber),
          blockHash: one.blockHash,
          hash: hashes[i],
          ok: BigInt(one.status) === 1n,
          logs: one.logs,
        },
    );
  }

  /**
   * Return the height of the last final block. On a development chain, the server reports this
   * height. Otherwise, ask the node.
   */
  async finalHeight() {
    const known = this.health()?.finalHead;
    if (typeof known === "number") return known;
    const [latest, final] = await batch([
      ["eth_blockNumber", []],
      ["eth_getBlockByNumber", ["finalized", false]],
    ]).catch(() => [null, null]);
    return finalOf(latest ?? "0x0", final);
  }

  /**
   * Return the match that a transaction has opened, in the form `game/id`. Return undefined if the
   * transaction has opened no match. @param {Tx} tx @param {Receipt & {logs?: any[]}} receipt Rejects with NodeUnavailable.
   */
  async openedMatch(tx, { logs = [] }) {
    const abi = interfaceOf(await this.abi(tx.game));
    const found = logs
      .map((log) => (log.address.toLowerCase() === tx.to.toLowerCase() ? abi.parseLog(log) : null))
      .find((log) => log?.name === "MatchCreated");
    return found ? `${tx.game}/${found.args.matchId}` : undefined;
  }

  /** Return the reason why a mined transaction failed, by simulating it again at its block. @param {Tx} tx @param {number} block @returns {Promise<Reason>} */
  async failureReason(tx, block) {
    const call = callOf(tx);
    try {
      await rpc("eth_call", [call, toQuantity(block)]);
    } catch (error) {
      return this.reason(tx, error);
    }
    return { sentence: { key: "tx.unexplained" }, small: lastOf(tx) };
  }

  /**
   * Return the text that explains an error. The game's ABI is used to decode a contract's error, if
   * the ABI can be loaded. @param {Pick<Tx, "game">} tx @param {unknown} error @returns {Promise<Reason>}
   */
  async reason(tx, error) {
    return error instanceof WalletRejection
      ? error.reason
      : explain(error, await this.abi(tx.game).catch(() => []), tx.game);
  }

  /** @param {string} slug @returns {Promise<readonly any[]>} Rejects with NodeUnavailable. */
  async abi(slug) {
    const game = this.game(slug);
    try {
      return game ? await abiOf(game) : [];
    } catch (error) {
      throw new NodeUnavailable(String(error));
    }
  }
}

/**
 * Return the height of the last final block. If the node has no `finalized` tag, or reports even
 * the newest block as final, count confirmations instead. @param {string} latest @param {{number: string}|null} final
 */
export function finalOf(latest, final) {
  const saysFinal = final && Number(final.number) < Number(latest);
  return saysFinal ? Number(final.number) : Number(latest) - FINAL_BLOCKS;
}

/** @typedef {Pick<Tx, "account"|"to"|"data"|"value">} Call */
/** @param {Call} tx */
const callOf = ({ account, to, data, value }) => ({
  from: account,
  to,
  data,
  ...(value ? { value: toQuantity(value) } : {}),
});
