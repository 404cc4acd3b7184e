// Tests the comparison of a board with the chain: the choice of the node that the page asks, and
// differences that aren't the server's fault.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { BoardChecker } from "../../../../frontend-static/chain/verify/checker.js";
import { codeHash } from "../../../../frontend-static/chain/verify/known-contracts.js";
import { OwnNode } from "../../../../frontend-static/chain/verify/own-node.js";
import { RpcError } from "../../../../frontend-static/server/jsonrpc.js";
import { Interface, keccak256 } from "ethers";
import { storageOf, useGlobals } from "../../node/globals.mjs";

const kept = new Map();
useGlobals({ localStorage: storageOf(kept), location: { origin: "https://games.example" } });

const contract = new Interface(["function seqOf(uint48 matchId) view returns (uint32)"]);
const [HILL, OTHER] = [1, 2].map((n) => `0x${String(n).repeat(40)}`);
const MATCH = "hill/1";
const claim = { seq: 4, board: {}, block: { height: 10, hash: "0xb", time: 0 } };
const CHAIN = { chainId: 31337, genesis: "0xg", state: "ok" };

let app, checker, node;
beforeEach(() => {
  kept.clear();
  node = { seq: 4, hash: "0xb", states: ["0xb", "0xa", "latest"] };
  app = {
    redraw: () => undefined,
    server: {
      identity: "31337 0xg",
      connection: "live",
      health: CHAIN,
      games: new Map([["hill", { abi: JSON.parse(contract.formatJson()), address: HILL, deployments: [] }]]),
      renderers: new Map(),
      board: () => claim.board,
    },
    accounts: { list: [], me: "0xAnn" },
    ownNode: { source: null, examined: Promise.resolve(), trouble: null },
  };
  checker = new BoardChecker(app);
});

/** A model of a node that has the chain's state only at some blocks. */
const source = {
  kind: "typed",
  name: "mine",
  request: async (method, [, at]) => {
    if (method === "eth_getCode") return "0x60";
    if (method === "eth_getBlockByNumber") return { hash: node.hash };
    if (!node.states.includes(at.blockHash ?? at)) throw new RpcError({ code: -32000, message: "missing trie node" });
    return contract.encodeFunctionResult("seqOf", [node.seq]);
  },
};
const look = async (past = false) => {
  const { state, why, differences } = await checker.verifyOnce(source, MATCH, { ...claim, past });
  return [state, why?.key ?? differences[0]?.path];
};

test("the page prefers the typed node to a wallet, and the wallet in use to others, and uses no wallet in trouble", () => {
  const wallet = (address, more = {}) => ({ address, name: address, provider: {}, ...more });
  const asked = () => [checker.source.kind, checker.source.name];
  assert.deepEqual(asked(), ["server", ""]);
  app.accounts.list = [wallet("0xBob"), wallet("0xAnn"), { address: "0xKey" }];
  assert.deepEqual(asked(), ["wallet", "0xAnn"]);
  app.accounts.list[1].trouble = { key: "why.wallet-chain" };
  assert.deepEqual(asked(), ["wallet", "0xBob"]);
  app.ownNode.source = source;
  assert.deepEqual(asked(), ["typed", "mine"]);
});

test("the page does not use a wallet on another chain", async () => {
  const provider = { request: async () => "0x1" };
  app.accounts.list = [{ address: "0xAnn", name: "W", provider }];
  const { state, why } = await checker.verifyOnce(checker.source, MATCH, claim);
  assert.deepEqual(
    [state, why],
    ["unanswered", { key: "asked.other-chain", args: { name: "W", has: 1, chain: 31337 } }],
  );
});

test("a node without old states verifies the present, and reports that it can't verify the past", async () => {
  node.states = ["latest"];
  assert.deepEqual(await look(), ["count-only", undefined]);
  node.seq = 5;
  assert.deepEqual(await look(true), ["unanswered", "checked.pruned"]);
});

test("a block that differs from the page's block counts as a reorg for a while, and then as a difference", async ({
  mock,
}) => {
  mock.timers.enable({ apis: ["Date"], now: 1e12 });
  Object.assign(node, { states: [], hash: "0xc" });
  assert.deepEqual(await look(), ["unanswered", "checked.other-block"]);
  mock.timers.tick(5000);
  assert.deepEqual(await look(), ["unanswered", "checked.other-block"]);
  mock.timers.tick(1);
  assert.deepEqual(await look(), ["differs", "checked.other-block"]);
});

