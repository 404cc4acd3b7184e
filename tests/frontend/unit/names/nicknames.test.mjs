// Tests nicknames. The page fetches them in groups, checks their signatures, and lets their owners
// sign them.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import "../../node/texts.mjs";
import { Nicknames, normalNickname } from "../../../../frontend-static/server/nicknames.js";
import * as signing from "../../../../frontend-static/chain/wallet/sign.js";
import { addressOf, signTypedData } from "../../../../frontend-static/chain/wallet/signer.js";
import { chainboardDomain } from "../../../../frontend-static/lib/ethereum/domain.js";
import { wordsOf } from "../../../../frontend-static/names/hash.js";
import { forgetNames, nameOf, setNicknames, storePetname } from "../../../../frontend-static/names/names.js";
import { useGlobals } from "../../node/globals.mjs";
import { settled } from "../../node/settled.mjs";

const CHAIN = { chainId: 31337, genesis: "0xg" };
const [ANN_KEY, BOB_KEY] = ["11", "22"].map((two) => `0x${two.repeat(32)}`);
const [ANN, BOB] = [ANN_KEY, BOB_KEY].map(addressOf);
const TYPES = {
  Nickname: [
    { name: "account", type: "address" },
    { name: "name", type: "string" },
    { name: "issued", type: "uint48" },
  ],
};
const address = (n) => `0x${n.toString(16).padStart(40, "0")}`;

/** Return a signed nickname in the format of the gateway's answers. */
function signed(key, name, { chainId = CHAIN.chainId, account = addressOf(key), issued = 1_800_000_000 } = {}) {
  const message = { account, name, issued };
  const value = { domain: chainboardDomain(chainId), types: TYPES, primaryType: "Nickname", message };
  return { ...message, signature: signTypedData(key, value) };
}

let asked = [];
let answer;
useGlobals({
  location: { href: "http://board.example/", pathname: "/" },
  document: { baseURI: "http://board.example/" },
  fetch: async (url, options = {}) => {
    asked.push({ params: new URL(url, "http://board.example/").searchParams, body: options.body });
    return answer(options);
  },
});
const ok = (body) => () => ({ ok: true, status: 200, json: async () => body });
const problem = (status, key, args) => () => ({
  ok: false,
  status,
  statusText: "no",
  json: async () => ({ key, args, detail: "as the server says it" }),
});

let drawings;
let chain;
const create = () =>
  new Nicknames(
    () => chain,
    () => drawings++,
    async () => signing,
  );
beforeEach((context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_800_000_000_000 });
  [asked, drawings, chain] = [[], 0, CHAIN];
  answer = ok({ nicknames: [] });
  forgetNames();
});
afterEach(() => setNicknames(new Map()));

/** Let time pass, and run all timers that are due. */
async function pass(context, ms) {
  context.mock.timers.tick(ms);
  await settled();
}
const accountsAsked = () => asked.map(({ params }) => params.getAll("account"));

test("the nicknames of a drawing's accounts are fetched together, once a minute, and replace the two words", async (context) => {
  const nicknames = create();
  answer = ok({ nicknames: [signed(ANN_KEY, "Ann of Aran")] });
  assert.deepEqual([ANN, BOB].map(nameOf), [ANN, BOB].map(wordsOf));
  nicknames.refresh();
  nicknames.refresh();
  await pass(context, 50);
  assert.deepEqual(accountsAsked(), [[ANN, BOB].map((one) => one.toLowerCase())]);
  assert.deepEqual([nameOf(ANN), nameOf(BOB), drawings], ["Ann of Aran", wordsOf(BOB), 1]);
  nicknames.refresh();
  await pass(context, 59_000);
  assert.equal(asked.length, 1);
  answer = ok({ nicknames: [] });
  await pass(context, 1000);
  nicknames.refresh();
  await pass(context, 50);
  assert.deepEqual([asked.length, nameOf(ANN), drawings], [2, wordsOf(ANN), 2], "Ann has removed her nickname");
});

test("the page requests no nickname for the zero address", async (context) => {
  const nicknames = create();
  for (const one of [0, 1]) nameOf(address(one));
  nicknames.refresh();
  await pass(context, 50);
  assert.deepEqual(accountsAsked(), [[address(1)]]);
});

