// Tests the values that players type: the reason why a value is invalid, or the value that the
// contract gets.
import assert from "node:assert/strict";
import { test } from "node:test";

import * as Abi from "ox/Abi";

import { isPastDeadline, timeLeft } from "../../../../frontend-static/games/shared/clock.js";
import { clocksOf, forget, inputsOf, optionOf, valuesOf, whyInputs } from "../../../../frontend-static/app/inputs.js";
import { ZeroAddress } from "ethers";
import { span, translate } from "../../../../frontend-static/i18n/translate.js";
import { addGameTexts } from "../../../../frontend-static/i18n/tables.js";
import "../../node/texts.mjs";
import { restoreTextsAfter } from "../i18n/restore-texts.mjs";

const ANN = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const BOB = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const TOKEN = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const input = (name, kind, more = {}) => ({
  name,
  label: name[0].toUpperCase() + name.slice(1),
  kind,
  minimum: 0,
  maximum: 0,
  default: null,
  ...more,
});
const INPUTS = [
  input("opponent", "opponent"),
  input("clock", "clock", { maximum: 2_592_000, default: 86_400 }),
  input("token", "token"),
  input("stake", "amount", { token: "token" }),
  input("note", "text", { maximum: 5 }),
];
const invite = {
  name: "invite",
  signature: "invite(address,uint24,address,uint96,bytes)",
  label: "Invite",
  inputs: INPUTS,
  gas: { base: 1 },
  pays: { amount: "stake", token: "token" },
};
const game = {
  slug: "sea",
  abi: Abi.from(["function invite(address opponent, uint24 clock, address token, uint96 stake, bytes note)"]),
};
const app = (typed, decimals = 6) => ({
  ui: { typed: Object.fromEntries(Object.entries(typed).map(([name, value]) => [`sea.${name}`, value])) },
  accounts: { me: ANN },
  tokens: { info: () => ({ symbol: "T", decimals }) },
});
const because = (typed, given) => {
  const found = whyInputs(app(typed), "sea", invite, given);
  return found && translate(found);
};

const REASONS = [
  [{}, null],
  [{ opponent: BOB }, null],
  [{ opponent: "bob" }, "Opponent: enter an address, or leave this empty to let anyone join."],
  [{ opponent: BOB.slice(0, -1) }, "Opponent: enter an address, or leave this empty to let anyone join."],
  [{ opponent: BOB.replace("C44C", "c44C") }, "Opponent: enter an address, or leave this empty to let anyone join."],
  [{ opponent: BOB.toLowerCase() }, null],
  [{ opponent: ANN.toLowerCase() }, "Opponent: that’s you."],
  [{ token: "0x1" }, "Token: enter an address, or leave this empty to use ETH."],
  [{ token: TOKEN }, null],
  [{ stake: "-1" }, "Stake: enter a number such as 0.01."],
  [{ stake: "1e3" }, "Stake: enter a number such as 0.01."],
  [{ stake: "." }, "Stake: enter a number such as 0.01."],
  [{ stake: "0.000000000000000001" }, null],
  [{ stake: "0.0000000000000000001" }, "Stake: use at most 18 decimal places."],
  [{ stake: "0.0000001", token: TOKEN }, "Stake: use at most 6 decimal places."],
  [{ stake: ".5", token: TOKEN }, null],
  [{ note: "héé" }, null],
  [{ note: "hééé" }, "Note: use at most 5 bytes; this text has 7."],
];
for (const [typed, text] of REASONS)
  test(`${JSON.stringify(typed)}: ${text ?? "fits"}`, () => assert.equal(because(typed), text));

test("a player need not type the arguments that a move provides", () =>
  assert.equal(because({ note: "too long" }, { note: "0x" }), null));

test("values are converted for the contract: an empty value is the zero address, amounts are units, text becomes bytes", () => {
  const value = (typed, decimals) => valuesOf(app(typed, decimals), game, invite);
  assert.deepEqual(value({}), { opponent: ZeroAddress, clock: 86_400, token: ZeroAddress, stake: 0n, note: "0x" });
  assert.deepEqual(value({ opponent: BOB, clock: 60, stake: "1.5", note: "hé" }), {
    opponent: BOB,
    clock: 60,
    token: ZeroAddress,
    stake: 15n * 10n ** 17n,
    note: "0x68c3a9",
  });
  assert.equal(value({ token: TOKEN, stake: "1.5" }).stake, 1_500_000n);
  assert.equal(value({ token: TOKEN, stake: "2" }, 0).stake, 2n);
});

/** An action with other amounts besides the stake. */
const terms = {
  name: "create",
  signature: "create(uint8,address,uint96,uint96,uint96)",
  inputs: [
    input("side", "choice", {
      options: [
        { value: 2, label: "Two" },
        { value: 4, label: "Four" },
      ],
      default: 4,
    }),
    input("token", "token"),
    input("stake", "amount", { token: "token" }),
    input("rate", "amount", { token: "token" }),
    input("tip", "amount", { token: "" }),
  ],
  pays: { amount: "stake", token: "token" },
};
const table = {
  slug: "sea",
  abi: Abi.from(["function create(uint8 side, address token, uint96 stake, uint96 rate, uint96 tip)"]),
};
/** The addresses of a token that can't be read, and of a token that is still loading. */
const UNREADABLE = BOB;
const ASKED = ANN;
const asked = (typed) => ({
  ...app(typed),
  tokens: { info: (token) => ({ [TOKEN]: { symbol: "T", decimals: 6 }, [UNREADABLE]: { symbol: "?" } })[token] },
});
const termsOf = (typed) => valuesOf(asked(typed), table, terms);
const whyTerms = (typed) => whyInputs(asked(typed), "sea", terms)?.key ?? null;

