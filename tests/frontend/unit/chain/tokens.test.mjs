/**
 * Tests tokens: the data from a token's contract, which the page doesn't trust, and the texts of
 * amounts.
 */

import assert from "node:assert/strict";
import test from "node:test";
import { AbiCoder, ZeroAddress } from "ethers";
import { Tokens } from "../../../../frontend-static/chain/wallet/tokens.js";
import { OwnNode } from "../../../../frontend-static/chain/verify/own-node.js";
import { settled } from "../../node/settled.mjs";
import { useGlobals } from "../../node/globals.mjs";
import "../../node/texts.mjs";

const TOKEN = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const coder = AbiCoder.defaultAbiCoder();
const SYMBOL = "0x95d89b41";

useGlobals({ fetch: undefined }); // each test sets fetch

/** Return the page's tokens. Its node answers with this symbol and these decimals. @param {string} symbol @param {number} decimals */
async function tokensWith(symbol, decimals) {
  globalThis.fetch = async (_url, { body }) => {
    const { id, params } = JSON.parse(body);
    const isSymbol = params[0].data.startsWith(SYMBOL);
    const result = isSymbol ? coder.encode(["string"], [symbol]) : coder.encode(["uint256"], [decimals]);
    return { ok: true, status: 200, json: async () => ({ jsonrpc: "2.0", id, result }) };
  };
  const tokens = new Tokens(() => undefined);
  tokens.known.set(TOKEN, await tokens.read(TOKEN));
  return tokens;
}

for (const decimals of [0, 6, 18, 77])
  test(`${decimals} decimals are accepted`, async () => {
    const tokens = await tokensWith("MNY", decimals);
    assert.equal(tokens.info(TOKEN).decimals, decimals);
    assert.equal(tokens.formatAmount(5n * 10n ** BigInt(decimals), TOKEN), "5 MNY (0x5FbD…0aa3)");
  });

for (const decimals of [78, 81, 255])
  test(`${decimals} decimals are rejected, so amounts are shown in units`, async () => {
    const tokens = await tokensWith("MNY", decimals);
    assert.equal(tokens.info(TOKEN).decimals, undefined);
    assert.match(tokens.formatAmount(5n, TOKEN), /^5 units of 0x5F/);
  });

test("an amount without a token, or with the zero address, is in ether", () => {
  const { formatAmount } = new Tokens(() => undefined);
  for (const token of [undefined, "", ZeroAddress]) assert.equal(formatAmount(10n ** 18n, token), "1 ETH");
});

const SYMBOLS = [
  ["a direction mark", "\u202eHTE", "HTE"],
  ["another token's address", "ETH (0xdAC1", "ETH0xdAC1"],
  ["digits that look like part of the amount", " 000 ETH", "“000ETH”"],
  ["a digit at its start", "1INCH", "“1INCH”"],
  ["letters of another script", "שקל", "\u2068שקל\u2069"],
  ["a currency sign", "₮USD", "\u2068₮USD\u2069"],
  ["characters of two UTF-16 units", "𝐀".repeat(20), `\u2068${"𝐀".repeat(12)}\u2069`],
  ["a line break", "A\n\u0000B", "AB"],
];
for (const [what, symbol, shown] of SYMBOLS)
  test(`a symbol with ${what} is made safe`, async () =>
    assert.equal((await tokensWith(symbol, 18)).info(TOKEN).symbol, shown));

test("a token without a symbol is shown by its address", async () => {
  assert.match((await tokensWith("\u200b", 18)).info(TOKEN).symbol, /^0x5FbD…0aa3$/);
});

test("the player's own node reports the decimals, so the server can't show a large stake as a small one", async () => {
  const own = { url: "", request: undefined };
  const answer = async (decimals, _method, [{ data }]) =>
    data.startsWith(SYMBOL) ? coder.encode(["string"], ["USD"]) : coder.encode(["uint256"], [decimals]);
  const tokens = new Tokens(() => undefined, own);
  own.request = (...call) => answer(9, ...call);
  tokens.request(TOKEN);
  await settled();
  assert.equal(tokens.formatAmount(5_000_000_000n, TOKEN), "5 USD (0x5FbD…0aa3)");
  Object.assign(own, { url: "http://127.0.0.1:8545/", request: (...call) => answer(6, ...call) });
  tokens.request(TOKEN);
  await settled();
  assert.equal(tokens.formatAmount(5_000_000_000n, TOKEN), "5000 USD (0x5FbD…0aa3)");
});

test("an own node on another chain reports no decimals, and the server's node isn't asked instead", async () => {
  globalThis.fetch = () => assert.fail("the server's node was asked");
  const own = new OwnNode(() => undefined);
  Object.assign(own, { url: "http://127.0.0.1:8545/", trouble: { key: "asked.other-chain" } });
  const { decimals } = await new Tokens(() => undefined, own).read(TOKEN);
  assert.equal(decimals, undefined);
});
