// Tests that the page shows costs in four places: next to each enabled button, next to the board,
// on a finished match, and on a game's card.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ANN, BOB, at, page, useBrowser } from "../app/page.mjs";
import { find, textOf } from "./tree.mjs";
import { pageHeader } from "../../../../frontend-static/views/header.js";
import { lobbyPage } from "../../../../frontend-static/views/lobby/page.js";
import { matchPage } from "../../../../frontend-static/views/match/page.js";
import { cost } from "../../../../frontend-static/views/parts/terms-and-costs.js";
import { newMatchForm } from "../../../../frontend-static/views/parts/new-match-form.js";

useBrowser();

/** Return the actions whose cost is shown in a part of the page. */
const costs = (tree) => find(tree, (props) => props["data-cost"]).map(({ props }) => props["data-cost"]);
const inside = (tree, id) => find(tree, (props) => props.id === id);

async function shown(match, me, { board = {}, development = false, transactions = [], armed = "" } = {}) {
  const app = await page({ own: [me] });
  app.server.price = 10n ** 9n;
  app.server.dataFee = { base: 0n, word: 0n };
  app.server.health.development = development;
  app.accounts.me = me;
  app.transactions.list.push(...transactions);
  app.ui.armed = armed && `${armed} `;
  const entry = app.server.socket.entries.get(match);
  if (entry) app.server.socket.entries.set(match, { ...entry, board: { ...entry.board, ...board } });
  at(app, match ? `#/match/${match}` : "#/");
  return match ? matchPage(app, match) : lobbyPage(app);
}

for (const [match, action] of [
  ["tic-tac-toe/2", "move"],
  ["battleship/2", "move"],
])
  test(`the caption of ${match} shows the cost of a press during the player's turn`, async () => {
    const board = { mover: BOB, phase: "shots" };
    assert.deepEqual(costs(inside(await shown(match, BOB, { board }), "caption")), [action]);
    assert.deepEqual(costs(inside(await shown(match, ANN, { board }), "caption")), []);
  });

/**
 * The actions whose buttons the player must press twice. The cost appears after the first press.
 */
const ASKED_TWICE = ["close", "resign"];

test("an action that needs a second press shows its cost before that press", async () => {
  const shownCosts = async (/** @type {string} */ armed) => costs(await shown("tic-tac-toe/2", BOB, { armed }));
  assert.equal((await shownCosts("")).includes("resign"), false);
  assert.equal((await shownCosts("tic-tac-toe/2 resign")).includes("resign"), true);
});

test("each enabled button shows its cost, and no disabled button does", async () => {
  const enabled = new Set();
  for (const match of ["tic-tac-toe/1", "tic-tac-toe/2", "tic-tac-toe/3", "touche-coule/1", "touche-coule/2"])
    for (const me of [ANN, BOB]) {
      const actions = find(
        await shown(match, me),
        (props) => props.class === "action" || props.class === "action wide",
      );
      for (const one of actions) {
        const [button] = find(one, (props) => props["data-action"] || props.id === "again");
        if (!button.props.disabled) enabled.add(button.props["data-action"] ?? button.props.id);
        const isTold = !button.props.disabled && !ASKED_TWICE.includes(button.props["data-action"]);
        assert.equal(costs(one).length, isTold ? 1 : 0, `${match} ${button.props.id}`);
      }
    }
  const expected = [
    "again",
    "changePosition",
    "claimTimeout",
    "close",
    "communicate",
    "expire",
    "offerRestart",
    "register",
  ];
  assert.deepEqual([...enabled].sort(), [...expected, "resign", "turn"]);
});

test("an extra charge that a server demands is shown and needs a second press, and nothing else pays it", async () => {
  const app = await page({ own: [BOB] });
  app.accounts.me = BOB;
  app.accounts.balances.set(BOB, 10n ** 18n);
  app.accounts.find(BOB).backedUp = true;
  const sent = [];
  app.transactions.submit = (request) => sent.push(request.value) && { ...request, state: "waiting", hashes: [] };
  const game = app.server.games.get("tic-tac-toe");
  for (const one of game.actions) one.pays = { amount: "boost", token: "" };
  const entry = app.server.socket.entries.get("tic-tac-toe/2");
  entry.board = { ...entry.board, mover: BOB, boost: "100000000000000000" };
  at(app, "#/match/tic-tac-toe/2");
  const press = () => {
    const [button] = find(matchPage(app, "tic-tac-toe/2"), (props) => props.id === "action-offerRestart");
    button.props.onclick({ detail: 1 });
    return textOf(find(matchPage(app, "tic-tac-toe/2"), (props) => props.id === "action-offerRestart")[0]);
  };
  assert.match(press(), / · 0\.1 ETH\? Press again$/);
  entry.board = { ...entry.board, boost: "200000000000000000" };
  assert.match(press(), / · 0\.2 ETH\? Press again$/, "a different sum needs another confirmation");
  assert.deepEqual(sent, []);
  press();
  assert.deepEqual(sent, [2n * 10n ** 17n]);
  app.actions.submit("tic-tac-toe", app.actions.of("tic-tac-toe/2", "resign"), "tic-tac-toe/2");
  app.rejections.checkPress = async () => null;
  app.actions.press("tic-tac-toe/2", { action: "move", args: { ply: 0, row: 2, column: 2 } }, 8);
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(sent.slice(1), [0n, 0n]);
});