test("a stake in ether has 18 decimals, and so does its rate", () => {
  const { stake, rate, token } = termsOf({ stake: "1.5", rate: "0.000000000000000001" });
  assert.deepEqual([stake, rate, token], [15n * 10n ** 17n, 1n, ZeroAddress]);
  assert.equal(whyTerms({ stake: "1.5", rate: "0.0000000000000000001" }), "why.places");
  assert.equal(termsOf({ stake: "1", token: ZeroAddress }).stake, 10n ** 18n);
});

test("a stake and a rate in a token have the token's decimals, and amounts in ether have 18", () => {
  const { stake, rate, tip } = termsOf({ token: TOKEN, stake: "0.5", rate: "0.000002", tip: "0.5" });
  assert.deepEqual([stake, rate, tip], [500_000n, 2n, 5n * 10n ** 17n]);
});

test("an amount with more decimals than its token is rejected, also if it is the second amount", () => {
  assert.equal(whyTerms({ token: TOKEN, stake: "0.0000001" }), "why.places");
  assert.equal(whyTerms({ token: TOKEN, stake: "1", rate: "0.0000001" }), "why.places");
  assert.equal(whyTerms({ token: TOKEN, stake: "1", rate: "0.000001", tip: "0.0000001" }), null);
});

test("the page does not guess an amount of an unknown or unreadable token", () => {
  assert.equal(whyTerms({ token: ASKED, stake: "0.5" }), "why.token-asking");
  assert.equal(whyTerms({ token: UNREADABLE, rate: "0.5" }), "why.token-unread");
  assert.equal(whyTerms({ token: ASKED, stake: "0", rate: "0.0" }), null);
  assert.deepEqual(
    ["stake", "rate"].map((name) => termsOf({ token: ASKED, stake: "0", rate: "0." })[name]),
    [0n, 0n],
  );
});

test("the value of a choice is one of its options, labelled by the game or by default", (context) => {
  restoreTextsAfter(context);
  assert.equal(termsOf({}).side, 4);
  assert.equal(termsOf({ side: 2 }).side, 2);
  assert.deepEqual([whyTerms({ side: 2 }), whyTerms({ side: 3 })], [null, "why.choice"]);
  assert.equal(inputsOf({ ui: { typed: {} } }, "sea", { inputs: [{ ...terms.inputs[0], default: null }] }).side, 2);
  addGameTexts("sea", { en: { "sea.input.side.2": "A pair" } });
  assert.deepEqual(
    terms.inputs[0].options.map((option) => optionOf("sea", terms.inputs[0], option)),
    ["A pair", "Four"],
  );
});

test("the stake and the invited player are for one match, and the other values are kept for the next match", () => {
  const page = {
    typed: { ...app({ opponent: BOB, clock: 60, token: TOKEN, stake: "2", note: "hi" }).ui.typed, "hill.stake": "3" },
  };
  forget(page, "sea", invite);
  assert.deepEqual(page.typed, { "sea.clock": 60, "sea.token": TOKEN, "sea.note": "hi", "hill.stake": "3" });
});

test("values that are typed in a match are for that match and that player only", () => {
  const page = { ui: { typed: { "sea/1 0xA.note": "mine", "sea.note": "of a new one" } } };
  const note = (match, account) => inputsOf(page, "sea", invite, match, account).note;
  assert.deepEqual(
    [note("sea/1", "0xA"), note("sea/1", "0xB"), note("sea/2", "0xA"), note("", "0xA")],
    ["mine", "", "", "of a new one"],
  );
});

test("clock choices lie within the contract's limits and have labels", () => {
  const choices = (more) => clocksOf(input("clock", "clock", more)).map(span);
  assert.deepEqual(choices({ maximum: 2_592_000 }), [
    "casual, no clock",
    "1 min",
    "5 min",
    "1 hour",
    "1 day",
    "3 days",
  ]);
  assert.deepEqual(choices({ minimum: 60, maximum: 7200, default: 7200 }), ["1 min", "5 min", "1 hour", "2 hours"]);
  assert.equal(
    inputsOf({ ui: { typed: {} } }, "sea", { inputs: [input("clock", "clock", { minimum: 60, maximum: 400 })] }).clock,
    60,
  );
});

test("the remaining time is formatted by its length", () => {
  assert.deepEqual([0, 9, 61, 3599, 3600, 86_399, 90_000, 180_000].map(timeLeft), [
    "0:00",
    "0:09",
    "1:01",
    "59:59",
    "1:00:00",
    "23:59:59",
    "1d 1h",
    "2d 2h",
  ]);
  const board = { status: "playing", deadline: 100 };
  assert.deepEqual(
    [
      isPastDeadline(board, 99),
      isPastDeadline(board, 100),
      isPastDeadline({ ...board, deadline: 0 }, 100),
      isPastDeadline({ ...board, status: "finished" }, 100),
    ],
    [false, true, false, false],
  );
});
