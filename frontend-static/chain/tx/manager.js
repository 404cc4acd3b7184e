/**
 * The transaction manager. Each account has a queue, and each signature takes the next free nonce.
 */

import { retryUnavailable, signAndSend } from "./delivery.js";
import { bumped } from "./fees.js";
import { retry, sleep } from "../../lib/retry.js";
import { lastOf } from "./model.js";
import { reserve } from "./nonce.js";
import { checkAll, resend, sendRaw } from "./tracker.js";
import { NodeUnavailable, RpcError } from "../../server/jsonrpc.js";
import { TRANSITIONS, isDone, isRetryable, isTracked, isUnsent } from "./states.js";

/** @import { Journal } from "./journal.js" */
/** @import { ChainClient } from "./chain-client.js" */
/** @import { TxRequest } from "./model.js" */
/** @import { Fees, Tx, TxState } from "../../types.js" */

const TRIES = 4;
/** An unsent transaction expires after this time, because the player has probably moved on. */
const ADOPT_MS = 600_000;

export class TransactionManager {
  /** @param {ChainClient} client @param {Journal} journal @param {(tx: Tx, isNewState: boolean) => void} onChange called after each change, including changes by other tabs @param {(ms: number) => Promise<void>} wait */
  constructor(client, journal, onChange = () => undefined, wait = sleep) {
    this.client = client;
    this.journal = journal;
    /** @type {Map<string, () => void>} callbacks that wait for a transaction to change, by id */
    this.awaiting = new Map();
    /** @type {WeakMap<Tx, TxState>} each transaction's last reported state */
    this.reported = new WeakMap();
    this.onChange = (/** @type {Tx} */ tx) => {
      this.awaiting.get(tx.id)?.();
      const isNewState = this.reported.get(tx) !== tx.state;
      this.reported.set(tx, tx.state);
      onChange(tx, isNewState);
    };
    this.sleep = wait;
    this.chain = "";
    this.startedAt = Date.now();
    /** @type {Tx[]} the transactions, oldest first */
    this.list = [];
    /** @type {Map<string, Promise<void>>} */
    this.queues = new Map();
    this.submitted = 0;
    this.isRequested = false;
    /** True while the node has not answered the latest request. */
    this.isUnanswered = false;
    /** @type {Promise<void>|null} */
    this.checking = null;
    /** @type {Map<string, string|undefined>} the block hashes that the last check found, by transaction id */
    this.checkedBlocks = new Map();
    journal.onChange = (tx) => this.merge(tx);
  }

  // ---- the journal

  /** Load the journal of a chain. @param {string} chain `<chain id> <genesis hash>` */
  async open(chain) {
    this.chain = chain;
    for (const tx of await this.journal.all(chain)) this.merge(tx);
    await this.adoptFromClosedTabs();
    await this.check();
  }

  /** Merge a transaction from another tab or an earlier page, unless this page has a later state. @param {Tx} other */
  merge(other) {
    if (other.chain !== this.chain) return;
    const tx = this.list.find(({ id }) => id === other.id);
    if (!tx) this.list.splice(this.list.findLastIndex(({ at }) => at <= other.at) + 1, 0, other);
    else if (tx.state === other.state || TRANSITIONS[tx.state].includes(other.state)) Object.assign(tx, other);
    this.onChange(tx ?? other);
  }

  /**
   * Send the transactions that closed tabs left unsent, in order. Expired transactions become
   * `refused`.
   */
  async adoptFromClosedTabs() {
    for (const tx of this.list.filter(({ state, tab }) => isUnsent(state) && tab !== this.journal.tab)) {
      if (tx.state !== "signed" && !this.client.canSign(tx.account) && !isOld(tx)) continue; // the account's key might be loaded later
      if ((await this.journal.isTabOpen(tx)) || !(await this.journal.claim(tx))) continue;
      tx.tab = this.journal.tab;
      this.enqueue(tx);
    }
  }

  /** @param {Tx} tx */
  async untilDone(tx) {
    while (!isDone(tx.state)) await new Promise((done) => this.awaiting.set(tx.id, () => done(undefined)));
    this.awaiting.delete(tx.id);
  }

  /** @returns {Tx[]} the transactions whose outcome is unknown */
  pending() {
    return this.list.filter(({ state }) => !isDone(state));
  }

