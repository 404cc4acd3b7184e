// Tests that a node that lies about a sent transaction can't get several valid deposits for one
// click.
import assert from "node:assert/strict";
import { test } from "node:test";

import { TransactionManager } from "../../../../frontend-static/chain/tx/manager.js";
import { RpcError } from "../../../../frontend-static/server/jsonrpc.js";
import { WalletRejection } from "../../../../frontend-static/chain/wallet/eip1193.js";
import { settled } from "../../node/settled.mjs";
import { Disk, ModelNode } from "../chain/model-node.mjs";

/**
 * A node that keeps each signed transaction, but claims that the transaction's nonce is used. It
 * could send all of them later.
 */
class KeepingNode extends ModelNode {
  kept = [];
  transactionCount = async () => this.kept.length;
  send = async (raw) => {
    this.kept.push(raw);
    throw new RpcError({ message: "nonce too low" });
  };
  reason = (_, error) => (error instanceof WalletRejection ? error.reason : { sentence: { key: "node.nonce" } });
}

/** Submit a transaction, and return it when the node has rejected it, with all signed copies. */
async function submit(value) {
  const node = new KeepingNode();
  const manager = new TransactionManager(node, new Disk().open(), undefined, async () => undefined);
  await manager.open("1 0xgenesis");
  const tx = manager.submit({ account: "0xme", to: "0xgame", data: "a", value, gasCap: 1n, match: "", game: "g" });
  await settled();
  return { tx, kept: node.kept };
}

test("a deposit is signed only once", async () => {
  const { tx, kept } = await submit(5n);
  assert.deepEqual(kept, ["0:a:22"]);
  assert.deepEqual([tx.state, tx.reason.sentence.key], ["refused", "tx.deposit-unsure"]);
});

test("a move, which pays nothing, is signed again with the next nonce", async () => {
  const { kept } = await submit(0n);
  assert.deepEqual(kept.slice(0, 2), ["0:a:22", "1:a:22"]);
});
