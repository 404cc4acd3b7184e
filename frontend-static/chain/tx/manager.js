/** The transaction manager: one queue per account; a nonce is chosen when it is signed, and never leaves a gap. */

import { bumped, limitOf } from "./fees.js";
import { lastOf } from "./model.js";
import { classify } from "../../server/node-errors.js";
import { reserve } from "./nonce.js";
import { checkAll, resend } from "./tracker.js";
import { NodeUnavailable, RpcError } from "../../server/jsonrpc.js";
import { TRANSITIONS, isDone, isRetryable, isTracked, isUnsent } from "./states.js";

/** @import { Journal } from "./journal.js" */
/** @import { ChainBackend, CurrentFees, TxRequest } from "./model.js" */
/** @import { Fees, Tx, TxState } from "../../types.js" */

const RETRY_MS = [100, 300, 1000, 2000];
const TRIES = 4;
const PRICED_MS = 1500;
const MAX_SIGNINGS = 6;
/** A click is not carried out so long after it: the player has gone on. */
const ADOPT_MS = 600_000;

/** A signed transaction whose nonce was taken, or lies above a shorter chain: its bytes must not be sent (again). */
class Stale extends Error {}

export class TransactionManager {
  /**
   * @param {ChainBackend} client
   * @param {Journal} journal
   * @param {(tx: Tx) => void} onChange called after each step, also of another tab
   * @param {(ms: number) => Promise<void>} sleep
   */
  constructor(
    client,
    journal,
    onChange = () => undefined,
    sleep = (ms) => new Promise((done) => setTimeout(done, ms)),
  ) {
    this.client = client;
    this.journal = journal;
    this.onChange = onChange;
    this.sleep = sleep;
    this.chain = "";
    /** @type {Tx[]} the oldest first */
    this.list = [];
    /** @type {Map<string, Promise<void>>} */
    this.queues = new Map();
    this.submitted = 0;
    this.wanted = false;
    /** @type {Promise<void>|null} */
    this.checking = null;
    journal.onChange = (tx) => this.merge(tx);
  }

  // ---- what is kept

  /** Loads the journal of a chain, `<chain id> <genesis hash>`. @param {string} chain */
  async open(chain) {
    this.chain = chain;
    for (const tx of await this.journal.all(chain)) this.merge(tx);
    await this.adoptFromClosedTabs();
    await this.check();
  }

  /** Merges a transaction of another tab or an earlier page; a state that this page knows better stays. @param {Tx} other */
  merge(other) {
    if (other.chain !== this.chain) return;
    const tx = this.list.find(({ id }) => id === other.id);
    if (!tx) this.list.splice(this.list.findLastIndex(({ at }) => at <= other.at) + 1, 0, other);
    else if (tx.state === other.state || TRANSITIONS[tx.state].includes(other.state)) Object.assign(tx, other);
    this.onChange(tx ?? other);
  }

  /** Sends what closed tabs left unsent, in their order, unless it is old. */
  async adoptFromClosedTabs() {
    for (const tx of this.list.filter(({ state, tab }) => isUnsent(state) && tab !== this.journal.tab)) {
      if (tx.state !== "signed" && !this.client.canSign(tx.account) && !isOld(tx)) continue; // its key is asked for later
      if ((await this.journal.isTabOpen(tx)) || !(await this.journal.claim(tx))) continue;
      tx.tab = this.journal.tab;
      this.enqueue(tx);
    }
  }

  /** @param {TxRequest} request @returns {Tx} */
  submit(request) {
    const at = Date.now();
    const id = `${this.journal.tab}-${String(++this.submitted).padStart(6, "0")}`;
    /** @type {Tx} */
    const tx = { ...request, id, chain: this.chain, tab: this.journal.tab, state: "waiting", at, hashes: [] };
    this.list.push(tx);
    void this.journal.add({ ...tx });
    this.enqueue(tx);
    this.onChange(tx);
    return tx;
  }

  /**
   * Sends a dropped or retracted transaction again: its old bytes while their nonce is free, as new ones could count beside
   * them; else as a new transaction, which the contract may refuse.
   * @param {Tx} tx
   */
  async resubmit(tx) {
    const free = await this.locked(tx.account, async () => {
      const next = await this.withRetry(() => reserve(this, tx.account), TRIES);
      if (!isRetryable(tx) || next !== tx.nonce || !tx.raw) return true;
      await resend(this, tx);
      return false;
    });
    if (!free || !isRetryable(tx) || tx.settled) return this.check();
    void this.update(tx, { settled: true });
    const { account, to, data, value, gasCap, match, action, game, cell, seat } = tx;
    this.submit({ account, to, data, value, gasCap, match, action, game, cell, seat });
  }

