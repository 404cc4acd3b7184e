// Tests that the player sees an explanation and the contract's own words if a contract rejects a
// call.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { explain } from "../../../../frontend-static/chain/tx/revert-reason.js";
import { RpcError } from "../../../../frontend-static/server/jsonrpc.js";
import { Interface } from "ethers";
import { translate } from "../../../../frontend-static/i18n/translate.js";
import { gameTexts } from "../../node/texts.mjs";

await gameTexts("touche-coule");

const { abi } = JSON.parse(
  readFileSync(new URL("../../../../contracts/artifacts/ToucheCoule.json", import.meta.url), "utf8"),
);
const ours = new Interface(abi);
const explained = (error) => {
  const { sentence, small } = explain(new RpcError(error), abi, "touche-coule");
  return [translate(sentence), small];
};

const vectors = JSON.parse(readFileSync(new URL("../../../fixtures/vectors/node_says.json", import.meta.url), "utf8"));
const FEE = "The chain asks for a higher fee";

const CASES = [
  ["StaleMove", [4, 3], "The game is now at turn 4; your move was for turn 3."],
  ["TooSoon", [20, 22], "This turn is still being decided. Try again in a moment."],
  ["NotReady", [3, 5], "Your ships can’t move before turn 5."],
  ["TooFewOwners", [1, 2], "The first turn can start when 2 players have ships. Players with ships so far: 1."],
  ["NothingToTell", [1, 2], "Ships 1 and 2 have nothing new to share with each other."],
];
for (const [name, args, sentence] of CASES) {
  test(name, () =>
    assert.deepEqual(explained({ code: 3, message: "execution reverted", data: ours.encodeErrorResult(name, args) }), [
      sentence,
      `${name}(${args.join(", ")})`,
    ]),
  );
}

test("revert data is found even if a node wraps it in objects", () => {
  const data = ours.encodeErrorResult("StaleMove", [4, 3]);
  assert.equal(explained({ code: -32603, message: "reverted", data: { data: { data } } })[1], "StaleMove(4, 3)");
});

test("an error outside every ABI, a panic and a plain reason have texts", () => {
  const plain = new Interface(["error Error(string)", "error Panic(uint256)", "error Strange(uint8)"]);
  assert.equal(
    explained({ data: plain.encodeErrorResult("Strange", [1]) })[0],
    "The contract rejected this for a reason that this page doesn’t know.",
  );
  assert.deepEqual(explained({ data: plain.encodeErrorResult("Panic", [17]) }), [
    "The contract stopped because of an internal error.",
    "Panic(17)",
  ]);
  assert.deepEqual(explained({ data: plain.encodeErrorResult("Error", ["no"]) }), [
    "The contract rejected this.",
    "Error(no)",
  ]);
});

test("a reason that is endless, has hidden characters or can't be decoded is shown safely", () => {
  const plain = new Interface(["error Error(string)"]);
  const data = plain.encodeErrorResult("Error", [`\u202ea\u200bb${"x".repeat(1000)}`]);
  const { sentence, small } = explain(new RpcError({ data }), abi, "touche-coule");
  assert.equal(small, `Error(a b${"x".repeat(291)}`);
  assert.ok(Object.values(sentence.args).join("").length <= 300);
  assert.equal(explained({ message: `\u2066${"y".repeat(1000)}` })[1], "y".repeat(299));
  assert.match(explained({ data: data.slice(0, 100) })[1], /^Unknown\(0x08c379a0/);
  assert.equal(
    explained({ data: plain.encodeErrorResult("Error", ["abc"]).replace("616263", "ff6263") })[1],
    "Error(\ufffdbc)",
  );
});

for (const { source, text, kind } of vectors.texts) {
  const wanted =
    {
      funds: "Your wallet doesn’t have enough ETH",
      declined: "You declined the request",
      low: "Another program used this key",
      busy: "The server is busy.",
      replacement: FEE,
      underpriced: FEE,
      basefee: FEE,
      large: "This is too long for the server",
    }[kind] ?? "The node rejected this.";
  test(`the message of ${source} is classified: ${text}`, () =>
    assert.ok(explained({ message: text })[0].startsWith(wanted), explained({ message: text })[0]));
}

test("a contract's own words are never mistaken for its node's message", () => {
  for (const words of ["rate limit", "insufficient funds", "too many requests", "user denied", "nonce too low"]) {
    for (const message of [
      `execution reverted: ${words}`,
      `VM Exception while processing transaction: reverted with reason string '${words}'`,
    ]) {
      assert.deepEqual(explained({ code: 3, message }), ["The node rejected this.", message]);
    }
  }
});

test("errors from nodes and wallets have texts", () => {
  assert.equal(
    explained({ message: "Insufficient funds for gas * price + value" })[0],
    "Your wallet doesn’t have enough ETH for this.",
  );
  assert.equal(
    explained({ code: 4001, message: "MetaMask Tx Signature: User denied transaction signature." })[0],
    "You declined the request in your wallet.",
  );
  assert.equal(
    explained({ message: "A transaction may carry at most 8192 bytes of data; this one has 9000." })[0],
    "This is too long for the server. Make it shorter.",
  );
  assert.equal(
    explained({
      message: "Your address has sent too many transactions (limit: 100 in 20 seconds). Try again in a moment.",
    })[0],
    "The server is busy. Try again in a moment.",
  );
  assert.deepEqual(explained({ message: "<b>odd</b>" }), ["The node rejected this.", "<b>odd</b>"]);
});
