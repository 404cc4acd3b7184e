/** Transactions as one story each, one queue per account; nonces are taken late and never leave a gap. */

import { NodeLost, NodeRefusal } from "./rpc.js";

/** @import { Reason, Tx, TxState } from "./types.js" */

/**
 * What may follow what. `waiting` stands behind an earlier one of its account. Later issues add: final, replaced, dropped,
 * retracted (a reorg took the block).
 * @type {Record<TxState, TxState[]>}
 */
export const LIFE = {
  waiting: ["simulated", "refused", "failed"],
  simulated: ["signed", "sent", "refused", "failed"],
  signed: ["sent", "mined", "simulated", "failed"],
  sent: ["mined", "failed"],
  mined: [],
  failed: [],
  refused: [],
};

const RETRY_MS = [100, 300, 1000, 2000];
const SIGNINGS = 3;

/** The nonce is another's by now, or the chain has become shorter below it: what was signed must not be sent (again). */
class Stale extends Error {}

/** @param {TxState} state */
export const isOver = (state) => LIFE[state].length === 0;

/**
 * @typedef {object} Door What is asked of the chain; chain.js has the real one.
 * @property {(tx: Tx) => Promise<bigint>} simulate at `pending`; the gas limit
 * @property {(account: string, at?: "latest"|"pending") => Promise<number>} count at `pending`, if nothing else is said
 * @property {() => Promise<any>} fees
 * @property {(tx: Tx, gas: bigint, nonce: number, fees: any) => Promise<{raw: string, hash: string}>} sign
 * @property {(raw: string) => Promise<void>} send
 * @property {(hash: string) => Promise<boolean>} known
 * @property {(tx: Tx) => Promise<{block: number, ok: boolean, opened?: string}|null>} receipt
 * @property {(tx: Tx, block: number) => Promise<Reason>} postMortem
 * @property {(tx: Tx, error: unknown) => Reason} reason
 * @property {(tx: Tx) => boolean} walletSends
 * @property {(tx: Tx, gas: bigint) => Promise<string>} sendByWallet
 */

export class Transactions {
  /**
   * @param {Door} door
   * @param {(tx: Tx) => void} changed called after each step; the place to keep what is pending across a reload
   * @param {(account: string, work: () => Promise<void>) => Promise<void>} guard the place for a lock shared by tabs
   * @param {(ms: number) => Promise<void>} pause
   */
  constructor(door, changed, guard = (_, work) => work(), pause = (ms) => new Promise((done) => setTimeout(done, ms))) {
    this.door = door;
    this.changed = changed;
    this.guard = guard;
    this.pause = pause;
    /** @type {Tx[]} */
    this.list = [];
    /** @type {Map<string, Promise<void>>} */
    this.queues = new Map();
    this.submitted = 0;
    this.checking = false;
  }

  /** @param {Pick<Tx, "account"|"to"|"data"|"value"|"gasCap"|"match"|"action"|"game"|"cell">} order @returns {Tx} */
  submit(order) {
    /** @type {Tx} */
    const tx = { ...order, id: ++this.submitted, state: "waiting", at: Date.now() };
    this.list.push(tx);
    const before = this.queues.get(tx.account) ?? Promise.resolve();
    this.queues.set(tx.account, before.then(() => this.guard(tx.account, () => this.run(tx))));
    this.changed(tx);
    return tx;
  }

  /** @param {Tx} tx @param {TxState} state @param {Partial<Tx>} [more] */
  step(tx, state, more = {}) {
    if (!LIFE[tx.state].includes(state)) throw new Error(`transaction ${tx.id}: ${tx.state} -> ${state}`);
    Object.assign(tx, more, { state });
    this.changed(tx);
  }

  /** From the queue to sent. Never throws: the story ends in a state. @param {Tx} tx */
  async run(tx) {
    const gas = await this.simulate(tx);
    if (gas === null || isOver(tx.state)) return;
    try {
      if (this.door.walletSends(tx)) this.step(tx, "sent", { hash: await this.door.sendByWallet(tx, gas) });
      else await this.signAndSend(tx, gas);
    } catch (error) {
      // Here the nonce was not used, or the node never took it: the next transaction takes the same one.
      if (!isOver(tx.state)) this.step(tx, tx.state === "simulated" ? "refused" : "failed", { nonce: undefined, reason: this.door.reason(tx, error) });
      return;
    }
    await this.check();
  }