  /** @param {Tx} tx */
  enqueue(tx) {
    const before = this.queues.get(tx.account) ?? Promise.resolve();
    const turn = before.then(() => this.locked(tx.account, () => this.run(tx)));
    this.queues.set(tx.account, turn);
    void turn.then(() => this.check()); // not inside the lock, which it may need
  }

  /** Runs under the account's lock: one tab at a time. @template T @param {string} account @param {() => Promise<T>} work @returns {Promise<T>} */
  locked(account, work) {
    return this.journal.lock(`${this.chain} ${account}`, work);
  }

  /** Moves a transaction to a state that may follow its own; settles when that is on the disk. @param {Tx} tx @param {TxState} state @param {Partial<Tx>} [more] */
  transition(tx, state, more = {}) {
    if (!TRANSITIONS[tx.state].includes(state)) throw new Error(`transaction ${tx.id}: ${tx.state} -> ${state}`);
    return this.update(tx, { ...more, state });
  }

  /** @param {Tx} tx @param {Partial<Tx>} fields */
  update(tx, fields) {
    Object.assign(tx, fields);
    this.onChange(tx);
    return this.journal.write(tx.id, fields);
  }

  // ---- from the queue to sent

  /** Sends one transaction. Never throws: what fails ends in a state. @param {Tx} tx */
  async run(tx) {
    try {
      if (tx.state === "signed") await this.signAndSend(tx, 0n);
      else await this.simulateAndSend(tx);
    } catch (error) {
      // Here the nonce was not used, or the node never took it: the next transaction takes the same one.
      if (isUnsent(tx.state))
        void this.transition(tx, "refused", {
          nonce: undefined,
          raw: undefined,
          reason: this.client.reason(tx, error),
        });
    }
  }

  /** @param {Tx} tx */
  async simulateAndSend(tx) {
    if (isOld(tx)) return void this.transition(tx, "refused", { reason: { sentence: { key: "tx.old" }, small: "" } });
    const gas = await this.simulate(tx);
    if (gas === null || isDone(tx.state)) return;
    if (this.client.walletSends(tx))
      void this.transition(tx, "sent", { hashes: [await this.client.sendByWallet(tx, gas)] });
    else await this.signAndSend(tx, gas);
  }

  /** @param {Tx} tx @returns {Promise<bigint|null>} the gas limit; null when refused */
  async simulate(tx) {
    try {
      const gas = await this.withRetry(() => this.client.simulate(tx), TRIES);
      if (tx.state === "waiting") void this.transition(tx, "simulated");
      return gas;
    } catch (error) {
      const lost = error instanceof NodeUnavailable;
      const reason = lost ? { sentence: { key: "tx.not-sent" }, small: error.message } : this.client.reason(tx, error);
      if (isUnsent(tx.state)) void this.transition(tx, "refused", { reason });
      return null;
    }
  }

  /** @param {Tx} tx @param {bigint} limit of gas, by a simulation; not needed for what is signed already */
  async signAndSend(tx, limit) {
    /** @type {Set<number>} */
    const taken = new Set();
    for (let signing = 1, gas = limit; ; signing++) {
      if (tx.state !== "signed" && !(await this.sign(tx, gas, taken))) return;
      try {
        return await this.deliver(tx);
      } catch (error) {
        const kind = error instanceof Stale ? "low" : classify(error);
        if (signing === MAX_SIGNINGS || !(await this.prepareRetry(tx, kind, taken))) throw error;
        if (tx.state === "simulated") gas = await this.withRetry(() => this.client.simulate(tx)); // on another chain than the first time
      }
    }
  }

  /** Reserves a nonce and signs; the bytes are on the disk before anybody sees them. @param {Tx} tx @param {bigint} gas @param {Set<number>} taken */
  async sign(tx, gas, taken) {
    const [nonce, price] = await this.withRetry(() =>
      Promise.all([reserve(this, tx.account, taken), this.client.currentFees()]),
    );
    if (isDone(tx.state)) return false;
    const fees = feesOf(price);
    const { raw, hash } = await this.client.sign(tx, gas, nonce, fees);
    this.dropDuplicate(hash);
    await this.transition(tx, "signed", {
      nonce,
      raw,
      gas,
      fees,
      limit: limitOf(fees),
      sentAt: price.height,
      hashes: [...tx.hashes, hash],
    });
    return true;
  }

  /** Gives a hash to the later of two transactions with the same bytes: one that was taken back, and its repetition. @param {string} hash */
  dropDuplicate(hash) {
    const older = this.list.find((tx) => isRetryable(tx) && tx.hashes.includes(hash));
    if (older) void this.update(older, { hashes: [], settled: true });
  }