test("more than a hundred nicknames are fetched in groups", async (context) => {
  const nicknames = create();
  for (let n = 1; n <= 250; n++) nameOf(address(n));
  nicknames.refresh();
  for (let i = 0; i < 3; i++) await pass(context, 50);
  assert.deepEqual(
    accountsAsked().map((group) => group.length),
    [100, 100, 50],
  );
  assert.equal(new Set(accountsAsked().flat()).size, 250);
});

const LIES = {
  "one that nobody has signed": () => ({ ...signed(ANN_KEY, "Ann"), signature: `0x${"00".repeat(65)}` }),
  "one that another has signed": () => signed(BOB_KEY, "Ann", { account: ANN }),
  "one for another chain": () => signed(ANN_KEY, "Ann", { chainId: 1 }),
  "another name than was signed": () => ({ ...signed(ANN_KEY, "Ann"), name: "Bob" }),
  "one that turns the text around": () => signed(ANN_KEY, "Ann\u202ennA"),
  "10,000 letters": () => signed(ANN_KEY, "a".repeat(10_000)),
  "no signature": () => ({ account: ANN, name: "Ann", issued: 1 }),
  "an account in a list": () => ({ ...signed(ANN_KEY, "Ann"), account: [ANN] }),
  "no text": () => ({ ...signed(ANN_KEY, "Ann"), name: null }),
  nothing: () => null,
};
for (const [what, lie] of Object.entries(LIES))
  test(`${what} is ignored and affects no other nickname`, async (context) => {
    const nicknames = create();
    answer = ok({ nicknames: [lie(), signed(BOB_KEY, "Bob the Bold")] });
    [ANN, BOB].map(nameOf);
    nicknames.refresh();
    await pass(context, 50);
    assert.deepEqual([nameOf(ANN), nameOf(BOB)], [wordsOf(ANN), "Bob the Bold"]);
  });

test("the page retries an unreachable server, but not a server without nicknames", async (context) => {
  const nicknames = create();
  answer = () => Promise.reject(new TypeError("Failed to fetch"));
  nameOf(ANN);
  nicknames.refresh();
  await pass(context, 50);
  answer = ok({ nicknames: [signed(ANN_KEY, "Ann of Aran")] });
  await pass(context, 5000);
  assert.deepEqual([asked.length, nameOf(ANN)], [2, "Ann of Aran"]);
  for (const other of [problem(404, "no-route"), ok({}), ok({ nicknames: null })]) {
    answer = other;
    await pass(context, 60_000);
    const before = asked.length;
    nicknames.refresh();
    await pass(context, 50);
    await pass(context, 20_000);
    assert.equal(asked.length, before + 1);
  }
});

test("the page ignores an answer for the old chain and fetches the new chain's nicknames", async (context) => {
  const nicknames = create();
  nameOf(ANN);
  nicknames.refresh();
  answer = () => {
    chain = { chainId: 5, genesis: "0xh" };
    nicknames.reset();
    return ok({ nicknames: [signed(ANN_KEY, "Ann of Aran")] })();
  };
  await pass(context, 50);
  assert.equal(nameOf(ANN), wordsOf(ANN));
  answer = ok({ nicknames: [signed(ANN_KEY, "Ann of Oran", { chainId: 5 })] });
  nicknames.refresh();
  await pass(context, 50);
  assert.equal(nameOf(ANN), "Ann of Oran");
});

test("the page fetches nothing while the chain is unknown, and immediately once it is known", async (context) => {
  const nicknames = create();
  chain = null;
  nameOf(ANN);
  nicknames.refresh();
  await pass(context, 50);
  assert.equal(asked.length, 0);
  assert.deepEqual(await nicknames.send({ address: ANN, key: ANN_KEY }, "Ann"), { key: "why.no-server" });
  chain = CHAIN;
  nicknames.refresh();
  await pass(context, 50);
  assert.equal(asked.length, 1);
});

test("the answer to a request from before a save does not remove the saved name", async (context) => {
  const nicknames = create();
  nameOf(ANN);
  nicknames.refresh();
  let release;
  answer = async ({ method }) => {
    if (method !== "POST") await new Promise((resolve) => (release = resolve));
    return ok({ nicknames: [] })();
  };
  await pass(context, 50);
  assert.equal(await nicknames.save({ address: ANN, key: ANN_KEY }, "Ann of Aran"), true);
  release();
  await settled();
  assert.equal(nameOf(ANN), "Ann of Aran");
});

