// Tests which key signs and sends an action, and whether the key's account can pay. The tests use
// different inputs, boards and games.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Actions } from "../../../../frontend-static/app/actions.js";
import { asSeat, costOf, seatOf, senderOf } from "../../../../frontend-static/app/submit.js";
import { addMissingFunds, missingFunds } from "../../../../frontend-static/chain/wallet/funds.js";
import { nameCoin, translate } from "../../../../frontend-static/i18n/translate.js";
import { costText } from "../../../../frontend-static/views/parts/terms-and-costs.js";
import "../../node/texts.mjs";

const [ANN, KEY, HILL, OLD] = ["0xAnn", "0xKey", "0xHill", "0xOldHill"];
const GWEI = 10n ** 9n;
const ETHER = 10n ** 18n;
const STAKE = { name: "stake", label: "Stake", kind: "amount", minimum: 0, maximum: 0, default: "0" };
const action = (name, more = {}) => ({
  name,
  signature: `${name}()`,
  inputs: [],
  gas: { base: 100_000, each: 1000, of: "climbers" },
  pays: null,
  ...more,
});
const [climb, invite, accept, withdraw] = [
  action("climb"),
  action("invite", { inputs: [STAKE], pays: { amount: "stake", token: "token" } }),
  action("accept", { pays: { amount: "stake", token: "token" } }),
  action("withdraw"),
];
const FUNCTIONS = ["climb()", "invite()", "accept()", "withdraw()"];

/**
 * Return a stand-in for the page, with only the parts that an action uses. The page has a game with
 * two contracts, and a session key for both contracts.
 */
function page({ typed = {}, board = {}, held = ETHER, games = [HILL, OLD], account = {} } = {}) {
  const deployments = [
    { address: OLD, firstMatch: 1, endMatch: 10 },
    { address: HILL, firstMatch: 10 },
  ];
  const asked = [];
  return {
    asked,
    ui: { typed },
    accounts: {
      me: ANN,
      balances: new Map([
        [ANN, held],
        [KEY, ETHER],
      ]),
      filling: new Map(),
      fundRequests: new Set([ANN]),
      find: () => ({ address: ANN, kind: "browser", ...account }),
    },
    server: {
      connection: "live",
      fee: GWEI,
      price: GWEI / 2n,
      dataFee: { base: 0n, word: 0n },
      games: new Map([["hill", { slug: "hill", address: HILL, abi: [], deployments }]]),
      renderers: new Map([["hill", { functions: FUNCTIONS, accountOnly: ["withdraw"], why: () => null }]]),
      board: () => board,
    },
    live: { renderContext: () => ({ board: { status: "playing", ...board } }) },
    rejections: { of: () => null },
    sessions: {
      keyFor: (owner, contract, gas) => {
        asked.push([contract, gas]);
        return owner === ANN && games.includes(contract) ? { key: KEY } : undefined;
      },
    },
  };
}

const STAKE_TYPED = `hill/12 ${ANN}.stake`; // a value that a player types in a match counts only for this match
const CASES = [
  ["a move", climb, {}, KEY],
  ["a match without a stake", invite, {}, KEY],
  ["a stake", invite, { typed: { [STAKE_TYPED]: "0.5" } }, ANN],
  ["a stake that is being typed", invite, { typed: { [STAKE_TYPED]: "1e" } }, ANN],
  ["no stake, typed out", invite, { typed: { [STAKE_TYPED]: "0.00" } }, KEY],
  ["the other's stake", accept, { board: { stake: "5" } }, ANN],
  ["an invitation without a stake", accept, { board: { stake: "0" } }, KEY],
  ["taking money out", withdraw, {}, ANN],
  ["a game that the key does not serve", climb, { games: [] }, ANN],
];
for (const [what, one, more, sender] of CASES)
  test(`${what} is sent by ${sender}`, () => assert.equal(senderOf(page(more), "hill", one, "hill/12", ANN), sender));

test("a transaction goes to the match's contract with the maximum gas that the move can need", () => {
  const app = page({ games: [OLD], board: { climbers: 7 } });
  assert.equal(senderOf(app, "hill", climb, "hill/9", ANN), KEY);
  assert.equal(senderOf(app, "hill", climb, "hill/10", ANN), ANN);
  assert.deepEqual(app.asked, [
    [OLD, 107_000n],
    [HILL, 107_000n],
  ]);
});

test("a game sees the seat, not the key", () => {
  const sent = { account: KEY, seat: ANN, action: "climb" };
  assert.deepEqual([seatOf(sent), asSeat(sent).account, sent.account], [ANN, ANN, KEY]);
  assert.deepEqual([seatOf({ account: ANN }), asSeat({ account: ANN }).account], [ANN, ANN]);
});