  /** Prepares the next try after a node's refusal: another nonce, or a higher fee; false when nothing helps. @param {Tx} tx @param {string} kind @param {Set<number>} taken */
  async prepareRetry(tx, kind, taken) {
    if (["low", "high", "replacement"].includes(kind)) {
      if (kind === "replacement") taken.add(Number(tx.nonce)); // somebody else's waits there
      await this.transition(tx, "simulated", { nonce: undefined, raw: undefined, hashes: [] });
      return true;
    }
    if (kind !== "underpriced" && kind !== "basefee") return false;
    await this.sleep(PRICED_MS); // what the next block asks may be told by that block only
    return this.bumpFee(tx);
  }

  /** Signs it again with the same nonce and a higher fee; false at its limit. @param {Tx} tx @returns {Promise<boolean>} */
  async bumpFee(tx) {
    const price = await this.withRetry(() => this.client.currentFees());
    const fees = bumped(/** @type {Fees} */ (tx.fees), price, /** @type {bigint} */ (tx.limit));
    if (!fees) return false;
    const { raw, hash } = await this.client.sign(tx, /** @type {bigint} */ (tx.gas), Number(tx.nonce), fees);
    await this.update(tx, {
      raw,
      fees,
      sentAt: price.height,
      raises: (tx.raises ?? 0) + 1,
      hashes: [...tx.hashes, hash],
    });
    return true;
  }

  /**
   * Sends until the node has it or says no. Without an answer the hash is looked up, and the same bytes are sent again:
   * they can't count twice, while a new transaction with this nonce could. But not to a chain that began anew or lost
   * what was before it: there they would lie in wait until somebody fills the gap.
   * @param {Tx} tx
   */
  async deliver(tx) {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.client.send(String(tx.raw));
        break;
      } catch (error) {
        const unsure = error instanceof NodeUnavailable || classify(error) === "busy";
        // A no may be the answer to the second time: before anything is signed anew the look-up must be answered.
        if (classify(error) === "known" || (await this.nodeHasLatest(tx, unsure ? 1 : Infinity))) break;
        if (!unsure) throw error;
        await this.sleep(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
        const next = await this.withRetry(() => reserve(this, tx.account));
        if (isDone(tx.state)) return;
        if (next < Number(tx.nonce)) throw new Stale("the chain is shorter now");
      }
    }
    if (tx.state === "signed") void this.transition(tx, "sent");
  }

  /** @param {Tx} tx @param {number} tries */
  async nodeHasLatest(tx, tries) {
    return (await this.withRetry(() => this.client.transactionNonce(lastOf(tx)), tries).catch(() => null)) !== null;
  }

  /** @template T @param {() => Promise<T>} work @param {number} [tries] @returns {Promise<T>} */
  async withRetry(work, tries = Infinity) {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof NodeUnavailable) || attempt + 1 >= tries) throw error;
        await this.sleep(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
      }
    }
  }

  // ---- what becomes of it

  /** Adopts and checks; called every second. */
  async poll() {
    await this.adoptFromClosedTabs();
    await this.check();
  }

  /** Checks in which blocks sent transactions are, and whether those are still there; at each head, in one tab for all. */
  check() {
    this.wanted = true;
    this.checking ??= this.checks().finally(() => {
      this.checking = null;
    });
    return this.checking;
  }

  async checks() {
    try {
      while (this.wanted && this.list.some(isTracked)) {
        this.wanted = false;
        await this.journal.alone(`check ${this.chain}`, () => checkAll(this));
      }
    } catch (error) {
      // A node that refuses to be asked now is asked at the next head.
      if (!(error instanceof NodeUnavailable || error instanceof RpcError)) throw error;
    }
  }

  /** Marks a transaction as mined by its event: no receipt needs to be asked for. May come before the answer to its sending. @param {string} hash @param {number} block @param {string} blockHash */
  onEvent(hash, block, blockHash) {
    const tx = this.list.find(
      (one) => one.hashes.includes(hash) && ["sent", "signed", "dropped", "retracted"].includes(one.state),
    );
    if (tx) void this.transition(tx, "mined", { block, blockHash, reason: undefined });
  }

  /** Forgets the transactions of the former chain: what was under way ends as dropped or refused. @param {string} [chain] the one that answers */
  forget(chain = "") {
    this.chain = chain;
    this.list = this.list.filter(({ state }) => !isDone(state));
    for (const tx of this.list)
      Object.assign(tx, {
        state: tx.state === "sent" ? "dropped" : "refused",
        settled: true,
        reason: { sentence: { key: "tx.other-chain" }, small: lastOf(tx) },
      });
    for (const tx of this.list) this.onChange(tx);
  }
}

/** @param {CurrentFees} price @returns {Fees} */
const feesOf = ({ maxFeePerGas, maxPriorityFeePerGas }) => ({ maxFeePerGas, maxPriorityFeePerGas });

/** @param {Tx} tx */
const isOld = ({ state, at }) => state !== "signed" && Date.now() - at > ADOPT_MS;
