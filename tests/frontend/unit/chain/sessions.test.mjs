// Tests session keys: the prompts and payments before a key can play, the use of a key, and the end
// of its permission.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import abi from "../../../../frontend-static/chain/tx/sessions.abi.js";
import { Sessions } from "../../../../frontend-static/chain/sessions/sessions.js";
import { Accounts } from "../../../../frontend-static/chain/wallet/accounts.js";
import { Interface, Wallet, toQuantity } from "ethers";
import { useGlobals } from "../../node/globals.mjs";

const registry = new Interface(abi);
const OWNER = new Wallet(`0x${"11".repeat(32)}`);
const ANN = OWNER.address;
const EVE = new Wallet(`0x${"22".repeat(32)}`);
const [REGISTRY, HILL, DALE] = [1, 2, 3].map((n) => `0x${String(n).repeat(40)}`);
const GWEI = 10n ** 9n;
const ETHER = 10n ** 18n;
const DAY = 86_400;

/** A model of a chain with a registry of session keys, and the page's access to that chain. */
class Chain {
  now = 1000;
  balances = new Map([[ANN, 5n * ETHER]]);
  links = new Map();
  logs = [];
  sent = [];
  questions = 0;
  faucet = 0;
  answer(method, [first]) {
    if (method === "eth_getBalance") return toQuantity(this.balances.get(first) ?? 0n);
    if (method === "eth_getCode") return "0x";
    if (method === "eth_getLogs") return this.logs;
    const { name, args } = registry.parseTransaction(first);
    const values = { SESSIONS: () => REGISTRY, nonceOf: () => 0n, accountOf: () => this.accountOf(...args) };
    return registry.encodeFunctionResult(name, [values[name]()]);
  }
  accountOf(key, game) {
    const link = this.links.get(key);
    const reject = (...error) => {
      throw { code: 3, message: "reverted", data: registry.encodeErrorResult(...error) };
    };
    if (!link?.games.includes(game)) reject("NotLinked", [key, game]);
    if (link.until <= this.now) reject("Expired", [link.until, this.now]);
    return ANN;
  }
  /** Accept a transaction from the page and mine it immediately. */
  submit({ account, action, to, data, value }) {
    this.sent.push([action, account, value]);
    if (action === "fund") this.balances.set(to, (this.balances.get(to) ?? 0n) + value);
    if (action === "link") {
      const { args } = registry.parseTransaction({ data });
      this.links.set(account, { games: [...args.games], until: Number(args.until) });
      const topic = (name) => registry.getEvent(name).topicHash;
      const log = registry.encodeEventLog("Linked", [ANN, account, [...args.games], args.until]);
      this.logs.push({ data: log.data, blockNumber: "0x5", topics: [topic("Linked"), ...log.topics.slice(1)] });
    }
    if (action === "revoke") this.links.delete(registry.parseTransaction({ data }).args.key);
    return { state: "mined" };
  }
}

let chain, sessions, accounts, server, signer, declined;
/** Answer a request that the page sends to the server's faucet or node. */
async function answer(path, { body }) {
  const { method, params, address } = JSON.parse(body);
  if (path === "api/faucet") {
    chain.faucet++;
    chain.balances.set(address, ETHER);
    return { ok: true, json: async () => ({}) };
  }
  try {
    const result = chain.answer(method, params);
    return { status: 200, json: async () => ({ result }) };
  } catch (error) {
    return { status: 200, json: async () => ({ error }) };
  }
}
useGlobals({ fetch: answer });