  /** @param {Tx} tx @returns {Promise<bigint|null>} the gas limit; null when refused */
  async simulate(tx) {
    try {
      const gas = await this.door.simulate(tx);
      if (!isOver(tx.state)) this.step(tx, "simulated");
      return gas;
    } catch (error) {
      const lost = error instanceof NodeLost;
      const reason = lost ? { sentence: { key: "tx.not-sent" }, small: error.message } : this.door.reason(tx, error);
      if (!isOver(tx.state)) this.step(tx, lost ? "failed" : "refused", { reason });
      return null;
    }
  }

  /** @param {Tx} tx @param {bigint} limit of gas, by a simulation */
  async signAndSend(tx, limit) {
    for (let signing = 1, gas = limit; ; signing++) {
      const [nonce, fees] = await this.patiently(() => Promise.all([this.reserve(tx.account), this.door.fees()]));
      if (isOver(tx.state)) return;
      this.step(tx, "signed", { nonce, ...(await this.door.sign(tx, gas, nonce, fees)) });
      try {
        return await this.deliver(tx);
      } catch (error) {
        if (signing === SIGNINGS || !isStale(error)) throw error;
        this.step(tx, "simulated", { nonce: undefined, raw: undefined, hash: undefined });
        gas = await this.patiently(() => this.door.simulate(tx)); // the chain is not the one that it was simulated on
      }
    }
  }

  /** The lowest nonce that neither the chain counts nor one of ours uses: a gap below our own is filled. @param {string} account */
  async reserve(account) {
    let next = await this.door.count(account);
    const ahead = this.list.filter((tx) => tx.account === account && tx.state === "sent" && (tx.nonce ?? -1) >= next);
    const used = new Set();
    for (const tx of ahead) if (await this.stands(tx)) used.add(tx.nonce);
    while (used.has(next)) next++;
    return next;
  }

  /** Whether the node still has what was sent; if not, its story ends here. @param {Tx} tx */
  async stands(tx) {
    if (await this.door.known(String(tx.hash))) return true;
    if (tx.state !== "sent") return false;
    const replaced = (await this.door.count(tx.account, "latest")) > Number(tx.nonce);
    if (tx.state === "sent") this.step(tx, "failed", { reason: { sentence: { key: replaced ? "tx.replaced" : "tx.dropped" }, small: String(tx.hash) } });
    return false;
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
        await this.door.send(String(tx.raw));
        break;
      } catch (error) {
        if (await this.taken(tx)) break;
        if (!(error instanceof NodeLost)) throw error;
        await this.pause(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
        const next = await this.patiently(() => this.reserve(tx.account));
        if (isOver(tx.state)) return;
        if (next < Number(tx.nonce)) throw new Stale("the chain is shorter now");
      }
    }
    if (!isOver(tx.state)) this.step(tx, "sent");
  }

  /** @param {Tx} tx */
  taken(tx) {
    return this.door.known(String(tx.hash)).catch(() => false);
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  async patiently(work) {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof NodeLost)) throw error;
        await this.pause(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
      }
    }
  }

  /** Looks for the blocks of what was sent; called at each head. A stuck one is a later issue's to see here. */
  async check() {
    if (this.checking) return;
    this.checking = true;
    try {
      for (const tx of this.list.filter(({ state }) => state === "sent")) await this.settle(tx);
    } catch (error) {
      // A node that refuses to be asked now is asked at the next head.
      if (!(error instanceof NodeLost || error instanceof NodeRefusal)) throw error;
    } finally {
      this.checking = false;
    }
  }

  /** An event of it was seen in a block, maybe before the answer to its sending: no receipt needs to be asked for. @param {string} hash @param {number} block */
  seen(hash, block) {
    const tx = this.list.find((one) => one.hash === hash && (one.state === "sent" || one.state === "signed"));
    if (tx) this.step(tx, "mined", { block });
  }

  /** @param {Tx} tx */
  async settle(tx) {
    const receipt = await this.door.receipt(tx);
    // Whose nonce is the wallet's may be known to the wallet's own node first.
    if (!receipt && tx.nonce !== undefined) await this.stands(tx);
    if (!receipt || tx.state !== "sent") return;
    const { block, opened } = receipt;
    if (receipt.ok) this.step(tx, "mined", { block, opened });
    else this.step(tx, "failed", { block, reason: await this.door.postMortem(tx, block) });
  }

  /** Another chain answers now: what was under way is nowhere, and what was over says nothing of this chain. */
  forget() {
    this.list = this.list.filter(({ state }) => !isOver(state));
    for (const tx of [...this.list]) this.step(tx, "failed", { reason: { sentence: { key: "tx.other-chain" }, small: tx.hash ?? "" } });
  }
}

/** Another program may have used the key in between: then this nonce was never ours. @param {unknown} error */
const isStale = (error) => error instanceof Stale || /nonce too low|nonce has already been used/i.test(String(error));