  /** Return true if buttons show the transaction: it is from this visit, pending or retryable. @param {Tx} tx */
  isCurrent(tx) {
    return tx.at >= this.startedAt || !isDone(tx.state) || (isRetryable(tx) && !tx.settled);
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
   * Send a dropped or retracted transaction again. If its nonce is still free, send the same bytes,
   * because these can't take effect twice. Otherwise, submit a new transaction.
   * @param {Tx} tx
   */
  async resubmit(tx) {
    const free = await this.locked(tx.account, async () => {
      const next = await retryUnavailable(this, () => reserve(this, tx.account), TRIES);
      if (!isRetryable(tx) || next !== tx.nonce || !tx.raw) return true;
      await resend(this, tx);
      return false;
    });
    if (!free || !isRetryable(tx) || tx.settled) return this.check();
    void this.update(tx, { settled: true });
    const { account, to, data, value, gasCap, match, action, game, cell, seat } = tx;
    this.submit({ account, to, data, value, gasCap, match, action, game, cell, seat });
  }

  /**
   * Return true if the transaction can't have been signed yet. After the simulation, a wallet can
   * sign it at any time. @param {Tx} tx
   */
  canCancel(tx) {
    return tx.state === "waiting" || (tx.state === "simulated" && !this.client.walletSends(tx));
  }

  /**
   * Take back a transaction. If it is unsigned, drop it. If it was sent, replace it with an empty
   * transfer that pays a higher fee. @param {Tx} tx
   */
  cancel(tx) {
    if (this.canCancel(tx))
      return this.transition(tx, "refused", { reason: { sentence: { key: "tx.taken-back" }, small: "" } });
    return this.locked(tx.account, async () => {
      if (tx.state !== "sent" || tx.nonce === undefined || tx.cancel) return;
      const price = await this.client.currentFees();
      const old = /** @type {Fees} */ (tx.fees);
      const fees = bumped(old, price, old.maxFeePerGas * 100n);
      if (!fees) return;
      const { raw, hash } = await this.client.signEmpty(tx.account, tx.nonce, fees);
      await this.update(tx, { cancel: hash, cancelRaw: raw });
      await sendRaw(this, raw);
      void this.check();
    });
  }

  /** Double the fee limit of a stuck transaction. @param {Tx} tx */
  raiseLimit(tx) {
    void this.update(tx, { stuck: false, limit: (tx.limit ?? 0n) * 2n, sentAt: 0 });
    return this.check();
  }

  /** @param {Tx} tx */
  enqueue(tx) {
    const before = this.queues.get(tx.account) ?? Promise.resolve();
    const turn = before.then(() => this.locked(tx.account, () => this.run(tx)));
    this.queues.set(tx.account, turn);
    void turn.then(() => this.check()); // outside the lock, because check() can acquire the lock
  }

  /** Run the work while holding the account's lock, which excludes other tabs. @template T @param {string} account @param {() => Promise<T>} work @returns {Promise<T>} */
  locked(account, work) {
    return this.journal.lock(`${this.chain} ${account}`, work);
  }

  /**
   * Change a transaction's state. Throws if the new state can't follow the current one. The promise
   * settles when the change is on disk. @param {Tx} tx @param {TxState} state @param {Partial<Tx>} [more]
   */
  transition(tx, state, more = {}) {
    if (!TRANSITIONS[tx.state].includes(state))
      throw new Error(`transaction ${tx.id} can't change from ${tx.state} to ${state}`);
    return this.update(tx, { ...more, state });
  }

  /** @param {Tx} tx @param {Partial<Tx>} fields */
  update(tx, fields) {
    Object.assign(tx, fields);
    this.onChange(tx);
    return this.journal.write(tx.id, fields);
  }

  // ---- sending

  /** Send a transaction. If that fails, set the state `refused` instead of throwing. @param {Tx} tx */
  async run(tx) {
    try {
      if (tx.state === "signed") await signAndSend(this, tx, 0n);
      else await this.simulateAndSend(tx);
    } catch (error) {
      const reason =
        error instanceof NodeUnavailable
          ? { sentence: { key: "tx.not-sent" }, small: error.message }
          : await this.client.reason(tx, error);
      // The node hasn't accepted a transaction with this nonce, so the next transaction can use the
      // nonce.
      if (isUnsent(tx.state)) void this.transition(tx, "refused", { nonce: undefined, raw: undefined, reason });
    }
  }

  /** @param {Tx} tx */
  async simulateAndSend(tx) {
    if (isOld(tx)) return void this.transition(tx, "refused", { reason: { sentence: { key: "tx.old" }, small: "" } });
    const gas = await this.retryUntilAnswered(tx, () => this.client.simulate(tx));
    if (isDone(tx.state)) return;
    if (tx.state === "waiting") void this.transition(tx, "simulated");
    if (this.client.walletSends(tx))
      void this.transition(tx, "sent", { hashes: [await this.client.sendByWallet(tx, gas)] });
    else await signAndSend(this, tx, gas);
  }

  /**
   * Run the work. Retry until the node answers, the player takes the transaction back, or the
   * transaction is too old.
   * @template T @param {Tx} tx @param {() => Promise<T>} work @returns {Promise<T>} Throws the node's error.
   */
  async retryUntilAnswered(tx, work) {
    const goesOn = (/** @type {unknown} */ error) => {
      this.isUnanswered = error instanceof NodeUnavailable;
      return this.isUnanswered && !isDone(tx.state) && !isOld(tx);
    };
    const answer = await retry(work, goesOn, Infinity, this.sleep);
    this.isUnanswered = false;
    return answer;
  }

  // ---- tracking

  /** Send the transactions of closed tabs and check all sent transactions. Called every second. */
  async poll() {
    await this.adoptFromClosedTabs();
    await this.check();
  }

  /** Check the sent transactions. Only one tab at a time does this. */
  check() {
    this.isRequested = true;
    this.checking ??= this.checks().finally(() => {
      this.checking = null;
    });
    return this.checking;
  }

  async checks() {
    try {
      while (this.isRequested && this.list.some(isTracked)) {
        this.isRequested = false;
        await this.journal.runUnlessBusy(`check ${this.chain}`, () => checkAll(this));
      }
    } catch (error) {
      // If the node doesn't answer or rejects the request, retry at the next head.
      if (!(error instanceof NodeUnavailable || error instanceof RpcError)) throw error;
    }
  }

  /** Mark a transaction as mined, because its event has arrived, possibly before the node's answer. @param {string} hash @param {number} block @param {string} blockHash */
  onEvent(hash, block, blockHash) {
    const tx = this.list.find(
      (one) => one.hashes.includes(hash) && ["sent", "signed", "dropped", "retracted"].includes(one.state),
    );
    if (tx) void this.transition(tx, "mined", { block, blockHash, reason: undefined });
  }

  /**
   * Forget the previous chain's finished transactions. Pending transactions become `dropped` or
   * `refused`. @param {string} [chain] the new chain
   */
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

/** @param {Tx} tx */
const isOld = ({ state, at }) => state !== "signed" && Date.now() - at > ADOPT_MS;