test("if an account can't pay for any transaction, the maximum missing amount is shown", () => {
  const short = (held, amount, dataFee = 0n) =>
    missingFunds(page({ held }).accounts, GWEI, ANN, amount, 100_000n, dataFee);
  assert.equal(
    short(21_000n * GWEI + 1n, 0n),
    null,
    "the balance can suffice, because a transaction rarely uses all its gas",
  );
  assert.deepEqual(short(21_000n * GWEI, 0n), {
    key: "why.short",
    args: { need: "0.0001", have: "0.000021", missing: "0.000079", worth: "" },
  });
  assert.deepEqual(short(ETHER, ETHER), {
    key: "why.poor-ether",
    args: { need: "1", have: "1", missing: "0.0001", worth: "" },
  });
  assert.equal(short(2n * ETHER, ETHER), null);
  assert.deepEqual(short(31_000n * GWEI, 0n, 10_000n * GWEI), {
    key: "why.short",
    args: { need: "0.00011", have: "0.000031", missing: "0.000079", worth: "" },
  });
  assert.equal(missingFunds({ balances: new Map() }, 0n, ANN, 0n, 100_000n, 0n), null, "the fee is not known yet");
  const rated = { ...page({ held: 0n }).accounts, health: { rate: { currency: "EUR", price: 2500 } } };
  assert.equal(
    translate(missingFunds(rated, GWEI, ANN, 0n, 100_000n, 0n)),
    "This can cost up to 0.0001 ETH. You have 0 ETH, so you need about 0.0001 ETH (€0.25) more.",
  );
});

test("the likely cost of an action includes the fee for its data", () => {
  const app = page({});
  const move = { signature: "climb(uint48,uint32,uint8[4])", gas: { base: 100_000, usual: 40_000 } };
  assert.equal(costOf(app, move), 20_000n * GWEI);
  app.server.dataFee = { base: 500n, word: 10n };
  assert.equal(costOf(app, move), 20_000n * GWEI + 560n);
  assert.equal(costOf(app, { ...move, gas: { base: 100_000, usual: 0 } }), null, "not measured");
  app.server.price = 0n;
  assert.equal(costOf(app, move), null, "the price is not known yet");
});

test("a cost is shown in the coin, and in money at the operator's rate", () => {
  const app = page({});
  const move = { signature: "climb()", gas: { base: 100_000, usual: 40_000 } };
  const cost = (health) => costText({ server: { ...app.server, health } }, move);
  nameCoin("POL");
  assert.equal(cost({}), "about 0.00002 POL");
  assert.equal(cost({ rate: { currency: "EUR", price: 2500 } }), "about 0.00002 POL (€0.05)");
  assert.equal(cost({ rate: { currency: "EUR", price: 5 } }), "about 0.00002 POL (below €0.01)");
  nameCoin("ETH");
  assert.equal(cost({}), "about 0.00002 ETH");
});

test("a node's rejection for lack of funds is shown as the missing amount if that is known", async (context) => {
  context.mock.method(globalThis, "fetch", async () => ({ status: 200, json: async () => ({ result: "0x186a0" }) }));
  const reasonFor = async (held, dataFee = 0n) => {
    const tx = { account: ANN, value: ETHER, gasCap: 1n, reason: { sentence: { key: "node.funds" }, small: "no" } };
    await addMissingFunds(
      { balanceOf: async () => held, redraw: () => undefined },
      GWEI,
      { of: async () => dataFee },
      tx,
    );
    return tx.reason;
  };
  const args = { need: "1.0001", have: "1", missing: "0.0001", worth: "" };
  assert.deepEqual(await reasonFor(ETHER), { sentence: { key: "node.funds-missing", args }, small: "no" });
  assert.equal((await reasonFor(2n * ETHER)).sentence.key, "node.funds");
  const dear = await reasonFor(2n * ETHER, 2n * ETHER);
  assert.deepEqual(dear.sentence.args, { need: "3.0001", have: "2", missing: "1.0001", worth: "" });
});

test("a stake requires a backup of a key that was made here, but of no other key", () => {
  const why = (stake, account) => new Actions(page({ board: { stake }, account })).why("hill/12", accept)?.key;
  assert.equal(why("5"), "why.backup");
  for (const other of [{ backedUp: true }, { kind: "development" }, { kind: "injected" }])
    assert.equal(why("5", other), undefined);
  assert.equal(why("0"), undefined);
});
