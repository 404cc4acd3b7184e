// What a press costs stands where it is pressed: at each button that can be, at the board, at a match's end and on a card.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ANN, BOB, at, page, useBrowser } from "../app/page.mjs";
import { find } from "./tree.mjs";
import { lobbyPage } from "../../../../frontend-static/views/lobby/page.js";
import { matchPage } from "../../../../frontend-static/views/match/page.js";

useBrowser();

/** The actions whose cost is told in a part of the page. */
const costs = (tree) => find(tree, (props) => props["data-cost"]).map(({ props }) => props["data-cost"]);
const inside = (tree, id) => find(tree, (props) => props.id === id);

async function shown(match, me, { board = {}, development = true, transactions = [], armed = "" } = {}) {
  const app = await page({ own: [me] });
  app.server.price = 10n ** 9n;
  app.server.dataFee = { base: 0n, word: 0n };
  app.server.health.development = development;
  app.accounts.me = me;
  app.transactions.list.push(...transactions);
  app.ui.armed = armed;
  const entry = app.server.socket.entries.get(match);
  if (entry) app.server.socket.entries.set(match, { ...entry, board: { ...entry.board, ...board } });
  at(app, match ? `#/match/${match}` : "#/");
  return match ? matchPage(app, match) : lobbyPage(app);
}

for (const [match, action] of [
  ["tic-tac-toe/2", "move"],
  ["battleship/2", "move"],
])
  test(`a press on the board of ${match} is told in its caption, while it is one's turn`, async () => {
    const board = { mover: BOB, phase: "shots" };
    assert.deepEqual(costs(inside(await shown(match, BOB, { board }), "caption")), [action]);
    assert.deepEqual(costs(inside(await shown(match, ANN, { board }), "caption")), []);
  });

/** They tell it at the second press. */
const ASKED_TWICE = ["close", "resign"];

test("what is asked twice tells it before the second press", async () => {
  const told = async (/** @type {string} */ armed) => costs(await shown("tic-tac-toe/2", BOB, { armed }));
  assert.equal((await told("")).includes("resign"), false);
  assert.equal((await told("tic-tac-toe/2 resign")).includes("resign"), true);
});

test("each button that can be pressed tells it, and none that can't", async () => {
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

test("a button tells it again once what it sent before is in a block", async () => {
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

test("once more costs what opening a match does", async () => {
  const tree = await shown("touche-coule/3", ANN);
  assert.ok(inside(tree, "again").length, "its button is there");
  assert.ok(costs(tree).includes("create"));
});

test("to take both sides costs what joining does", async () => {
  const tree = await shown("tic-tac-toe/1", ANN, { board: { clock: 0, opponent: undefined } });
  assert.equal(inside(tree, "both-sides").length, 1);
  assert.ok(costs(inside(tree, "lonely")).includes("accept"));
});

const CAT = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
/** What Play of each card is told to cost. */
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
    "by the button that pays, and nowhere else",
  );
  return Object.fromEntries([...app.server.games.keys()].map((slug) => [slug, press(slug).join()]));
}

test("a card of the lobby tells what its match costs to open, but where ether is nothing", async () => {
  const opening = { battleship: "invite", "tic-tac-toe": "create", "touche-coule": "create" };
  assert.deepEqual(await cards(CAT, { matches: {} }), opening);
  const nothing = { battleship: "", "tic-tac-toe": "", "touche-coule": "" };
  assert.deepEqual(await cards(CAT, { matches: {}, development: true }), nothing);
});

test("where a host is here a card tells what it costs to take part", async () => {
  const row = { match: "touche-coule/1", game: "touche-coule", id: 1, status: "open", created: 1, time: 1 };
  const matches = { "touche-coule/1": { ...row, players: [ANN], attended: true } };
  assert.equal((await cards(CAT, { matches }))["touche-coule"], "register");
  matches["touche-coule/1"].attended = false;
  assert.equal((await cards(CAT, { matches }))["touche-coule"], "create");
});