/** A model of a wallet extension that prompts its user before it signs. */
const provider = {
  request: async ({ method, params }) => {
    if (method === "eth_chainId") return "0x7a69";
    if (method === "eth_accounts") return [ANN];
    if (method === "eth_getBlockByNumber") return { hash: "0xg" };
    chain.questions++;
    if (declined) throw Object.assign(new Error("User rejected the request."), { code: 4001 });
    const { domain, types, message } = JSON.parse(params[1]);
    return signer.signTypedData(domain, { Link: types.Link }, message);
  },
};
const game = (slug, address) => [slug, { slug, deployments: [{ address, firstBlock: 1, firstMatch: 1 }] }];
beforeEach(() => {
  [chain, signer, declined] = [new Chain(), OWNER, false];
  const health = { chainId: 31337, genesis: "0xg", development: true };
  const keys = {
    onChange: () => undefined,
    announce: () => undefined,
    accounts: () => [{ address: ANN, kind: "injected", name: "W", provider }],
  };
  const host = { health: () => server.health, onUse: () => undefined, onKeys: () => undefined };
  accounts = new Accounts(() => undefined, keys, host);
  server = {
    identity: "31337 0xg",
    health,
    head: { height: 9 },
    fee: GWEI,
    games: new Map([game("hill", HILL), game("dale", DALE)]),
    now: () => chain.now,
  };
  const transactions = { submit: (order) => chain.submit(order), untilDone: async () => undefined };
  sessions = new Sessions({ server, accounts, transactions, redraw: () => undefined });
});
const states = () => sessions.grants.list.map(({ state }) => state);
const begin = (slugs = ["hill"]) => sessions.create(slugs, DAY, ETHER / 10n);
const playing = (contract = HILL, gas = 100_000n) => sessions.keyFor(ANN, contract, gas)?.key;

test("after one prompt, the key plays the chosen games while it can pay", async () => {
  await begin();
  const [{ key }] = sessions.list;
  assert.deepEqual([chain.questions, sessions.trouble, states()], [1, null, ["live"]]);
  assert.deepEqual(chain.sent, [["link", key, 0n]], "the account itself sent nothing");
  assert.deepEqual([playing(), playing(DALE), sessions.signer(key).kind], [key, undefined, "session"]);
  chain.balances.set(key, 10n ** 12n);
  await accounts.balanceOf(key);
  assert.deepEqual([playing(), sessions.isPoor({ key })], [undefined, true]);
  await sessions.topUp(sessions.list[0], ETHER / 10n);
  assert.deepEqual([playing(), sessions.isPoor({ key })], [key, false]);
});

test("when the key has expired or was revoked elsewhere, the account signs again", async () => {
  await begin();
  chain.now += DAY - 30;
  assert.equal(playing(), undefined, "a move must be in a block before the key expires");
  chain.now += 30;
  await sessions.grants.refresh();
  assert.deepEqual([playing(), states()], [undefined, ["expired"]]);
  await begin();
  const { key } = sessions.list[1];
  assert.deepEqual([playing(), states()], [key, ["live", "expired"]]);
  chain.links.delete(key);
  await sessions.grants.refresh();
  assert.deepEqual([playing(), states()], [undefined, ["revoked", "expired"]]);
});

test("a player who declines to sign has spent nothing, and can resume with the same key or forget it", async () => {
  declined = true;
  await begin();
  const [{ key }] = sessions.list;
  assert.equal(sessions.trouble.sentence.key, "node.declined");
  assert.deepEqual([states(), chain.sent, chain.faucet], [["pending"], [], 0]);
  await begin();
  await sessions.discard(sessions.list[1]);
  assert.deepEqual(
    sessions.list.map((one) => one.key),
    [key],
  );
  declined = false;
  await sessions.resume(sessions.list[0], ETHER / 10n);
  assert.deepEqual([states(), playing(), sessions.trouble], [["live"], key, null]);
});

test("the page reports another account's signature before anything is paid", async () => {
  signer = EVE;
  await begin();
  assert.deepEqual(sessions.trouble.sentence, { key: "error.BadSignature", args: { account: ANN } });
  assert.deepEqual([chain.sent, chain.faucet], [[], 0]);
});

test("outside a development chain, the account pays the key's gas by one transfer", async () => {
  server.health.development = false;
  await begin();
  const [{ key }] = sessions.list;
  assert.deepEqual(
    [chain.sent, chain.faucet],
    [
      [
        ["fund", ANN, ETHER / 10n],
        ["link", key, 0n],
      ],
      0,
    ],
  );
});

test("on another chain, the page forgets the keys", async () => {
  await begin();
  sessions.forget();
  assert.deepEqual([sessions.list, sessions.grants.list, playing()], [[], null, undefined]);
});
