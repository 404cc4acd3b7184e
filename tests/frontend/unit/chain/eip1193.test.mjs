// Tests the texts for a wallet's errors, and the texts that explain why a wallet's transaction
// can't be mined.
import assert from "node:assert/strict";
import { test } from "node:test";

import { reasonOf } from "../../../../frontend-static/chain/wallet/eip1193.js";
import { connect, requestWallet, whyStuck } from "../../../../frontend-static/chain/wallet/injected-wallet.js";
import { translate } from "../../../../frontend-static/i18n/translate.js";
import { storageOf, useGlobals } from "../../node/globals.mjs";
import "../../node/texts.mjs";

const REFUSALS = [
  [4001, "User rejected the request.", "You declined the request in your wallet."],
  [4100, "The requested account has not been authorized", "Unlock the wallet, then let it connect to this page."],
  [4900, "Disconnected from all chains", "lost its connection to the chain"],
  [-32002, "Request of type already pending", "Open it and answer there"],
  [-32000, "nonce too high", "Clear the wallet’s activity data"],
  [-32603, "Nonce too high. Expected nonce to be 2 but got 30.", "Clear the wallet’s activity data"],
  [-32000, "insufficient funds for gas * price + value", "Your wallet doesn’t have enough ETH"],
  [-32603, "Internal JSON-RPC error.", "Your wallet rejected the request."],
];
for (const [code, message, text] of REFUSALS) {
  test(`a wallet's error ${code} has a text: ${message}`, async () => {
    const provider = {
      request: async () => {
        throw Object.assign(new Error(message), { code });
      },
    };
    const { sentence, small } = reasonOf(
      await requestWallet(provider, "eth_sendTransaction", [{}]).catch((error) => error),
    );
    assert.ok(translate(sentence).includes(text), translate(sentence));
    assert.equal(small, message);
  });
}

const HASH = `0x${"12".repeat(32)}`;
const SENT = { hashes: [HASH], account: "0xAnn" };

useGlobals({ fetch: undefined, localStorage: undefined }); // each test sets these globals

/**
 * Let the node answer each request for a transaction with `found` (null if unknown), and each
 * request for a transaction count with `count`.
 */
function node(found, count) {
  globalThis.fetch = async (_, { body }) => {
    const { method, params } = JSON.parse(body);
    const result = { eth_getTransactionByHash: found, eth_getTransactionCount: `0x${count.toString(16)}` }[method];
    assert.deepEqual(params, method === "eth_getTransactionCount" ? ["0xAnn", "pending"] : [HASH]);
    return { status: 200, json: async () => ({ result }) };
  };
}

const CASES = [
  ["a transaction in a block isn't stuck", { nonce: "0x9", blockNumber: "0x1" }, 3, null],
  ["the next transaction to be mined isn't stuck", { nonce: "0x2", blockNumber: null }, 3, null],
  ["a transaction behind a known transaction isn't stuck", { nonce: "0x3", blockNumber: null }, 3, null],
  [
    "a transaction behind some that nobody sends is stuck",
    { nonce: "0x1e", blockNumber: null },
    3,
    { key: "tx.wallet-ahead", args: { nonce: 30, count: 3 } },
  ],
];
for (const [what, found, count, wanted] of CASES)
  test(what, async () => {
    node(found, count);
    assert.deepEqual(await whyStuck({ ...SENT }), wanted);
  });

test("a transaction that the node doesn't have gets some time to arrive after the first look-up", async ({ mock }) => {
  mock.timers.enable({ apis: ["Date"], now: 1e12 });
  const tx = { ...SENT, at: 0 };
  node(null, 3);
  assert.equal(await whyStuck(tx), null, "the wallet's user may have taken an hour to confirm");
  mock.timers.tick(60_000);
  assert.deepEqual(await whyStuck(tx), { key: "tx.wallet-elsewhere" });
  node({ nonce: "0x3", blockNumber: null }, 3);
  assert.equal(await whyStuck(tx), null, "the transaction has arrived after all");
});

test("the page stores each network that it has added to a wallet, because the network leads to this server", async () => {
  globalThis.localStorage = storageOf(new Map());
  const chain = { chainId: 5, genesis: "0xg" };
  const wallet = (name, has) => {
    const answers = {
      eth_requestAccounts: () => ["0x70997970c51812dc3a010c7d01b50e0d17dc79c8"],
      wallet_switchEthereumChain: () => {
        if (!has) throw Object.assign(new Error("unknown"), { code: 4902 });
      },
      wallet_addEthereumChain: () => {
        has = true;
      },
      eth_getBlockByNumber: () => ({ hash: "0xg" }),
    };
    return { name, provider: { request: async ({ method }) => answers[method]() } };
  };
  const served = async (found, of = chain) => (await connect(found, of)).usesThisServer;
  const [lacking, having] = [wallet("Lacking", false), wallet("Having", true)];
  assert.deepEqual([await served(lacking), await served(lacking), await served(having)], [true, true, false]);
  assert.equal(await served(wallet("Lacking", true)), true, "the network is known in a later visit");
  assert.equal(
    await served(wallet("Lacking", true), { ...chain, chainId: 6 }),
    false,
    "the network of another chain is not known",
  );
  globalThis.localStorage = undefined;
  assert.equal(await served(wallet("New", false)), true, "the network is known although nothing can be stored");
});
