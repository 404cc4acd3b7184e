// Tests the parts of the transaction manager that transaction-cases.test.mjs doesn't cover:
// reported states, several tabs, wallets and early events.
import assert from "node:assert/strict";
import { test } from "node:test";

import { TransactionManager } from "../../../../frontend-static/chain/tx/manager.js";
import { NodeUnavailable, RpcError } from "../../../../frontend-static/server/jsonrpc.js";
import { TRANSITIONS, isDone } from "../../../../frontend-static/chain/tx/states.js";
import { settled } from "../../node/settled.mjs";
import { Disk, ModelNode } from "./model-node.mjs";

async function desk(node = new ModelNode(), disk = new Disk()) {
  const steps = [];
  const transactions = new TransactionManager(
    node,
    disk.open(),
    (tx) => steps.push(`${tx.data} ${tx.state}`),
    async () => undefined,
  );
  await transactions.open("31337 0xgenesis");
  const submit = (data, account = "0xme") =>
    transactions.submit({ account, to: "0xgame", data, value: 0n, gasCap: 1n, match: "", action: "create", game: "g" });
  return { node, disk, transactions, submit, steps };
}

/** Return a transaction manager, and its first transaction, which it has already sent. */
async function sent(data = "a", node = new ModelNode()) {
  const all = await desk(node);
  const tx = all.submit(data);
  await settled();
  return { ...all, tx };
}

const mined = (node) => node.transactions.map(({ nonce, data }) => `${nonce}:${data}`);

test("the manager reports each state once, in order", async () => {
  const { submit, steps } = await desk();
  submit("a");
  await settled();
  assert.deepEqual(steps, ["a waiting", "a simulated", "a signed", "a sent", "a mined"]);
});

test("the manager reports a repeated state as not new", async () => {
  const { tx } = await sent();
  const news = [];
  const known = new TransactionManager(new ModelNode(), new Disk().open(), (one, isNew) =>
    news.push([one.state, isNew]),
  );
  known.chain = tx.chain;
  for (const state of ["sent", "mined", "mined", "retracted", "mined"]) known.merge({ ...tx, state });
  assert.deepEqual(news, [
    ["sent", true],
    ["mined", true],
    ["mined", false],
    ["retracted", true],
    ["mined", true],
  ]);
});

test("the manager stores a signed transaction before the node sees it", async () => {
  const { node, disk, submit } = await desk();
  const send = node.send;
  let kept;
  node.send = (raw) => {
    kept = [...disk.records.values()].map((tx) => [tx.state, tx.raw]);
    return send(raw);
  };
  submit("a");
  await settled();
  assert.deepEqual(kept, [["signed", "0:a:22"]]);
});

test("a rejected transaction takes no nonce and has a reason", async () => {
  const { tx: refused } = await sent("no");
  assert.deepEqual(
    [refused.state, refused.nonce, refused.hashes, refused.reason.small],
    ["refused", undefined, [], "execution reverted"],
  );
});

const LOST = {
  "if the answer and the look-up are lost, the same bytes are sent again and take effect once": 1,
  "if the answer is lost and the second sending is rejected, nothing is signed again before the look-up is answered": 3,
};
for (const [name, times] of Object.entries(LOST))
  test(name, async () => {
    const { node, submit } = await desk(new ModelNode({ faults: { "send 1": "after" } }));
    const known = node.transactionNonce;
    let asked = 0;
    node.transactionNonce = async (hash) => {
      if (asked++ < times) throw new NodeUnavailable("still lost");
      return known(hash);
    };
    const tx = submit("a");
    await settled();
    assert.deepEqual([mined(node), tx.state, tx.nonce], [["0:a"], "mined", 0]);
  });

/**
 * Return a transaction manager with transactions. Its node doesn't answer before the test calls
 * `returns`.
 */
async function offline() {
  const all = await desk();
  const { node, transactions } = all;
  const { simulate } = node;
  let asked = 0;
  node.simulate = async () => {
    asked++;
    throw new NodeUnavailable("HTTP 503");
  };
  const returns = () => Object.assign(node, { simulate });
  transactions.sleep = () => new Promise((done) => setImmediate(done));
  const tx = all.submit("a");
  while (asked < 10) await new Promise((done) => setImmediate(done));
  return { ...all, tx, returns };
}

test("without a connection, a press is kept and sent when the connection is back", async () => {
  const { node, returns, submit, transactions, tx } = await offline();
  const next = submit("b");
  assert.deepEqual([tx.state, next.state, transactions.isUnanswered], ["waiting", "waiting", true]);
  returns();
  await Promise.all([tx, next].map((one) => transactions.untilDone(one)));
  assert.deepEqual([mined(node), transactions.isUnanswered], [["0:a", "1:b"], false]);
});

