// The life of a transaction, with recorded cases of nodes that fail: no nonce is burned, none is skipped, nothing counts twice.
import assert from "node:assert/strict";
import { test } from "node:test";

import { LIFE, Transactions, isOver } from "../../frontend-static/nonce.js";
import { NodeLost, NodeRefusal } from "../../frontend-static/rpc.js";

/** A chain that takes transactions as a node does: one a nonce, the next nonce only. */
class Chain {
  constructor() {
    this.taken = [];
    this.mined = 0;
    this.sends = 0;
    this.refuses = () => false;
    this.fails = () => "";
    this.automine = true;
    this.wallet = false;
  }
  async simulate(tx) {
    if (this.refuses(tx)) throw new NodeRefusal({ code: 3, message: "execution reverted", data: "0x" });
    return 100_000n;
  }
  async count() { return this.taken.length; }
  async fees() { return {}; }
  async sign(tx, gas, nonce) { return { raw: `${nonce}:${tx.data}`, hash: `#${nonce}:${tx.data}` }; }
  async send(raw) {
    const kind = this.fails(++this.sends);
    if (kind === "before") throw new NodeLost("cut before");
    if (kind === "refused") throw new NodeRefusal({ message: "insufficient funds" });
    if (this.taken.includes(raw)) throw new NodeRefusal({ message: "transaction already imported" });
    const nonce = Number(raw.split(":")[0]);
    if (nonce < this.taken.length) throw new NodeRefusal({ message: "nonce too low" });
    assert.equal(nonce, this.taken.length, "a gap");
    this.taken.push(raw);
    if (this.automine) this.mined = this.taken.length;
    if (kind === "after") throw new NodeLost("cut after");
  }
  async known(hash) { return this.taken.some((raw) => `#${raw}` === hash); }
  async receipt(tx) {
    const index = this.taken.findIndex((raw) => `#${raw}` === tx.hash);
    return index >= 0 && index < this.mined ? { block: index + 1, ok: !tx.data.startsWith("bad") } : null;
  }
  async postMortem() { return { sentence: { key: "tx.unexplained" }, small: "" }; }
  reason(_, error) { return { sentence: { key: "node.refused" }, small: error.message }; }
  walletSends() { return this.wallet; }
  async sendByWallet() { throw new NodeRefusal({ code: 4001, message: "User rejected the request." }); }
}

function desk(chain) {
  const steps = [];
  const transactions = new Transactions(chain, (tx) => steps.push(`${tx.data} ${tx.state}`), undefined, async () => undefined);
  const submit = (data, account = "0xme") => transactions.submit({ account, to: "0xgame", data, gasCap: 1n, match: "", action: "create", game: "g" });
  const settled = () => Promise.all(transactions.queues.values());
  return { transactions, submit, settled, steps };
}

test("five quick clicks are five transactions in order", async () => {
  const chain = new Chain();
  const { submit, settled } = desk(chain);
  const all = ["a", "b", "c", "d", "e"].map((data) => submit(data));
  assert.ok(all.every(({ state }) => state === "waiting"));
  await settled();
  assert.deepEqual(chain.taken, ["0:a", "1:b", "2:c", "3:d", "4:e"]);
  assert.deepEqual(all.map(({ state, block }) => [state, block]), [1, 2, 3, 4, 5].map((block) => ["mined", block]));
});

test("each step of a life is told, in order", async () => {
  const { submit, settled, steps } = desk(new Chain());
  submit("a");
  await settled();
  assert.deepEqual(steps, ["a waiting", "a simulated", "a signed", "a sent", "a mined"]);
});

test("a refused one takes no nonce", async () => {
  const chain = new Chain();
  chain.refuses = (tx) => tx.data === "no";
  const { submit, settled } = desk(chain);
  const refused = [submit("a"), submit("no"), submit("b")][1];
  await settled();
  assert.deepEqual(chain.taken, ["0:a", "1:b"]);
  assert.deepEqual([refused.state, refused.nonce, refused.hash], ["refused", undefined, undefined]);
  assert.equal(refused.reason.small, "execution reverted");
});

test("the node's no at sending leaves no gap", async () => {
  const chain = new Chain();
  chain.fails = (send) => (send === 1 ? "refused" : "");
  const { submit, settled } = desk(chain);
  const first = submit("a");
  submit("b");
  await settled();
  assert.deepEqual([first.state, first.nonce], ["failed", undefined]);
  assert.deepEqual(chain.taken, ["0:b"]);
});