for (const isShown of [true, false])
  test(`a form opens a match ${isShown ? "with the sum that it shows" : "without a hidden sum"}`, async () => {
    const app = await page({ own: [ANN] });
    app.accounts.balances.set(ANN, 10n ** 19n);
    app.accounts.find(ANN).backedUp = true;
    const game = app.server.games.get("tic-tac-toe");
    const create = game.actions.find(({ opens }) => opens);
    create.pays = { amount: "boost", token: "" };
    create.inputs.push({ name: "boost", label: "Boost", kind: "amount", minimum: 0, maximum: 0, default: "1" });
    const renderer = app.server.renderers.get("tic-tac-toe");
    app.server.renderers.set("tic-tac-toe", { ...renderer, hasInput: (_c, _k, name) => isShown || name !== "boost" });
    const sent = [];
    app.actions.submitWithDeposit = (_slug, action) => sent.push(action.pays);
    newMatchForm(app, game, create, false).props.onsubmit({ preventDefault: () => undefined });
    assert.deepEqual(sent, [isShown ? create.pays : null]);
  });

test("a button shows its cost again once its last transaction is mined", async () => {
  const tx = {
    id: "1",
    tab: "",
    match: "touche-coule/2",
    game: "touche-coule",
    action: "turn",
    account: ANN,
    seat: ANN,
  };
  const at = { at: Date.now(), hashes: ["0x1"], block: 41 };
  const seen = async (state) => {
    const tree = await shown("touche-coule/2", ANN, { transactions: [{ ...tx, ...at, state }] });
    return costs(find(tree, (props) => props.class === "action" && props.key === "turn"));
  };
  assert.deepEqual(await seen("mined"), ["turn"]);
  assert.deepEqual(await seen("sent"), []);
});

test("a rematch costs as much as opening a match", async () => {
  const tree = await shown("touche-coule/3", ANN);
  assert.ok(inside(tree, "again").length, "the button is shown");
  assert.ok(costs(tree).includes("create"));
});

test("taking both sides costs as much as joining", async () => {
  const tree = await shown("tic-tac-toe/1", ANN, { board: { clock: 0, opponent: undefined } });
  assert.equal(inside(tree, "both-sides").length, 1);
  assert.ok(costs(inside(tree, "lonely")).includes("accept"));
});

const CAT = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
/** For each game, return the action whose cost the game's card shows. */
async function cards(me, { matches = undefined, development = false } = {}) {
  const app = await page({ own: [me] });
  app.server.price = 10n ** 9n;
  app.server.health.development = development;
  if (matches) app.server.board("lobby").matches = matches;
  at(app, "#/");
  const tree = lobbyPage(app);
  const press = (slug) => costs(inside(tree, `press-${slug}`));
  assert.deepEqual(
    costs(tree),
    [...app.server.games.keys()].flatMap(press),
    "the cost is shown at the button that pays, and nowhere else",
  );
  return Object.fromEntries([...app.server.games.keys()].map((slug) => [slug, press(slug).join()]));
}

test("a lobby card shows the cost of opening its match, except on a development chain", async () => {
  const opening = { battleship: "invite", "tic-tac-toe": "create", "touche-coule": "create" };
  assert.deepEqual(await cards(CAT, { matches: {} }), opening);
  const nothing = { battleship: "", "tic-tac-toe": "", "touche-coule": "" };
  assert.deepEqual(await cards(CAT, { matches: {}, development: true }), nothing);
});

test("if a host is present, a card shows the cost of joining", async () => {
  const row = { match: "touche-coule/1", game: "touche-coule", id: 1, status: "open", created: 1, time: 1 };
  const matches = { "touche-coule/1": { ...row, players: [ANN], attended: true } };
  assert.equal((await cards(CAT, { matches }))["touche-coule"], "register");
  matches["touche-coule/1"].attended = false;
  assert.equal((await cards(CAT, { matches }))["touche-coule"], "create");
});

