// Tests that the page computes the same fees as transactions/fees.py: the fees from recent blocks,
// and a rollup's fee for data.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ChainClient } from "../../../../frontend-static/chain/tx/chain-client.js";
import { MAX_PRIORITY_FEE, nextBaseFee, paidPriorityFee } from "../../../../frontend-static/chain/tx/fees.js";
import { L1Fees, about } from "../../../../frontend-static/chain/tx/l1-fees.js";
import { replaceGlobals } from "../../node/globals.mjs";

const history = (...blocks) => ({
  baseFeePerGas: [...blocks.map(() => "0x5"), "0x7"],
  gasUsedRatio: blocks.map(([ratio]) => ratio),
  reward: blocks.map(([, low, middle]) => [`0x${low.toString(16)}`, `0x${middle.toString(16)}`]),
});

test("the priority fee is the median of the transactions that were mined", () => {
  for (const [blocks, expected] of [
    [[], null],
    [[[0, 0, 0]], null],
    [[[0.3, 0, 9]], null],
    [
      [
        [0.3, 2, 9],
        [0, 0, 0],
        [0.3, 4, 9],
      ],
      2n,
    ],
    [
      [
        [0.3, 2, 9],
        [0.95, 2, 9],
        [1, 2, 9],
      ],
      9n,
    ],
  ])
    assert.equal(paidPriorityFee(history(...blocks)), expected);
  assert.equal(paidPriorityFee(null), null);
});

test("a short history does not determine the next base fee", () => {
  assert.equal(nextBaseFee(history([0.5, 1, 1])), 7n);
  assert.equal(nextBaseFee({ baseFeePerGas: ["0x5"], gasUsedRatio: [0.5] }), 0n);
  assert.equal(nextBaseFee(null), 0n);
});

/**
 * Run a function while the oracle for data fees charges `perByte` per byte. The function gets a
 * list of the calls to the oracle.
 */
async function withOracle(perByte, work) {
  const calls = [];
  const restore = replaceGlobals({ fetch: answer });
  async function answer(_, { body }) {
    const { id, params } = JSON.parse(body);
    calls.push(params[0]);
    const bytes = parseInt(params[0].data.slice(10 + 64, 10 + 128), 16);
    const result = perByte ? `0x${(bytes * perByte).toString(16).padStart(64, "0")}` : "0x";
    return { status: 200, json: async () => ({ jsonrpc: "2.0", id, result }) };
  }
  await work(calls).finally(restore);
}

test("the fee for data grows with the call", () =>
  withOracle(2, async () => {
    const fees = new L1Fees();
    const line = await fees.linearFee();
    const call = { to: `0x${"44".repeat(20)}`, data: `0x${"5a".repeat(4 + 32 * 5)}`, value: 0n };
    const exact = await fees.of(call);
    assert.ok(exact > 2n * 164n && exact < 2n * 400n, String(exact));
    assert.ok(Math.abs(Number(about(line, 5) - exact)) < 8, `${about(line, 5)} ${exact}`);
    assert.ok(about(line, 6) > about(line, 5));
  }));

test("on a chain without an oracle, the page looks for it only once", () =>
  withOracle(0, async (calls) => {
    const fees = new L1Fees();
    await fees.linearFee(1e6);
    assert.equal(await fees.of({ to: calls[0].to, data: "0x", value: 0n }), 0n);
    assert.equal(about(await fees.linearFee(2e6), 9), 0n);
    assert.equal(calls.length, 1);
  }));

test("a node that names a high priority fee can't empty the account", async () => {
  const high = `0x${(10n ** 18n).toString(16)}`; // 1 ether per unit of gas
  const answers = {
    eth_getBlockByNumber: { number: "0x7", baseFeePerGas: "0x5" },
    eth_feeHistory: { baseFeePerGas: ["0x5", "0x5"], gasUsedRatio: [0.5], reward: [[high, high]] },
    eth_maxPriorityFeePerGas: high,
  };
  const client = new ChainClient(
    () => null,
    () => undefined,
    () => undefined,
  );
  for (const history of [answers.eth_feeHistory, null]) {
    const restore = replaceGlobals({
      fetch: async (_, { body }) => {
        const { id, method } = JSON.parse(body);
        const result = method === "eth_feeHistory" ? history : answers[method];
        return { status: 200, json: async () => ({ jsonrpc: "2.0", id, result }) };
      },
    });
    const fees = await client.currentFees().finally(restore);
    assert.equal(fees.maxPriorityFeePerGas, MAX_PRIORITY_FEE);
    assert.equal(fees.maxFeePerGas, MAX_PRIORITY_FEE + 10n);
  }
});
