/** Sends and tracks transactions. Each account has a queue, so that nonces are used in order. */

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
/** The age at which an unsent transaction expires, because the player has probably moved on. */
const ADOPT_MS = 600_000;

export class TransactionManager {
  /** @param {ChainClient} client @param {Journal} journal @param {(tx: Tx, isNewState: boolean) => void} onChange called after each change to a transaction, including changes by other tabs @param {(ms: number) => Promise<void>} wait */
  constructor(client, journal, onChange = () => undefined, wait = sleep) {
    this.client = client;
    this.journal = journal;
    /** @type {Map<string, () => void>} the callbacks that wait for a change to a transaction; the key is the transaction's ID */
    this.awaiting = new Map();
    /** @type {WeakMap<Tx, TxState>} each transaction's state at the last call of `onChange` */
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
    /** @type {Tx[]} the transactions, the oldest first */
    this.list = [];
    /** @type {Map<string, Promise<void>>} */
    this.queues = new Map();
    this.submitted = 0;
    this.isRequested = false;
    /** True if the node hasn't answered the latest request, which is being retried. */
    this.isUnanswered = false;
    /** @type {Promise<void>|null} */
    this.checking = null;
    /** @type {Map<string, string|undefined>} the hash of the block in which the last check found a transaction; the key is the transaction's ID */
    this.checkedBlocks = new Map();
    journal.onChange = (tx) => this.merge(tx);
  }

  // ---- the journal

  /** Load the journal's transactions for a chain, and check them. @param {string} chain `<chain id> <genesis hash>` */
  async open(chain) {
    this.chain = chain;
    for (const tx of await this.journal.all(chain)) this.merge(tx);
    await this.adoptFromClosedTabs();
    await this.check();
  }

  /**
   * Merge a transaction from another tab or from the journal into the list. If this tab already has
   * a later state of the transaction, ignore it. @param {Tx} other
   */
  merge(other) {
    if (other.chain !== this.chain) return;
    const tx = this.list.find(({ id }) => id === other.id);
    if (!tx) this.list.splice(this.list.findLastIndex(({ at }) => at <= other.at) + 1, 0, other);
    else if (tx.state === other.state || TRANSITIONS[tx.state].includes(other.state)) Object.assign(tx, other);
    this.onChange(tx ?? other);
  }

  /**
   * Send the transactions that closed tabs have left unsent, in their order. If a transaction has
   * expired, set its state to `refused`.
   */
  async adoptFromClosedTabs() {
    for (const tx of this.list.filter(({ state, tab }) => isUnsent(state) && tab !== this.journal.tab)) {
      if (tx.state !== "signed" && !this.client.canSign(tx.account) && !isOld(tx)) continue; // the page might load the account's key later
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

  /** @returns {Tx[]} the transactions without an outcome */
  pending() {
    return this.list.filter(({ state }) => !isDone(state));
  }

  /**
   * Return true if buttons show the transaction. It must be from this visit, pending, or retryable. @param {Tx} tx
   */
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
   * which can't take effect twice. Otherwise, submit a new transaction. @param {Tx} tx
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
   * Return true if the transaction certainly isn't signed yet. If a wallet sends the transaction,
   * it can sign it at any time after the simulation. @param {Tx} tx
   */
  canCancel(tx) {
    return tx.state === "waiting" || (tx.state === "simulated" && !this.client.walletSends(tx));
  }

  /**
   * Take back a transaction. If it isn't signed yet, don't send it. If it was sent, replace it with
   * an empty transfer that pays a higher fee. @param {Tx} tx
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

  /** Double the fee limit of a transaction that is stuck at its limit. @param {Tx} tx */
  raiseLimit(tx) {
    void this.update(tx, { stuck: false, limit: (tx.limit ?? 0n) * 2n, sentAt: 0 });
    return this.check();
  }

  /** @param {Tx} tx */
  enqueue(tx) {
    const before = this.queues.get(tx.account) ?? Promise.resolve();
    const turn = before.then(() => this.locked(tx.account, () => this.run(tx)));
    this.queues.set(tx.account, turn);
    void turn.then(() => this.check()); // check only after the lock is released, because check() might need the lock
  }

  /** Run a task while holding the account's lock. Only one tab at a time can hold this lock. @template T @param {string} account @param {() => Promise<T>} work @returns {Promise<T>} */
  locked(account, work) {
    return this.journal.lock(`${this.chain} ${account}`, work);
  }

  /**
   * Change a transaction's state. Throws if the new state can't follow the current state. The
   * promise settles when the change is on disk. @param {Tx} tx @param {TxState} state @param {Partial<Tx>} [more]
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

  /** Send a transaction. If sending fails, set its state to `refused` instead of throwing. @param {Tx} tx */
  async run(tx) {
    try {
      if (tx.state === "signed") await signAndSend(this, tx, 0n);
      else await this.simulateAndSend(tx);
    } catch (error) {
      const reason =
        error instanceof NodeUnavailable
          ? { sentence: { key: "tx.not-sent" }, small: error.message }
          : await this.client.reason(tx, error);
      // The node hasn't accepted a transaction with this nonce, so the next transaction can use it.
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

  /** Run a task. Retry until the node answers or the transaction is taken back or has expired. @template T @param {Tx} tx @param {() => Promise<T>} work @returns {Promise<T>} Throws the node's error. */
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

  /** Send what closed tabs left unsent, and check the sent transactions. Called every second. */
  async poll() {
    await this.adoptFromClosedTabs();
    await this.check();
  }

  /** Check all sent transactions, in one tab at a time. */
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
      // If the node doesn't answer or returns an error, the next call tries again.
      if (!(error instanceof NodeUnavailable || error instanceof RpcError)) throw error;
    }
  }

  /**
   * Mark a transaction as mined when one of its events arrives. The event can arrive before the
   * node reports the receipt. @param {string} hash @param {number} block @param {string} blockHash
   */
  onEvent(hash, block, blockHash) {
    const tx = this.list.find(
      (one) => one.hashes.includes(hash) && ["sent", "signed", "dropped", "retracted"].includes(one.state),
    );
    if (tx) void this.transition(tx, "mined", { block, blockHash, reason: undefined });
  }

  /**
   * Forget the previous chain's finished transactions. Set the state of its pending transactions to
   * `dropped` or `refused`. @param {string} [chain] the new chain
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