test("a simulated transaction, or one that waits for its nonce, can be taken back unless a wallet signs and sends it", async () => {
  const { node, submit, transactions } = await desk();
  const { transactionCount } = node;
  let asked = 0;
  node.transactionCount = async () => {
    asked++;
    throw new NodeUnavailable("HTTP 429");
  };
  transactions.sleep = () => new Promise((done) => setImmediate(done));
  const tx = submit("a");
  while (asked < 10) await new Promise((done) => setImmediate(done));
  assert.deepEqual([tx.state, transactions.isUnanswered, transactions.canCancel(tx)], ["simulated", true, true]);
  node.walletSends = () => true;
  assert.equal(transactions.canCancel(tx), false);
  node.walletSends = () => false;
  void transactions.cancel(tx);
  Object.assign(node, { transactionCount });
  await transactions.untilDone(submit("b"));
  assert.deepEqual([tx.state, tx.reason.sentence.key, mined(node)], ["refused", "tx.taken-back", ["0:b"]]);
});

test("a press that is kept can be taken back and takes no nonce", async () => {
  const { node, returns, submit, transactions, tx } = await offline();
  void transactions.cancel(tx);
  assert.deepEqual([tx.state, tx.reason.sentence.key], ["refused", "tx.taken-back"]);
  returns();
  await transactions.untilDone(submit("b"));
  assert.deepEqual(mined(node), ["0:b"]);
});

test("a press is not kept for longer than a player may remember it", async (t) => {
  const { transactions, tx } = await offline();
  t.mock.timers.enable({ apis: ["Date"], now: tx.at + 600_001 });
  await transactions.untilDone(tx);
  assert.deepEqual([tx.state, tx.reason.sentence.key], ["refused", "tx.not-sent"]);
});

test("transactions that were signed for the old chain are not sent after it was restarted offline", async () => {
  const { node, submit, steps } = await desk(new ModelNode({ count: 30 }));
  const send = node.send;
  let sends = 0;
  node.send = async (raw) => {
    if (++sends === 1) {
      node.first = 0;
      throw new NodeUnavailable("cut");
    }
    return send(raw);
  };
  const tx = submit("a");
  await settled();
  assert.deepEqual([mined(node), tx.nonce, tx.state, tx.hashes.length], [["0:a"], 0, "mined", 1]);
  assert.deepEqual(steps, ["a waiting", "a simulated", "a signed", "a simulated", "a signed", "a sent", "a mined"]);
});

test("a transaction is signed again only if it would still succeed", async () => {
  const { node, submit } = await desk(new ModelNode({ faults: { "send 1": "other" } }));
  const send = node.send;
  node.send = (raw) => {
    node.refused.add("a");
    return send(raw);
  };
  const tx = submit("a");
  await settled();
  assert.deepEqual([mined(node), tx.state, tx.nonce], [["0:other"], "refused", undefined]);
});

test("a failed look-up stops nothing", async () => {
  const { node, submit, transactions } = await desk();
  const receipts = node.receipts;
  node.receipts = async () => {
    throw new RpcError({ message: "not now" });
  };
  const both = [submit("a"), submit("b")];
  await settled();
  assert.deepEqual(
    both.map(({ state }) => state),
    ["sent", "sent"],
  );
  node.receipts = receipts;
  await transactions.check();
  assert.deepEqual(
    both.map(({ state }) => state),
    ["mined", "mined"],
  );
});

test("a transaction that fails in a block uses its nonce, and its block and reason are reported", async () => {
  const { tx } = await sent("bad");
  assert.deepEqual([tx.state, tx.block, tx.nonce, tx.reason.sentence.key], ["failed", 1, 0, "tx.unexplained"]);
});

test("a mined event ends the wait without a receipt", async () => {
  const { transactions, tx } = await sent("a", new ModelNode({ automine: false }));
  transactions.onEvent("#of another", 7, "0xblock");
  assert.equal(tx.state, "sent");
  transactions.onEvent(tx.hashes[0], 7, "0xblock");
  assert.deepEqual([tx.state, tx.block, tx.blockHash], ["mined", 7, "0xblock"]);
});

test("the receipt reports the opened match, even after an event was seen", async () => {
  const { node, submit, transactions } = await desk(new ModelNode({ automine: false }));
  node.openedMatch = () => "g/1";
  const tx = submit("a");
  await settled();
  node.mine();
  transactions.onEvent(tx.hashes[0], 1, node.chain[0].hash);
  await transactions.check();
  assert.deepEqual([tx.state, tx.opened], ["mined", "g/1"]);
});

test("the block of a transaction can be seen before the node has answered the sending request", async () => {
  const { node, submit, transactions, steps } = await desk();
  const send = node.send;
  node.send = async (raw) => {
    await send(raw);
    transactions.onEvent(`#${raw}`, 1, "early");
  };
  submit("a");
  submit("b");
  await settled();
  assert.deepEqual(steps.filter((step) => step.startsWith("b")).slice(0, 4), [
    "b waiting",
    "b simulated",
    "b signed",
    "b mined",
  ]);
  assert.deepEqual(mined(node), ["0:a", "1:b"]);
});

test("accounts do not wait for each other", async () => {
  const { node, submit } = await desk();
  let release;
  const gate = new Promise((done) => {
    release = done;
  });
  const simulate = node.simulate;
  node.simulate = async (tx) => {
    if (tx.account === "0xslow") await gate;
    return simulate(tx);
  };
  const slow = submit("a", "0xslow");
  const quick = submit("b", "0xquick");
  await settled();
  assert.deepEqual([slow.state, quick.state], ["waiting", "mined"]);
  release();
  await settled();
  assert.equal(slow.state === "waiting", false);
});

