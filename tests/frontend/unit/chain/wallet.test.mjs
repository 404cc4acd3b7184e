// Tests changes in a wallet during a game. The page follows the change or shows the problem, and
// never lets another account sign.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Accounts } from "../../../../frontend-static/chain/wallet/accounts.js";
import { sendByWallet } from "../../../../frontend-static/chain/wallet/injected-wallet.js";
import { settled } from "../../node/settled.mjs";
import { useGlobals } from "../../node/globals.mjs";

const [ANN, BOB, OWN] = [
  "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65",
];
const CHAIN = { chainId: 31337, genesis: "0xg", development: true };
useGlobals({ fetch: async () => ({ status: 200, json: async () => ({ result: "0xde0b6b3a7640000" }) }) });

/** An EIP-1193 wallet with two accounts. The first account is in use. */
class Wallet {
  name = "Test wallet";
  accounts = [ANN, BOB];
  chain = CHAIN.chainId;
  genesis = CHAIN.genesis;
  sent = [];
  listeners = {};
  answers = {
    eth_requestAccounts: () => this.accounts,
    eth_accounts: () => this.accounts,
    eth_chainId: () => `0x${this.chain.toString(16)}`,
    wallet_switchEthereumChain: () => void (this.chain = CHAIN.chainId),
    eth_getBlockByNumber: () => ({ hash: this.genesis }),
    eth_sendTransaction: ([call]) => this.sent.push(call),
  };
  provider = {
    on: (name, listener) => (this.listeners[name] = listener),
    request: async ({ method, params }) => this.answers[method](params),
  };
  async tell(event, value) {
    this.listeners[event](value);
    await settled();
  }
}

let wallet, accounts;
const keys = { onChange: () => undefined, accounts: () => [{ address: OWN, kind: "browser", name: "1" }] };
beforeEach(async () => {
  wallet = new Wallet();
  const host = { health: () => CHAIN, onUse: () => undefined, onKeys: () => undefined };
  accounts = new Accounts(() => undefined, keys, host);
  await accounts.connect(wallet);
});
const send = () =>
  sendByWallet(accounts.find(ANN), CHAIN, {}).catch((error) => {
    const { key, args } = error.reason.sentence;
    return [key, args];
  });

test("if the wallet changes its account, the page uses the new account and reports the change", async () => {
  wallet.accounts = [BOB, ANN];
  await wallet.tell("accountsChanged", [BOB, ANN]);
  assert.deepEqual([accounts.me, accounts.trouble.sentence.key], [BOB, "account.wallet-switched"]);
});

test("a wallet that sends no events is checked before each transaction", async () => {
  wallet.accounts = [BOB];
  assert.deepEqual(await send(), [
    "why.wallet-account",
    { wallet: "Test wallet", uses: "0x7099…79C8", wants: "0xf39F…2266" },
  ]);
  Object.assign(wallet, { accounts: [ANN], chain: 1 });
  assert.deepEqual(await send(), ["why.wallet-chain", { wallet: "Test wallet", has: 1, chain: 31337 }]);
  Object.assign(wallet, { chain: 31337, genesis: "0xother" });
  assert.equal((await send())[0], "account.other-chain");
  assert.deepEqual(wallet.sent, []);
  wallet.genesis = CHAIN.genesis;
  await send();
  assert.equal(wallet.sent.length, 1);
});

test("a wallet on another chain is blocked until its user or the page switches it back", async () => {
  const byItsUser = () => {
    wallet.chain = CHAIN.chainId;
    return wallet.tell("chainChanged", "0x7a69");
  };
  for (const back of [byItsUser, () => accounts.reconnect(ANN)]) {
    wallet.chain = 1;
    await wallet.tell("chainChanged", "0x1");
    assert.equal(accounts.find(ANN).trouble.key, "why.wallet-chain");
    await back();
    assert.deepEqual([wallet.chain, accounts.find(ANN).trouble], [CHAIN.chainId, undefined]);
  }
});

for (const event of ["disconnect", "accountsChanged"])
  test(`a wallet is gone after ${event}, and comes back when it offers an account again`, async () => {
    wallet.accounts = [];
    await wallet.tell(event, []);
    assert.deepEqual(accounts.find(ANN).trouble, { key: "why.wallet-gone", args: { wallet: "Test wallet" } });
    await accounts.reconnect(ANN);
    assert.equal(accounts.trouble.sentence.key, "node.wallet-locked");
    wallet.accounts = [ANN];
    await accounts.reconnect(ANN);
    assert.deepEqual([accounts.find(ANN).trouble, accounts.trouble], [undefined, null]);
  });

test("the page rejects a wallet on another chain with the same ID", async () => {
  accounts = new Accounts(() => undefined, keys, accounts.host);
  wallet.genesis = "0xother";
  await accounts.connect(wallet);
  assert.deepEqual([accounts.me, accounts.trouble.sentence.key], [OWN, "account.other-chain"]);
});
