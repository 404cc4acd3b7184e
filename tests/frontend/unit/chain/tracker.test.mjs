// Tests that the tracker requests only the receipt of the newest mined transaction, until something
// changes on the chain.
import assert from "node:assert/strict";
import { test } from "node:test";

import { TransactionManager } from "../../../../frontend-static/chain/tx/manager.js";
import { settled } from "../../node/settled.mjs";
import { Disk, ModelNode } from "./model-node.mjs";

/**
 * Return a dozen transactions, each in its own block, and a function that checks the transactions
 * and counts the requested receipts.
 */
async function dozen(node = new ModelNode()) {
  const asked = [];
  const receipts = node.receipts;
  node.receipts = (hashes) => {
    asked.push(hashes.length);
    return receipts(hashes);
  };
  const transactions = new TransactionManager(node, new Disk().open(), undefined, async () => undefined);
  await transactions.open("31337 0xgenesis");
  const request = { account: "0xme", to: "0xgame", value: 0n, gasCap: 1n, match: "g/1", action: "move", game: "g" };
  const submit = (data) => transactions.submit({ ...request, data });
  const all = [..."abcdefghijkl"].map(submit);
  await settled();
  /** Check all transactions, and return the number of requested receipts. */
  const check = async () => {
    asked.length = 0;
    await transactions.check();
    return asked.reduce((sum, one) => sum + one, 0);
  };
  await check();
  await check(); // the first check after a change requests all receipts
  return { node, transactions, submit, all, check };
}

const states = (all) => all.map(({ state }) => state).join(" ");

test("a check requests one receipt for a dozen mined transactions, and one for each unmined transaction", async () => {
  const { node, submit, check } = await dozen();
  assert.deepEqual([await check(), await check()], [1, 1]);
  node.automine = false;
  submit("m");
  await settled();
  assert.equal(await check(), 2);
  node.mine();
  await check();
  assert.equal(await check(), 13, "after a change, all receipts are requested once more");
  assert.equal(await check(), 1);
});

test("a check notices removed blocks, however old their transactions are", async () => {
  const { node, all, check } = await dozen();
  const held = node.back(10);
  node.mine(4);
  await check();
  assert.equal(states(all), `mined mined ${Array(10).fill("retracted").join(" ")}`);
  for (const { nonce, raw } of held) node.pool.set(nonce, { nonce, raw, data: raw.split(":")[1], fee: 100n });
  node.mine();
  await check();
  assert.equal(states(all), Array(12).fill("mined").join(" "));
  assert.ok(all.slice(2).every(({ blockHash }) => blockHash === node.chain.at(-1).hash));
});

test("an event in a new block proves nothing about transactions in older blocks", async () => {
  const { node, transactions, submit, all, check } = await dozen();
  node.automine = false;
  const last = submit("m");
  await settled();
  const held = node.back(3);
  node.mine(5);
  for (const { nonce, raw } of held) node.pool.set(nonce, { nonce, raw, data: raw.split(":")[1], fee: 100n });
  node.mine();
  transactions.onEvent(last.hashes[0], node.chain.length, node.chain.at(-1).hash);
  await check();
  assert.ok([...all.slice(9), last].every(({ blockHash }) => blockHash === node.chain.at(-1).hash));
});

test("a node that fails in the middle of a check leaves nothing unchecked", async () => {
  const { node, all, check } = await dozen();
  node.back(4);
  node.mine(6);
  const look = node.transactionNonce;
  let looks = 0;
  node.transactionNonce = async (hash) => {
    if (++looks === 2) throw Object.assign(new Error("cut"), { name: "TypeError" });
    return look(hash);
  };
  await check().catch(() => undefined);
  await check();
  assert.equal(states(all), `${Array(8).fill("mined").join(" ")} ${Array(4).fill("retracted").join(" ")}`);
});

test("transactions without a request become final with the others", async () => {
  const { node, all, check } = await dozen();
  await check();
  node.mine(node.depth + 20);
  await check();
  assert.equal(states(all), Array(12).fill("final").join(" "));
});

test("a transaction that was too cheap for a block is sent again together with the transactions that followed it", async () => {
  const { node, submit, check } = await dozen();
  node.automine = false;
  const cheap = submit("m");
  await settled();
  node.base *= 4n;
  const follower = submit("n");
  await settled();
  assert.ok(cheap.fees.maxFeePerGas < node.base && follower.fees.maxFeePerGas > node.base);
  const { raw } = follower;
  node.pool.clear();
  await check();
  assert.equal(states([cheap, follower]), "sent sent");
  assert.equal(follower.raw, raw, "the bytes are unchanged");
  node.mine();
  await check();
  assert.equal(states([cheap, follower]), "mined mined");
});

test("an earlier wrong answer from mixed replicas does not make a transaction final", async () => {
  const { node, submit, check } = await dozen();
  const [older, newer] = ["m", "n"].map(submit);
  await settled();
  await check();
  await check();
  const branch = node.chain.slice();
  const receipts = node.receipts;
  node.back(2);
  node.other(1);
  node.take(newer.raw);
  let lagging = true;
  node.receipts = async (hashes) => {
    const found = [];
    for (const hash of hashes) {
      const { chain } = node;
      if (lagging && hash === older.hashes[0]) {
        lagging = false;
        node.chain = branch;
      }
      found.push(...(await receipts([hash])));
      node.chain = chain;
    }
    return found;
  };
  for (let i = 0; i < 5; i++) await check();
  assert.equal(lagging, false);
  node.mine(node.depth + 20);
  await check();
  await check();
  assert.notEqual(older.state, "final");
});

/**
 * Return a cancelled transaction. The node's pool contains the cancellation until the function
 * `restore` replaces it with the original transaction.
 */
async function cancelled() {
  const { node, transactions, submit, check } = await dozen();
  node.automine = false;
  const tx = submit("m");
  await settled();
  const { raw, nonce } = tx;
  await transactions.cancel(tx);
  return { node, check, tx, restore: () => node.pool.set(nonce, { nonce, data: "m", fee: 1000n, raw }) };
}

test("a cancellation that a reorg mines instead of the original ends as cancelled", async () => {
  const { node, check, tx, restore } = await cancelled();
  restore();
  node.mine();
  await check();
  assert.equal(tx.state, "mined");
  node.back(1);
  node.take(tx.cancelRaw);
  node.mine();
  await check();
  await check();
  assert.equal(tx.state, "cancelled");
});

test("an original that a reorg mines instead of its cancellation takes effect", async () => {
  const { node, check, tx, restore } = await cancelled();
  node.mine();
  await check();
  assert.equal(tx.state, "cancelled");
  node.back(1);
  restore();
  node.mine();
  await check();
  assert.equal(tx.state, "mined");
  node.mine(node.depth + 20);
  await check();
  assert.equal(tx.state, "final");
});
