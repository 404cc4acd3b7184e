/** What the transaction manager asks of a chain: simulate, count, sign, send, look up. */

import { Interface, Wallet, keccak256 } from "./vendor/ethers.min.js";
import { WalletRefusal, sendByWallet } from "./injected.js";
import { explain } from "./refusal.js";
import { rpc } from "./rpc.js";

/** @import { Account, GameInfo, Health, Reason, Tx } from "./types.js" */
/** @typedef {{maxFeePerGas: bigint, maxPriorityFeePerGas: bigint}} Fees */

const GWEI = 1_000_000_000n;
const hex = (/** @type {bigint|number} */ number) => `0x${number.toString(16)}`;

export class Chain {
  /** @param {() => Health|null} health @param {(address: string) => Account|undefined} account @param {(slug: string) => Pick<GameInfo, "abi">|undefined} game */
  constructor(health, account, game) {
    this.health = health;
    this.account = account;
    this.game = game;
  }

  /** The gas limit for a transaction that would succeed now, after one's own queued ones. @param {Tx} tx @returns {Promise<bigint>} */
  async simulate(tx) {
    const call = callOf(tx);
    const called = tx.data === "0x" ? null : rpc("eth_call", [call, "pending"]); // a plain transfer calls nothing
    const [, estimate] = await Promise.all([called, rpc("eth_estimateGas", [call, "pending"])]);
    const padded = (BigInt(estimate) * 5n) / 4n;
    return padded < tx.gasCap ? padded : tx.gasCap;
  }

  /** @param {string} address @param {"latest"|"pending"} [at] */
  async count(address, at = "pending") {
    return Number(await rpc("eth_getTransactionCount", [address, at]));
  }

  /** @returns {Promise<Fees>} */
  async fees() {
    const [block, tip] = await Promise.all([
      rpc("eth_getBlockByNumber", ["latest", false]),
      rpc("eth_maxPriorityFeePerGas", []).catch(() => hex(GWEI)),
    ]);
    const maxPriorityFeePerGas = BigInt(tip);
    return { maxPriorityFeePerGas, maxFeePerGas: BigInt(block.baseFeePerGas ?? GWEI) * 2n + maxPriorityFeePerGas };
  }

  /** The wallet owns the nonce and asks its user. @param {Tx} tx */
  walletSends(tx) {
    return Boolean(this.account(tx.account)?.provider);
  }

  /** @param {Tx} tx @param {bigint} gas @returns {Promise<string>} the hash */
  sendByWallet(tx, gas) {
    const [account, health] = [this.account(tx.account), this.health()];
    if (!account || !health) throw new Error(`no wallet for ${tx.account}`);
    return sendByWallet(account, health, { ...callOf(tx), gas: hex(gas) });
  }

  /** @param {Tx} tx @param {bigint} gasLimit @param {number} nonce @param {Fees} fees */
  async sign(tx, gasLimit, nonce, fees) {
    const key = this.account(tx.account)?.key;
    if (!key) throw new Error(`no key for ${tx.account}`);
    const order = { type: 2, chainId: this.health()?.chainId, to: tx.to, data: tx.data, value: tx.value, nonce, gasLimit, ...fees };
    const raw = await new Wallet(key).signTransaction(order);
    return { raw, hash: keccak256(raw) };
  }

  /** @param {string} raw */
  async send(raw) {
    await rpc("eth_sendRawTransaction", [raw]);
  }

  /** Whether the node has it, waiting or in a block. @param {string} hash */
  async known(hash) {
    return (await rpc("eth_getTransactionByHash", [hash])) !== null;
  }

  /** @param {Tx} tx @returns {Promise<{block: number, ok: boolean, opened?: string}|null>} */
  async receipt(tx) {
    const receipt = await rpc("eth_getTransactionReceipt", [tx.hash]);
    if (!receipt) return null;
    return { block: Number(receipt.blockNumber), ok: BigInt(receipt.status) === 1n, opened: this.opened(tx, receipt.logs) };
  }

  /** The match that a transaction opened. @param {Tx} tx @param {any[]} logs */
  opened(tx, logs) {
    const abi = new Interface(this.game(tx.game)?.abi ?? []);
    const found = logs.map((log) => (log.address.toLowerCase() === tx.to.toLowerCase() ? abi.parseLog(log) : null)).find((log) => log?.name === "MatchCreated");
    return found ? `${tx.game}/${found.args.matchId}` : undefined;
  }

  /** Why a transaction failed in a block: asked again on top of that block. @param {Tx} tx @param {number} block @returns {Promise<Reason>} */
  async postMortem(tx, block) {
    const call = callOf(tx);
    try {
      await rpc("eth_call", [call, hex(block)]);
    } catch (error) {
      return this.reason(tx, error);
    }
    return { sentence: { key: "tx.unexplained" }, small: tx.hash ?? "" };
  }

  /** @param {Tx} tx @param {unknown} error @returns {Reason} */
  reason(tx, error) {
    return error instanceof WalletRefusal ? error.reason : explain(error, this.game(tx.game)?.abi ?? [], tx.game);
  }
}

/** @param {Tx} tx */
const callOf = ({ account, to, data, value }) => ({ from: account, to, data, ...(value ? { value: hex(value) } : {}) });

/** The call data of an action. @param {GameInfo} game @param {import("./types.js").Action} action @param {(name: string) => any} value of an argument */
export function encode(game, action, value) {
  const abi = new Interface(game.abi);
  const fragment = abi.getFunction(action.signature);
  if (!fragment) throw new Error(`${game.slug} has no ${action.signature}`);
  return abi.encodeFunctionData(fragment, fragment.inputs.map(({ name }) => value(name)));
}

/** Whether an action opens a match rather than plays in one. @param {GameInfo} game @param {import("./types.js").Action} action */
export function opens(game, action) {
  return !new Interface(game.abi).getFunction(action.signature)?.inputs.some(({ name }) => name === "matchId");
}
