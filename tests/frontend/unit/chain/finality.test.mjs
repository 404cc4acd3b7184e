// Finality of a board from an independent source: valid sources, the depth of a block, refreshes.
import assert from "node:assert/strict";
import { test } from "node:test";

import { serverNode, typedNode, walletNode } from "../../../../frontend-static/chain/verify/sources.js";
import { FinalityChecker } from "../../../../frontend-static/chain/verify/finality.js";
import { NodeUnavailable, RpcError } from "../../../../frontend-static/server/jsonrpc.js";
import { settled } from "../../node/settled.mjs";
import { useGlobals } from "../../node/globals.mjs";

useGlobals({ location: { origin: "https://games.example" } });

const entry = (height = 100, board = {}) => ({
  seq: 9,
  block: { height, hash: "0xb", time: 0 },
  board,
  recentBoards: new Map(),
});

/**
 * Return a node at a height with its final block (null: it lacks the tag), and the contract's
 * verdict.
 */
function page({
  latest = 200,
  final = 136,
  state = "same",
  own = true,
  kind = "typed",
  health = {},
  lost = false,
  mined = 100,
} = {}) {
  const node = (method) => {
    if (lost) throw new NodeUnavailable("no answer");
    if (method === "eth_blockNumber") return `0x${latest.toString(16)}`;
    if (method === "eth_getBlockByHash") return mined && { number: `0x${mined.toString(16)}` };
    if (final === null) throw new RpcError({ message: "unknown tag" });
    return { number: `0x${final.toString(16)}` };
  };
  const source = { kind, isIndependent: own, name: "mine", request: async (method) => node(method) };
  const app = {
    redraw: () => {},
    server: { health, socket: { entries: new Map([["sea/1", entry()]]) } },
    judged: 0,
    boardChecker: {
      source,
      verify: async () => {
        app.judged += 1;
        return state && { state, why: { key: state } };
      },
    },
  };
  const finality = new FinalityChecker(app);
  const looked = async () => {
    finality.request("sea/1");
    const first = finality.resultFor("sea/1");
    await settled();
    return [first.state, finality.resultFor("sea/1").state];
  };
  return { app, finality, looked };
}

const FOUND = [
  ["the block is below what the node calls final", {}, "final"],
  ["it is above", { final: 99 }, "recent"],
  ["the server calls the block an older one than the node does", { mined: 200 }, "recent"],
  ["the node does not know the block", { mined: null }, "recent"],
  ["the node calls its newest block final: then a depth counts", { latest: 163, final: 163 }, "recent"],
  ["that depth is reached", { latest: 164, final: 164 }, "final"],
  ["the node knows no such tag", { latest: 163, final: null }, "recent"],
  ["it knows none, and the depth is reached", { latest: 164, final: null }, "final"],
  ["the server has not saved its own chain so far", { health: { finalHead: 99 } }, "recent"],
  ["the server has saved it", { health: { finalHead: 100 } }, "final"],
  ["the contract says otherwise, however deep", { state: "differs" }, "differs"],
  ["only the number of events can be compared", { state: "count-only" }, "unanswered"],
  ["the contract could not be asked", { state: "unanswered" }, "unanswered"],
  ["the node is gone when it is asked for the height", { lost: true }, "recent"],
  ["a wallet of its own network says so", { kind: "wallet" }, "final"],
];
for (const [name, how, state] of FOUND)
  test(`${state}: ${name}`, async () => assert.deepEqual(await page(how).looked(), ["asking", state]));

for (const [name, how] of [
  ["the server's own node", { own: false }],
  ["a wallet on a development chain", { kind: "wallet", health: { development: true } }],
]) {
  test(`${name} is the server's own source: sends no request`, async () => {
    const { app, looked } = page(how);
    assert.deepEqual([await looked(), app.judged], [["server", "server"], 0]);
  });
}

test("sources that are independent of the server, as far as the page knows", () => {
  const provider = {};
  assert.deepEqual(
    [
      typedNode("https://node.example/"),
      typedNode("https://games.example/api/rpc"),
      walletNode({ name: "W", provider }),
      walletNode({ name: "W", provider, usesThisServer: true }),
      serverNode,
    ].map(({ isIndependent }) => isIndependent),
    [true, false, true, false, false],
  );
});

test("verifies another board of the same event again, and never takes it for the final one", async () => {
  const { app, finality, looked } = page();
  assert.deepEqual(await looked(), ["asking", "final"]);
  app.server.socket.entries.set("sea/1", entry(100, { forged: true }));
  assert.equal(finality.resultFor("sea/1").state, "asking");
  finality.request("sea/1");
  finality.reset();
  assert.equal(finality.resultFor("sea/1").state, "asking");
  assert.equal(finality.resultFor("sea/2").state, "server", "a match that is not followed");
});
