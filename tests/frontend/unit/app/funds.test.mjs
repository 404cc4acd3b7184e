// Tests that the page shows the missing amount after a node has rejected a transaction for lack of
// funds.
import assert from "node:assert/strict";
import { test } from "node:test";

import { settled } from "../../node/settled.mjs";
import { ANN, page, useBrowser } from "./page.mjs";

useBrowser();

test("the page shows the missing amount of a rejected transaction even if it did not know the fee yet", async (context) => {
  const app = await page({ own: [ANN] });
  const answers = {
    eth_getBlockByNumber: { number: "0x1", baseFeePerGas: "0x3b9aca00" },
    eth_maxPriorityFeePerGas: "0x3b9aca00",
    eth_estimateGas: "0x186a0",
    eth_getBalance: "0x1",
  };
  context.mock.method(globalThis, "fetch", async (_, { body }) => {
    const asked = JSON.parse(body);
    const answer = ({ id, method }) => ({ jsonrpc: "2.0", id, result: answers[method] });
    return { ok: true, status: 200, json: async () => (Array.isArray(asked) ? asked.map(answer) : answer(asked)) };
  });
  const tx = {
    account: ANN,
    value: 0n,
    gasCap: 1n,
    match: "",
    state: "refused",
    reason: { sentence: { key: "node.funds" } },
  };
  assert.equal(app.server.fee, 0n);
  app.onTransaction(tx);
  await settled();
  assert.equal(tx.reason.sentence.key, "node.funds-missing");
});