/** A move that takes 40,000 gas. At 1 gwei per gas and €2,500 per coin, it costs €0.10. */
const MOVE = { name: "move", signature: "move()", gas: { base: 100_000, usual: 40_000 } };
const rate = { currency: "EUR", price: 2500 };
const DEPOSIT = { ...MOVE, name: "accept", pays: { amount: "stake", token: "token" } };
const WAYS = [
  // Each case: its name, the server's health, the action, and the expected result. The result is
  // "shown", "nothing", or "room", which is space for a price because fees can change.
  ["on a development chain", { development: true, rate }, MOVE, "nothing"],
  ["on a development chain, with a deposit", { development: true }, DEPOSIT, "nothing"],
  ["where moves are sponsored", { sponsor: true, rate, tellCostsAbove: 0 }, MOVE, "nothing"],
  ["without a rate", { tellCostsAbove: 1000 }, MOVE, "shown"],
  ["without a rate, with a deposit", {}, DEPOSIT, "shown"],
  ["above the threshold", { rate, tellCostsAbove: 0.01 }, MOVE, "shown"],
  ["above an own threshold", { rate, tellCostsAbove: 0.099 }, MOVE, "shown"],
  ["at the threshold", { rate, tellCostsAbove: 0.1 }, MOVE, "shown"],
  ["below the threshold", { rate, tellCostsAbove: 0.101 }, MOVE, "room"],
  ["below the threshold, with a deposit", { rate, tellCostsAbove: 5 }, DEPOSIT, "room"],
  ["below a cent", { rate: { ...rate, price: 200 }, tellCostsAbove: 0.01 }, MOVE, "room"],
  ["with a threshold of 0", { rate: { ...rate, price: 200 }, tellCostsAbove: 0 }, MOVE, "shown"],
  ["by a server of an earlier version", { rate }, MOVE, "shown"],
  ["before the chain is known", null, MOVE, "nothing"],
];
for (const [name, health, action, expected] of WAYS)
  test(`${name}, the part for a cost is: ${expected}`, async () => {
    const app = await page({ own: [ANN] });
    app.server.price = 10n ** 9n;
    app.server.health = health && { ...app.server.health, development: false, sponsor: false, ...health };
    const tree = cost(app, action);
    assert.equal(!tree ? "nothing" : tree.props["data-cost"] === action.name ? "shown" : "room", expected);
  });

test("if the sponsor pays nothing, the account sees its cost and its balance", async () => {
  const app = await page({ own: [ANN] });
  app.server.price = 10n ** 9n;
  Object.assign(app.server.health, { development: false, sponsor: true });
  const balance = () => /ETH/.test(textOf(pageHeader(app)));
  assert.deepEqual([cost(app, MOVE), balance()], [null, false]);
  app.accounts.sponsorship.rejections.set(ANN, { key: "problem.sponsor-spent.day", args: {} });
  assert.deepEqual([cost(app, MOVE).props["data-cost"], balance()], ["move", true]);
});

for (const development of [true, false])
  test(`the deposit is shown ${development ? "on a development chain" : "where gas costs money"}`, async () => {
    const tree = await shown("tic-tac-toe/1", BOB, { development });
    assert.match(textOf(inside(tree, "terms")[0]), /Stake/);
    assert.match(textOf(inside(tree, "agreed")[0]), /each/);
  });

const SENT = {
  id: "1",
  tab: "",
  game: "touche-coule",
  action: "register",
  account: ANN,
  seat: ANN,
  at: Infinity,
};
const IN_BLOCK = { ...SENT, hashes: ["0x1"], nonce: 7, block: 41, state: "mined" };

test("the cost of the last transaction and of the next one have different labels", async () => {
  const transactions = [{ ...IN_BLOCK, match: "touche-coule/1" }];
  const tree = await shown("touche-coule/1", BOB, { transactions: transactions.map((tx) => ({ ...tx, seat: BOB })) });
  const [action] = find(tree, (props) => props.class?.startsWith("action") && props.key === "register");
  const [below] = find(action, (props) => props.class === "below");
  assert.match(textOf(below), /done about 0\.00004 ETH$/);
});

test("the blocks, nonces and fees of a match are shown only in its details", async () => {
  for (const match of ["tic-tac-toe/2", "touche-coule/2"]) {
    const tree = await shown(match, ANN, { development: true, transactions: [{ ...IN_BLOCK, match }] });
    const sheet = find(tree, (props) => props.id === "checked" || props.id === "facts");
    const [facts, all] = [sheet.map(textOf).join(), textOf(tree)];
    assert.match(facts, /Block/);
    assert.match(facts, /Current fees.*about 0\.00004 ETH/);
    assert.doesNotMatch(all.replace(facts, ""), /\b(block|nonce|ETH|gwei|final)\b/i);
  }
});
