// Tests the finality of a board, which a source other than the server must confirm. The tests cover
// valid sources, the depth of a block, and refreshes.
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
 * Return a page whose node is at the height `latest`. `final` is the node's final block, or null if
 * the node lacks the tag `finalized`. `state` is the result of comparing the board with the
 * contract.
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
  ["the block is below the node's final block", {}, "final"],
  ["the block is above the node's final block", { final: 99 }, "recent"],
  ["the server reports a lower height for the block than the node", { mined: 200 }, "recent"],
  ["the node does not have the block", { mined: null }, "recent"],
  [
    "the node reports its newest block as final, and the block isn't deep enough",
    { latest: 163, final: 163 },
    "recent",
  ],
  ["the node reports its newest block as final, and the block is deep enough", { latest: 164, final: 164 }, "final"],
  ["the node lacks the tag, and the block isn't deep enough", { latest: 163, final: null }, "recent"],
  ["the node lacks the tag, and the block is deep enough", { latest: 164, final: null }, "final"],
  ["the server has not saved its own chain up to the block", { health: { finalHead: 99 } }, "recent"],
  ["the server has saved its own chain up to the block", { health: { finalHead: 100 } }, "final"],
  ["the contract disagrees, however deep the block is", { state: "differs" }, "differs"],
  ["only the number of events can be compared", { state: "count-only" }, "unanswered"],
  ["the contract could not be called", { state: "unanswered" }, "unanswered"],
  ["the node doesn't answer when it is asked for the height", { lost: true }, "recent"],
  ["a wallet's own network confirms the block", { kind: "wallet" }, "final"],
];
for (const [name, how, state] of FOUND)
  test(`the result is "${state}" if ${name}`, async () =>
    assert.deepEqual(await page(how).looked(), ["asking", state]));

for (const [name, how] of [
  ["the server's own node", { own: false }],
  ["a wallet on a development chain", { kind: "wallet", health: { development: true } }],
]) {
  test(`${name} belongs to the server, so the page sends no request`, async () => {
    const { app, looked } = page(how);
    assert.deepEqual([await looked(), app.judged], [["server", "server"], 0]);
  });
}

test("the page finds out which sources are independent of the server", () => {
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

test("the page verifies a different board of the same event again and doesn't reuse the result of the final board", async () => {
  const { app, finality, looked } = page();
  assert.deepEqual(await looked(), ["asking", "final"]);
  app.server.socket.entries.set("sea/1", entry(100, { forged: true }));
  assert.equal(finality.resultFor("sea/1").state, "asking");
  finality.request("sea/1");
  finality.reset();
  assert.equal(finality.resultFor("sea/1").state, "asking");
  assert.equal(finality.resultFor("sea/2").state, "server", "the page doesn't follow this match");
});