for (const kind of ["before", "after"]) {
  test(`the line is cut ${kind} the node took it: sent once, no gap`, async () => {
    const chain = new Chain();
    chain.fails = (send) => (send % 2 ? kind : "");
    const { submit, settled } = desk(chain);
    const all = Array.from({ length: 50 }, (_, i) => submit(`m${i}`));
    await settled();
    assert.deepEqual(chain.taken, all.map((_, i) => `${i}:m${i}`));
    assert.ok(all.every(({ state }) => state === "mined"));
  });
}

test("cut after it was taken, with the look-up lost too: the same bytes are sent again and count once", async () => {
  const chain = new Chain();
  chain.fails = (send) => (send === 1 ? "after" : "");
  const known = chain.known.bind(chain);
  let asked = 0;
  chain.known = async (hash) => { if (asked++ === 0) throw new NodeLost("still lost"); return known(hash); };
  const { submit, settled } = desk(chain);
  const tx = submit("a");
  await settled();
  assert.deepEqual([chain.taken, tx.state], [["0:a"], "mined"]);
});

test("another program used the nonce in between: signed anew", async () => {
  const chain = new Chain();
  const { submit, settled } = desk(chain);
  const sign = chain.sign.bind(chain);
  let first = true;
  chain.sign = async (...args) => { const signed = await sign(...args); if (first) { first = false; chain.taken.push("0:other"); } return signed; };
  const tx = submit("a");
  await settled();
  assert.deepEqual(chain.taken, ["0:other", "1:a"]);
  assert.deepEqual([tx.state, tx.nonce], ["mined", 1]);
});

test("what waits for a block counts, also when the node's count is behind", async () => {
  const chain = new Chain();
  chain.automine = false;
  chain.count = async () => 0;
  const { submit, settled } = desk(chain);
  submit("a");
  submit("b");
  await settled();
  assert.deepEqual(chain.taken, ["0:a", "1:b"]);
});

test("a counter above the chain heals: what the node forgot does not count", async () => {
  const chain = new Chain();
  chain.automine = false;
  const { submit, settled } = desk(chain);
  const lost = submit("a");
  await settled();
  chain.taken = [];
  const next = submit("b");
  await settled();
  assert.deepEqual([lost.state, lost.reason.sentence.key], ["failed", "tx.dropped"]);
  assert.deepEqual([chain.taken, next.nonce], [["0:b"], 0]);
});

test("what the node dropped is told at the next look, also when nothing else is sent", async () => {
  const chain = new Chain();
  chain.automine = false;
  const { submit, settled, transactions } = desk(chain);
  const [stays, lost] = [submit("a"), submit("b")];
  await settled();
  chain.taken.pop();
  await transactions.check();
  assert.deepEqual([stays.state, lost.state, lost.reason.sentence.key], ["sent", "failed", "tx.dropped"]);
});

test("another program's transaction in its place is told as such", async () => {
  const chain = new Chain();
  chain.automine = false;
  const { submit, settled, transactions } = desk(chain);
  const lost = submit("a");
  await settled();
  chain.taken = ["0:other"];
  await transactions.check();
  assert.deepEqual([lost.state, lost.reason.sentence.key], ["failed", "tx.replaced"]);
});

test("a wallet's transaction is not called lost while its own node may have it", async () => {
  const chain = new Chain();
  chain.wallet = true;
  chain.sendByWallet = async () => "#elsewhere";
  const { submit, settled, transactions } = desk(chain);
  const tx = submit("a");
  await settled();
  await transactions.check();
  assert.equal(tx.state, "sent");
});

test("a gap below one's own is filled before anything is put on top", async () => {
  const chain = new Chain();
  chain.automine = false;
  const { submit, settled, transactions } = desk(chain);
  const [lost, stands] = [submit("a"), submit("b")];
  await settled();
  chain.count = async () => 0;
  chain.known = async (hash) => hash === stands.hash;
  assert.equal(await transactions.reserve("0xme"), 0);
  assert.deepEqual([lost.state, stands.state], ["failed", "sent"]);
  assert.equal(await transactions.reserve("0xme"), 0);
});

test("the chain began anew while the line was cut: what was signed for the old one is not sent", async () => {
  const chain = new Chain();
  chain.taken = Array.from({ length: 30 }, (_, i) => `${i}:old`);
  chain.fails = (send) => { if (send === 1) chain.taken = []; return send === 1 ? "before" : ""; };
  const { submit, settled, steps } = desk(chain);
  const tx = submit("a");
  await settled();
  assert.deepEqual([chain.taken, tx.nonce, tx.state], [["0:a"], 0, "mined"]);
  assert.deepEqual(steps, ["a waiting", "a simulated", "a signed", "a simulated", "a signed", "a sent", "a mined"]);
});