test("the page reports a contract that differs from the first contract until the player accepts it", async () => {
  assert.deepEqual(await look(), ["count-only", undefined]);
  app.server.games.get("hill").address = OTHER;
  const { state, why } = await checker.verifyOnce(source, MATCH, claim);
  assert.deepEqual([state, why], ["differs", { key: "checked.other-contract", args: { was: HILL, now: OTHER } }]);
  checker.acceptContract(MATCH);
  assert.deepEqual(await look(), ["count-only", undefined]);
});

const NODE = "http://127.0.0.1:8545/";
const TYPED = [
  ...["nonsense", "http://node.example.org", "ftp://127.0.0.1", "ws://127.0.0.1:8545", "http://[::1]:8545"].map(
    (text) => [text, {}, "asked.no-address"],
  ),
  ["https://games.example/api/rpc", {}, "asked.this-server"],
  [NODE, null, "asked.no-answer"],
  [NODE, { eth_chainId: "0x7" }, "asked.other-chain"],
  [NODE, { eth_chainId: "what" }, "asked.no-node"],
  [NODE, { eth_getBlockByNumber: { hash: "0xother" } }, "asked.other-genesis"],
  [NODE, {}, undefined],
];
for (const [text, says, trouble] of TYPED)
  test(`the node address ${text} with the answers ${JSON.stringify(says)} ${trouble ? `has the problem ${trouble}` : "is stored"}`, async (context) => {
    context.mock.method(globalThis, "fetch", async (url, { body }) => {
      if (!says) throw new TypeError("Failed to fetch");
      const answers = { eth_chainId: "0x7a69", eth_getBlockByNumber: { hash: "0xg" }, ...says };
      return { status: 200, json: async () => ({ result: url === NODE && answers[JSON.parse(body).method] }) };
    });
    const own = new OwnNode(() => undefined);
    await own.restore("31337 0xg", CHAIN);
    await own.use(text);
    assert.deepEqual(
      [own.trouble?.key, own.url, own.source?.kind],
      [trouble, trouble ? "" : NODE, trouble ? undefined : "typed"],
    );
    const later = new OwnNode(() => undefined);
    await later.restore("31337 0xg", CHAIN);
    assert.equal(later.url, own.url, "the address is restored in a later visit");
    later.forget();
    await own.restore("31337 0xg", CHAIN);
    assert.equal(own.url, "");
  });

test("the page reports a companion contract whose code differs from the server's hash", async () => {
  const game = app.server.games.get("hill");
  game.companions = [{ name: "Guide", address: OTHER, codeHash: keccak256("0x60") }];
  assert.deepEqual(await look(), ["count-only", undefined]);
  game.companions[0].codeHash = keccak256("0x61");
  assert.deepEqual(await look(), ["differs", "checked.companion"]);
});

test("the page fetches the hash of a contract's code, or the code itself if a node returns no hash", async () => {
  const words = (hash) => `0x${"0".repeat(64)}${hash}`;
  const answers = { eth_getCode: "0x60" };
  const asked = [];
  let failure = new RpcError({ code: -32602, message: "to is missing" });
  const request = async (method, [what]) => {
    asked.push(what.data ?? method);
    if (!answers[method]) throw failure;
    return answers[method];
  };
  let chain = 0;
  const hash = () => codeHash({ kind: "typed", name: "other", request }, String(chain++), OTHER);
  assert.equal(await hash(), keccak256("0x60"), "refused");
  failure = { code: 4200, message: "a wallet's error is no Error" };
  assert.equal(await hash(), keccak256("0x60"), "a wallet rejected the call for the hash");
  answers.eth_call = "0x";
  assert.equal(await hash(), keccak256("0x60"), "the call for the hash returned nothing");
  answers.eth_call = words(keccak256("0x61").slice(2));
  asked.length = 0;
  assert.equal(await hash(), keccak256("0x61"));
  assert.deepEqual(asked, [`0x73${OTHER.slice(2)}3f60205260406000f3`]);
  for (const none of ["0".repeat(64), keccak256("0x").slice(2)]) {
    answers.eth_call = words(none);
    assert.equal(await hash(), keccak256("0x60"), "there is no hash, so the page requests the code itself");
  }
  answers.eth_getCode = "0x";
  assert.equal(await hash(), "");
});