test("the page ignores accounts that it did not request, and checks a name once", async (context) => {
  const nicknames = create();
  nameOf(ANN);
  nicknames.refresh();
  const hers = signed(ANN_KEY, "Ann of Aran");
  answer = ok({ nicknames: [hers, signed(BOB_KEY, "Bob the Bold"), ...Array(50).fill(hers)] });
  await pass(context, 50);
  assert.deepEqual([...nicknames.cached.keys()], [ANN.toLowerCase()]);
  chain = { ...CHAIN, chainId: 1 }; // if the page checked the cached signature again, now for another chain, the check would fail
  answer = ok({ nicknames: [hers] });
  await pass(context, 60_000);
  nicknames.refresh();
  await pass(context, 50);
  assert.deepEqual([asked.length, nameOf(ANN), drawings], [2, "Ann of Aran", 1]);
});

test("a name is not sent again while it is being saved", async () => {
  const nicknames = create();
  answer = ok({});
  const account = { address: ANN, key: ANN_KEY };
  assert.deepEqual(await Promise.all([1, 2].map(() => nicknames.save(account, "Ann"))), [true, false]);
  assert.equal(asked.length, 1);
});

test("a right-to-left name does not reverse a sentence", async (context) => {
  const nicknames = create();
  nameOf(ANN);
  nicknames.refresh();
  answer = ok({ nicknames: [signed(ANN_KEY, "שירה")] });
  await pass(context, 50);
  assert.deepEqual([nameOf(ANN), nicknames.of(ANN)], ["\u2068שירה\u2069", "שירה"]);
});

test("a player's key signs the normalised name, each time with a later time, and a rejection by the server is shown", async (context) => {
  const nicknames = create();
  const account = { address: ANN, key: ANN_KEY };
  answer = ok({});
  for (const text of ["  Ann   of Ａran ", "Ann", ""]) await nicknames.save(account, text);
  const sent = asked.map(({ body }) => JSON.parse(body));
  const expected = ["Ann of Aran", "Ann", ""].map((name, i) => signed(ANN_KEY, name, { issued: 1_800_000_000 + i }));
  assert.deepEqual(sent, expected);
  assert.deepEqual(nicknames.saves.get(ANN), { isPending: false, why: null });
  assert.equal(nameOf(ANN), wordsOf(ANN));
  await nicknames.save(account, "Ann");
  assert.deepEqual([nameOf(ANN), JSON.parse(asked[3].body).issued], ["Ann", 1_800_000_003]);
  answer = problem(409, "nickname-taken", { name: "Bob" });
  await nicknames.save(account, "Bob");
  assert.deepEqual(nicknames.saves.get(ANN).why, { key: "problem.nickname-taken", args: { name: "Bob" } });
  assert.equal(nameOf(ANN), "Ann");
  storePetname(ANN, "Annie");
  assert.equal(nameOf(ANN), "Annie", "the player's own name for an account comes first");
  storePetname(ANN, "");
});

test("a player is found by name if the account has signed the name", async () => {
  const nicknames = create();
  answer = ok({ nicknames: [signed(ANN_KEY, "Ann of Aran")] });
  assert.equal(await nicknames.find("ann of aran"), ANN);
  assert.equal(asked[0].params.get("name"), "ann of aran");
  answer = ok({ nicknames: [signed(BOB_KEY, "Ann", { account: ANN })] });
  assert.equal(await nicknames.find("Ann"), "");
  assert.deepEqual(nicknames.missing, { name: "Ann", why: { key: "players.no-name", args: { name: "Ann" } } });
  answer = () => Promise.reject(new TypeError("Failed to fetch"));
  assert.equal(await nicknames.find("Ann"), "");
  assert.deepEqual(nicknames.missing, { name: "Ann", why: { key: "why.no-server" } });
});

test("spaces and look-alike characters are unified before a name is signed", () => {
  assert.deepEqual(["  Ann  Lee ", "Ａｎｎ", "ﬁn\tn", "O’Neil", ""].map(normalNickname), [
    "Ann Lee",
    "Ann",
    "fin n",
    "O'Neil",
    "",
  ]);
});