test("signed anew, it must still be possible", async () => {
  const chain = new Chain();
  const { submit, settled } = desk(chain);
  const sign = chain.sign.bind(chain);
  chain.sign = async (...args) => { const signed = await sign(...args); chain.taken.push("0:other"); chain.refuses = () => true; return signed; };
  const tx = submit("a");
  await settled();
  assert.deepEqual([chain.taken, tx.state, tx.nonce], [["0:other"], "refused", undefined]);
});

test("a look-up that the node refuses stops nothing", async () => {
  const chain = new Chain();
  const receipt = chain.receipt.bind(chain);
  let refusing = true;
  chain.receipt = async (tx) => { if (refusing) throw new NodeRefusal({ message: "not now" }); return receipt(tx); };
  const { submit, settled, transactions } = desk(chain);
  const [first, second] = [submit("a"), submit("b")];
  await settled();
  assert.deepEqual([first.state, second.state], ["sent", "sent"]);
  refusing = false;
  await transactions.check();
  assert.deepEqual([first.state, second.state], ["mined", "mined"]);
});

test("failed in a block: nonce used, block and reason told", async () => {
  const { submit, settled } = desk(new Chain());
  const tx = submit("bad");
  await settled();
  assert.deepEqual([tx.state, tx.block, tx.nonce, tx.reason.sentence.key], ["failed", 1, 0, "tx.unexplained"]);
});

test("an event of it in a block ends the wait without a receipt", async () => {
  const chain = new Chain();
  chain.automine = false;
  const { submit, settled, transactions } = desk(chain);
  const tx = submit("a");
  await settled();
  transactions.seen("#of another", 7);
  assert.equal(tx.state, "sent");
  transactions.seen(tx.hash, 7);
  assert.deepEqual([tx.state, tx.block], ["mined", 7]);
});

test("its block may be seen before the node has answered the sending", async () => {
  const chain = new Chain();
  const { submit, settled, transactions, steps } = desk(chain);
  const send = chain.send.bind(chain);
  chain.send = async (raw) => { await send(raw); transactions.seen(`#${raw}`, 1); };
  submit("a");
  submit("b");
  await settled();
  assert.deepEqual(steps.filter((step) => step.startsWith("b")), ["b waiting", "b simulated", "b signed", "b mined"]);
  assert.deepEqual(chain.taken, ["0:a", "1:b"]);
});

test("accounts do not wait for each other", async () => {
  const chain = new Chain();
  const { submit, transactions } = desk(chain);
  let release;
  const gate = new Promise((done) => { release = done; });
  const simulate = chain.simulate.bind(chain);
  chain.simulate = async (tx) => { if (tx.account === "0xslow") await gate; return simulate(tx); };
  const slow = submit("a", "0xslow");
  const quick = submit("b", "0xquick");
  await transactions.queues.get("0xquick");
  assert.deepEqual([slow.state, quick.state], ["waiting", "mined"]);
  release();
  await transactions.queues.get("0xslow");
});

test("declined in an injected wallet", async () => {
  const chain = new Chain();
  chain.wallet = true;
  const { submit, settled } = desk(chain);
  const tx = submit("a");
  await settled();
  assert.deepEqual([tx.state, tx.nonce], ["refused", undefined]);
});

test("the chain was started anew: nothing stays under way", async () => {
  const chain = new Chain();
  chain.automine = false;
  const { submit, settled, transactions } = desk(chain);
  chain.mined = 1;
  const [over, tx] = [submit("a"), submit("b")];
  await settled();
  transactions.forget();
  assert.deepEqual([tx.state, tx.reason.sentence.key], ["failed", "tx.other-chain"]);
  assert.deepEqual([over.state, transactions.list], ["mined", [tx]], "what the old chain has is not shown as this one's");
  assert.equal(new Set([over.id, tx.id, submit("c").id]).size, 3);
  await settled();
});

test("no state leads back from an end, and each is reached", () => {
  const reached = new Set(["waiting", ...Object.values(LIFE).flat()]);
  assert.deepEqual([...reached].sort(), Object.keys(LIFE).sort());
  assert.deepEqual(Object.keys(LIFE).filter(isOver), ["mined", "failed", "refused"]);
  const { submit, transactions } = desk(new Chain());
  const tx = submit("a");
  assert.throws(() => transactions.step(tx, "mined"), /waiting -> mined/);
});