test("a transaction that a player declines in an injected wallet is rejected", async () => {
  const { node, submit } = await desk();
  node.walletSends = () => true;
  node.sendByWallet = async () => {
    throw new RpcError({ code: 4001, message: "User rejected the request." });
  };
  const tx = submit("a");
  await settled();
  assert.deepEqual([tx.state, tx.nonce], ["refused", undefined]);
});

test("a wallet's transaction is reported as lost only when the wallet's own node has had time to forward it", async () => {
  const { node, submit, transactions } = await desk(new ModelNode({ automine: false }));
  node.walletSends = () => true;
  node.sendByWallet = async () => "#0:a:22";
  const tx = submit("a");
  await settled();
  assert.deepEqual([tx.state, tx.nonce], ["sent", undefined]);
  node.take("0:a:22");
  await transactions.check();
  assert.deepEqual([tx.state, tx.nonce], ["sent", 0]);
  node.pool.clear();
  await transactions.check();
  assert.equal(tx.state, "dropped");
});

test("the manager merges another tab's transactions, and keeps later states that this tab knows", async () => {
  const { transactions, tx } = await sent();
  const merge = (fields) => transactions.merge({ ...structuredClone(tx), ...fields });
  merge({ id: "other", data: "b", state: "signed", at: tx.at - 1 });
  merge({ state: "signed" });
  assert.deepEqual(
    transactions.list.map(({ data, state }) => [data, state]),
    [
      ["b", "signed"],
      ["a", "mined"],
    ],
  );
  merge({ id: "elsewhere", chain: "31337 0xother" });
  assert.equal(transactions.list.length, 2);
});

test("a retracted transaction is offered again, and sent again only once", async () => {
  const { node, transactions, tx } = await sent();
  node.back(1);
  await transactions.check();
  assert.deepEqual([tx.state, tx.reason.sentence.key], ["retracted", "tx.why-retracted"]);
  await Promise.all([transactions.resubmit(tx), transactions.resubmit(tx)]);
  await settled();
  assert.deepEqual([mined(node), tx.state, transactions.list.length], [["0:a"], "mined", 1]);
});

test("a retracted transaction is signed again if its nonce was used since, and not sent if it would fail", async () => {
  const { node, transactions, submit } = await desk();
  const [tx, other] = [submit("a"), submit("b")];
  await settled();
  node.back(2);
  await transactions.check();
  node.other(1);
  node.refused.add("b");
  await transactions.resubmit(other);
  await transactions.resubmit(tx);
  await settled();
  assert.deepEqual(mined(node), ["0:other", "1:a"]);
  assert.deepEqual(
    [tx.state, tx.settled, other.state, other.reason.small],
    ["retracted", true, "retracted", "execution reverted"],
  );
});

test("a retracted transaction and a repeated click are one transaction, which is reported once", async () => {
  const { node, transactions, submit, tx } = await sent();
  node.back(1);
  await transactions.check();
  const later = submit("a");
  await settled();
  assert.deepEqual([mined(node), tx.state, tx.settled, later.state], [["0:a"], "retracted", true, "mined"]);
});

test("if a transaction is stuck at its limit, the player can raise the limit", async () => {
  const { node, transactions, tx } = await sent("a", new ModelNode({ automine: false }));
  node.base = 150n;
  for (let i = 0; i < 3; i++) {
    node.mine(2);
    await transactions.check();
  }
  assert.deepEqual([tx.stuck, tx.fees.maxFeePerGas <= tx.limit, tx.limit], [true, true, 110n]);
  await transactions.raiseLimit(tx);
  node.mine();
  await transactions.check();
  assert.deepEqual([tx.state, tx.stuck, mined(node)], ["mined", false, ["0:a"]]);
});

test("if another chain answers, no transaction stays pending", async () => {
  const { submit, transactions, node, tx: over } = await sent("a", new ModelNode({ automine: false }));
  node.mine();
  await transactions.check();
  const tx = submit("b");
  await settled();
  transactions.forget();
  assert.deepEqual([tx.state, tx.reason.sentence.key], ["dropped", "tx.other-chain"]);
  assert.deepEqual(
    [over.state, transactions.list],
    ["mined", [tx]],
    "transactions of the old chain are not shown as this chain's",
  );
});

test("every state is reached, and an unexpected transition throws", async () => {
  const reached = new Set(["waiting", ...Object.values(TRANSITIONS).flat()]);
  assert.deepEqual([...reached].sort(), Object.keys(TRANSITIONS).sort());
  assert.deepEqual(
    Object.keys(TRANSITIONS).filter((state) => !isDone(state)),
    ["waiting", "simulated", "signed", "sent"],
  );
  const { submit, transactions } = await desk();
  const tx = submit("a");
  assert.throws(() => transactions.transition(tx, "mined"), /from waiting to mined/);
});
