// Tests the recorded cases that the page's and Python's transaction managers must both pass. In all
// cases, no nonce is lost, skipped or used twice.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { TransactionManager } from "../../../../frontend-static/chain/tx/manager.js";
import { classify } from "../../../../frontend-static/server/node-errors.js";
import { NODE_ERRORS } from "../../../../frontend-static/server/node-error-table.js";
import { TRANSITIONS } from "../../../../frontend-static/chain/tx/states.js";
import { settled } from "../../node/settled.mjs";
import { Disk, ModelNode } from "./model-node.mjs";

const vectors = (name) =>
  JSON.parse(readFileSync(new URL(`../../../fixtures/vectors/${name}.json`, import.meta.url), "utf8"));
const { life, cases } = vectors("transactions");
const ACCOUNT = "0xme";

class Player {
  constructor(node) {
    Object.assign(this, { node, disk: new Disk(), genesis: 0, later: 0 });
    this.dead = new Promise((done) => {
      node.die = () => {
        done();
        return new Promise(() => undefined);
      };
    });
    this.begin();
  }
  begin() {
    this.transactions = new TransactionManager(this.node, this.disk.open(), undefined, async () => undefined);
    this.dead = new Promise((done) => {
      this.node.die = () => {
        done();
        return new Promise(() => undefined);
      };
    });
    return this.transactions.open(`31337 ${this.genesis}`);
  }
  find(data) {
    return this.transactions.list.find((tx) => tx.data === data && tx.chain === this.transactions.chain);
  }
  submit(data) {
    this.transactions.submit({
      account: ACCOUNT,
      to: "0xgame",
      data,
      value: 0n,
      gasCap: 1n,
      match: "",
      action: "create",
      game: "g",
    });
  }
  settle() {
    return Promise.race([Promise.all(this.transactions.queues.values()).then(settled), this.dead]);
  }
  check() {
    return Promise.race([this.transactions.check(), this.dead]);
  }
  mine(blocks) {
    this.node.mine(blocks);
  }
  forget(data) {
    for (const [nonce, one] of this.node.pool) if (one.data === data) this.node.pool.delete(nonce);
  }
  revert(blocks) {
    this.node.back(blocks);
  }
  reorg(blocks) {
    for (const one of this.node.back(blocks)) this.node.pool.set(one.nonce, one);
  }
  other(nonces) {
    this.node.other(nonces);
  }
  restart() {
    return this.begin();
  }
  base(fee) {
    this.node.base = BigInt(fee);
  }
  refuse(data) {
    this.node.refused.add(data);
  }
  cancel(data) {
    return Promise.race([this.transactions.cancel(this.find(data)), this.dead]);
  }
  genesisBegins() {
    Object.assign(this.node, { first: 0, chain: [], pool: new Map() });
    this.genesis++;
    this.transactions.forget();
    return this.transactions.open(`31337 ${this.genesis}`);
  }
}

for (const { name, node: facts, do: steps, expect } of cases) {
  test(name, async (context) => {
    const node = new ModelNode(facts);
    const player = new Player(node);
    for (const [what, value] of steps) {
      if (what === "later") {
        const now = Date.now() + value * 60_000;
        context.mock.method(Date, "now", () => now);
      } else await player[what === "genesis" ? "genesisBegins" : what](value);
      if (what !== "submit") await settled();
    }
    const entryOf = (key) => (data) => [data, player.find(data)?.[key] ?? null];
    if (expect.chain)
      assert.deepEqual(
        node.transactions.map(({ nonce, data }) => `${nonce}:${data}`),
        expect.chain,
      );
    if (expect.states)
      assert.deepEqual(Object.fromEntries(Object.keys(expect.states).map(entryOf("state"))), expect.states);
    if (expect.nonces)
      assert.deepEqual(Object.fromEntries(Object.keys(expect.nonces).map(entryOf("nonce"))), expect.nonces);
    if (expect.stuck)
      assert.deepEqual(
        player.transactions.list.filter(({ stuck, state }) => stuck && state === "sent").map(({ data }) => data),
        expect.stuck,
      );
  });
}

test("the states are those of the recorded cases", () => assert.deepEqual(TRANSITIONS, life));

for (const { source, text, kind } of vectors("node_says").texts)
  test(`the message of ${source} is classified: ${text}`, () => assert.equal(classify(new Error(text)), kind));

test("the error patterns of nodes are those of the Python code", () => {
  const table = new URL("../../../../transactions/node_errors.json", import.meta.url);
  assert.deepEqual(Object.entries(NODE_ERRORS), Object.entries(JSON.parse(readFileSync(table, "utf8")).kinds));
});
