// Tests that the JSON-RPC client distinguishes a rejection by the node from a missing answer.
import assert from "node:assert/strict";
import { test } from "node:test";

import { NodeUnavailable, RpcError, rpc } from "../../../../frontend-static/server/jsonrpc.js";
import { useGlobals } from "../../node/globals.mjs";

useGlobals({ fetch: undefined }); // each test sets fetch
const answering = (status, body) => {
  globalThis.fetch = async () => new Response(JSON.stringify(body), { status });
};
const error = (code, message) => ({ jsonrpc: "2.0", id: 1, error: { code, message } });

test("an error from the node is a rejection", async () => {
  answering(200, error(3, "execution reverted"));
  await assert.rejects(rpc("eth_call", []), (thrown) => thrown instanceof RpcError && thrown.code === 3);
});

test("after the gateway failed to reach its node, a transaction's outcome is unknown", async () => {
  answering(200, error(-32002, "The chain's node does not answer at the moment. Try again later."));
  await assert.rejects(
    rpc("eth_sendRawTransaction", ["0x"]),
    (thrown) => thrown instanceof NodeUnavailable && /does not answer/.test(thrown.message),
  );
});

test("too many requests are temporary, not a rejection", async () => {
  answering(429, {
    ...error(-32005, "Your network address has sent too many calls (limit: 3000 in 10 seconds). Try again soon."),
    detail: "At most 3000 calls.",
  });
  await assert.rejects(rpc("eth_sendRawTransaction", ["0x"]), NodeUnavailable);
});

test("a problem document is not an answer from the node", async () => {
  answering(503, { detail: "The database is busy." });
  await assert.rejects(
    rpc("eth_blockNumber", []),
    (thrown) => thrown instanceof NodeUnavailable && /busy/.test(thrown.message),
  );
});
