// A model of a chain with one account, which accepts transactions and fails like a real node. The
// field `about` in tests/fixtures/vectors/transactions.json describes the model.
import { NodeUnavailable, RpcError } from "../../../../frontend-static/server/jsonrpc.js";
import { suggested } from "../../../../frontend-static/chain/tx/fees.js";

const reject = (message) => {
  throw new RpcError({ message });
};
const parts = (raw) => {
  const [nonce, data, fee] = raw.split(":");
  return { nonce: Number(nonce), data, fee: BigInt(fee), raw };
};

export class ModelNode {
  constructor({ count = 0, automine = true, pending = true, depth = 64, faults = {} } = {}) {
    Object.assign(this, {
      first: count,
      automine,
      counting: pending,
      depth,
      faults,
      chain: [],
      pool: new Map(),
      base: 10n,
      sends: 0,
      late: null,
      refused: new Set(),
      forks: 0,
    });
    this.die = () => undefined;
  }
  get transactions() {
    return this.chain.flatMap(({ held }) => held);
  }
  get next() {
    return this.first + this.transactions.length;
  }
  mine(blocks = 1) {
    for (let i = 0; i < blocks; i++) {
      const held = [];
      for (let one; (one = this.pool.get(this.next + held.length)) && one.fee >= this.base;) held.push(one);
      for (const { nonce } of held) this.pool.delete(nonce);
      this.chain.push({ held, hash: `block ${this.chain.length + 1} of fork ${this.forks}` });
    }
  }
  take(raw) {
    const one = parts(raw);
    const there = this.pool.get(one.nonce);
    if (there?.raw === raw) reject("already known");
    if (one.nonce < this.next) reject("nonce too low");
    if (there && one.fee * 10n < there.fee * 11n) reject("replacement transaction underpriced");
    this.pool.set(one.nonce, one);
    if (this.automine && this.pool.has(this.next)) this.mine();
  }
  back(blocks) {
    this.forks++;
    return blocks ? this.chain.splice(-blocks).flatMap(({ held }) => held) : [];
  }
  other(nonces) {
    for (let i = 0; i < nonces; i++) {
      let free = this.next;
      while (this.pool.has(free)) free++;
      this.take(`${free}:other:1000000`);
    }
  }
  where(hash) {
    return this.chain.findIndex(({ held }) => held.some(({ raw }) => `#${raw}` === hash));
  }

  // ---- the methods of ChainClient in chain/tx/chain-client.js
  simulate = async ({ data }) =>
    data.startsWith("no") || this.refused.has(data) ? reject("execution reverted") : 100_000n;
  transactionCount = async (_account, at = "pending") => {
    let next = this.next;
    if (at === "pending" && this.counting) while (this.pool.has(next)) next++;
    return next;
  };
  currentFees = async () => ({ ...suggested(this.base, 2n), baseFee: this.base, height: this.chain.length });
  sign = async ({ data }, _gas, nonce, fees) => {
    const raw = `${nonce}:${data}:${fees.maxFeePerGas}`;
    return { raw, hash: `#${raw}` };
  };
  signEmpty = (_account, nonce, fees) => this.sign({ data: "" }, 0n, nonce, fees);
  canSign = () => true;
  send = async (raw) => {
    if (this.late) {
      try {
        this.take(this.late);
      } catch {
        /* the delayed transaction came too late, so the node rejects it */
      }
      this.late = null;
    }
    const fault = this.faults[`send ${++this.sends}`];
    if (fault === "before") throw new NodeUnavailable("cut before");
    if (fault === "late") {
      this.late = raw;
      throw new NodeUnavailable("late");
    }
    if (fault === "crash-before") return this.die();
    if (fault === "other") this.take(`${parts(raw).nonce}:other:1000000`);
    else if (fault && !["after", "crash-after"].includes(fault)) reject(fault);
    this.take(raw);
    if (fault === "after") throw new NodeUnavailable("cut after");
    if (fault === "crash-after") return this.die();
  };
  transactionNonce = async (hash) =>
    this.where(hash) >= 0 || [...this.pool.values()].some(({ raw }) => `#${raw}` === hash)
      ? parts(hash.slice(1)).nonce
      : null;
  receipts = async (hashes) =>
    hashes.map((hash) => {
      const index = this.where(hash);
      return index < 0
        ? null
        : {
            block: index + 1,
            blockHash: this.chain[index].hash,
            hash,
            ok: !parts(hash.slice(1)).data.startsWith("bad"),
          };
    });
  finalHeight = async () => this.chain.length - this.depth;
  openedMatch = () => undefined;
  failureReason = async () => ({ sentence: { key: "tx.unexplained" }, small: "" });
  reason = (_, error) => ({ sentence: { key: "node.refused" }, small: error.message });
  walletSends = () => false;
}

/**
 * A journal like the journal in chain/tx/journal.js, but in memory. It belongs to one browser.
 * `life` is the number of the tab that was opened last.
 */
export class Disk {
  constructor() {
    this.records = new Map();
    this.life = 0;
  }
  open() {
    const [tab, locks] = [`tab ${++this.life}`, new Map()];
    const here = () => tab === `tab ${this.life}`;
    const write = (id, next) => {
      const value = here() ? next(this.records.get(id)) : undefined;
      if (value) this.records.set(id, value);
      return value;
    };
    const lock = (name, work) => {
      const turn = (locks.get(name) ?? Promise.resolve()).then(work);
      locks.set(
        name,
        turn.catch(() => undefined),
      );
      return turn;
    };
    return {
      tab,
      lock,
      onChange: () => undefined,
      all: async (chain) =>
        [...this.records.values()].filter((tx) => tx.chain === chain).map((tx) => structuredClone(tx)),
      add: async (tx) => void write(tx.id, () => structuredClone(tx)),
      write: async (id, fields) => void write(id, (found) => found && { ...found, ...structuredClone(fields) }),
      claim: async ({ id, tab: was }) =>
        Boolean(write(id, (found) => (found?.tab === was ? { ...found, tab } : undefined))),
      isTabOpen: async (tx) => tx.tab === tab,
      runUnlessBusy: (_name, work) => work(),
    };
  }
}
