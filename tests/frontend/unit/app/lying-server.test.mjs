// Tests that a server that describes a game dishonestly can't make the page sign a different call,
// or a deposit that the player hasn't seen.
import assert from "node:assert/strict";
import { test } from "node:test";

import { AbiCoder, FunctionFragment, id as hash } from "ethers";
import { Actions } from "../../../../frontend-static/app/actions.js";
import { AutoMoves } from "../../../../frontend-static/app/match/auto-moves.js";
import { Tokens } from "../../../../frontend-static/chain/wallet/tokens.js";
import * as battleship from "../../../../frontend-static/games/battleship/renderer.js";
import * as conquest from "../../../../frontend-static/games/conquest/renderer.js";
import * as deblockle from "../../../../frontend-static/games/deblockle/renderer.js";
import * as ticTacToe from "../../../../frontend-static/games/tic-tac-toe/renderer.js";
import * as toucheCoule from "../../../../frontend-static/games/touche-coule/renderer.js";
import { actionButton } from "../../../../frontend-static/views/match/action-buttons.js";
import { withVisibleDeposit } from "../../../../frontend-static/app/inputs.js";
import { find, textOf } from "../views/tree.mjs";
import { gameTexts } from "../../node/texts.mjs";

for (const slug of ["battleship", "conquest", "tic-tac-toe"]) await gameTexts(slug);

const ANN = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const BOB = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const THIEF = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
const CONTRACT = "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc";
const TOKEN = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const ETHER = 10n ** 18n;
const playing = { status: "playing", mover: ANN, players: { [ANN]: { seat: 0 }, [BOB]: { seat: 1 } } };

/** Return an ABI entry for a function, whose text looks like `resign(uint48 matchId)`. */
const entry = (text) => JSON.parse(FunctionFragment.from(`function ${text}`).format("json"));

const actionOf = ({ name, inputs }, more = {}) => ({
  name,
  signature: `${name}(${inputs.map(({ type }) => type).join()})`,
  label: name,
  inputs: [],
  gas: { base: 100_000, each: 0 },
  pays: null,
  ...more,
});

/** Return a stand-in for a page that shows one match of a game, as the server describes them. */
function page(slug, renderer, abi, actions, board, id = 7) {
  const match = `${slug}/${id}`;
  const app = {
    sent: [],
    ui: { typed: {}, armed: "", rejected: null },
    redraw: () => undefined,
    accounts: {
      me: ANN,
      list: [{ address: ANN, key: "0x1" }],
      balances: new Map([[ANN, 5n * ETHER]]),
      filling: new Map(),
      fundRequests: new Set([ANN]),
      find: () => ({ address: ANN, kind: "development", key: "0x1" }),
      sponsorship: { isFree: () => true },
    },
    server: {
      connection: "live",
      fee: 1n,
      price: 1n,
      dataFee: { base: 0n, word: 0n },
      games: new Map([[slug, { slug, address: CONTRACT, deployments: [], abi, actions }]]),
      renderers: new Map([[slug, renderer]]),
      renderer: () => renderer,
      socket: { entries: new Map([[match, { seq: 2, board }]]) },
      board: () => board,
    },
    sessions: { list: [], keyFor: () => undefined },
    live: { renderContext: (_, me = ANN) => ({ match, board, me, now: 9, pending: [], ownAccounts: new Set([ANN]) }) },
    rejections: { of: () => null, isSimulated: () => false, whyPendingPress: () => null },
    transactions: {
      list: [],
      startedAt: 0,
      journal: {},
      isCurrent: () => true,
      submit: (tx) => app.sent[app.sent.push(tx) - 1],
    },
    tokens: new Tokens(() => undefined),
  };
  app.actions = new Actions(app);
  app.match = match;
  return app;
}

/** Click a square of a Tic-tac-toe board, and return the transactions that the page sends. */
async function clickSquare(abi, action, board, id) {
  const app = page("tic-tac-toe", ticTacToe, abi, [action], { ...playing, ply: 4, ...board }, id);
  app.actions.press(app.match, ticTacToe.press({}, 5), 5);
  await new Promise(setImmediate);
  return { sent: app.sent, why: app.ui.rejected?.why.key };
}

test("an honest description is signed", async () => {
  const move = entry("move(uint48 matchId, uint32 ply, uint16 row, uint16 column)");
  const { sent } = await clickSquare([move], actionOf(move), {});
  const words = AbiCoder.defaultAbiCoder().encode(["uint48", "uint32", "uint16", "uint16"], [7, 4, 1, 2]);
  assert.equal(sent[0].data, hash("move(uint48,uint32,uint16,uint16)").slice(0, 10) + words.slice(2));
});

test("a click can't send the player's tokens to somebody", async () => {
  const transfer = entry("transfer(address ply, uint256 matchId)");
  const action = { ...actionOf(transfer), name: "move" };
  const { sent, why } = await clickSquare([transfer], action, { ply: THIEF }, 5_000_000_000);
  assert.deepEqual(sent, []);
  assert.equal(why, "why.unknown-function");
});

test("an ABI can't replace a function's selector", async () => {
  const move = entry("move(uint48 matchId, uint32 ply, uint16 row, uint16 column)");
  const { sent } = await clickSquare([{ ...move, hash: hash("transfer(address,uint256)") }], actionOf(move), {});
  assert.equal(sent[0].data.slice(0, 10), hash("move(uint48,uint32,uint16,uint16)").slice(0, 10));
});

test("an ABI can't swap the arguments of a move", async () => {
  const move = entry("move(uint48 matchId, uint32 ply, uint16 column, uint16 row)");
  const { sent } = await clickSquare([move], actionOf(move), {});
  assert.match(sent[0].data, /0{63}10{63}2$/, "still row 1, column 2");
});

test("an automatic move can't resign the match", () => {
  const surrender = entry("surrender(uint48 matchId, uint32 ply, uint32 trail)");
  const action = { ...actionOf(surrender), name: "settle" };
  const board = { ...playing, ply: 3, trail: 9, draw: { block: 1 }, phase: "action" };
  const renderer = { ...conquest, why: () => null, autoMove: () => ({ action: "settle", args: {} }) };
  const app = page("conquest", renderer, [surrender], [action], board);
  const automatic = new AutoMoves(Object.assign(app, { autoMoves: null }));
  automatic.requested.add(ANN);
  automatic.locked.add(ANN);
  automatic.sendDue();
  assert.deepEqual(app.sent, []);
});

test("each of the games' functions can be encoded", () => {
  for (const renderer of [battleship, conquest, deblockle, ticTacToe, toucheCoule])
    for (const text of renderer.functions) assert.match(text, /^\w+\((\w+(\[\])? \w+(, \w+(\[\])? \w+)*)?\)$/);
});

const open = { status: "open", creator: BOB, players: { [BOB]: { seat: 0 } }, stake: String(ETHER), token: TOKEN };

/** Press the button that joins a Battleship match for a stake of one worthless token. */
function pressJoin(pays, allowance = ETHER) {
  const accept = entry("accept(uint48 matchId, bytes32 commitment, uint8 tile)");
  const renderer = {
    ...battleship,
    why: () => null,
    args: () => ({ commitment: `0x${"11".repeat(32)}`, tile: 3 }),
    confirmationBefore: undefined,
  };
  const app = page("battleship", renderer, [accept], [actionOf(accept, { pays })], open);
  app.tokens.known.set(TOKEN, { symbol: "GAME", decimals: 18 });
  app.tokens.requestHolding = () => undefined;
  app.tokens.holding = () => ({ balance: ETHER, allowance, at: 0 });
  const [game] = app.server.games.values();
  const draw = () => actionButton(app, game, app.match, game.actions[0], "accept", true);
  find(draw(), ({ id }) => id === "action-accept")[0].props.onclick({ detail: 1 });
  return { app, label: textOf(find(draw(), ({ id }) => id === "action-accept")) };
}

test("one press agrees to the stake in the terms", () => {
  const { app } = pressJoin({ amount: "stake", token: "token" });
  assert.equal(app.sent.length, 1);
  assert.equal(app.sent[0].value, 0n);
});

test("a stake in a worthless token can't become a deposit in ether", () => {
  const { app, label } = pressJoin({ amount: "stake", token: "" });
  assert.deepEqual(app.sent, [], "the first press only shows the sum");
  assert.match(label, /1 ETH/);
});

test("a form that shows a stake in a token can't deposit ether", () => {
  const stake = { name: "stake", kind: "amount", token: "token" };
  const invite = { pays: { amount: "stake", token: "" } };
  assert.equal(withVisibleDeposit(invite, [stake]).pays, null);
  assert.equal(withVisibleDeposit({ pays: { amount: "stake", token: "token" } }, [stake]).pays.amount, "stake");
});

test("whatever allowance the server reports, the page approves at most the stake, for the match's contract", () => {
  for (const allowance of [0n, 1n, ETHER, 2n ** 256n - 1n]) {
    const { app } = pressJoin({ amount: "stake", token: "token" }, allowance);
    const approvals = app.sent.slice(0, -1).map(({ to, data, value }) => {
      const [spender, amount] = AbiCoder.defaultAbiCoder().decode(["address", "uint256"], `0x${data.slice(10)}`);
      return { to, call: data.slice(0, 10), spender, amount, value };
    });
    const approve = (amount) => ({
      to: TOKEN,
      call: hash("approve(address,uint256)").slice(0, 10),
      spender: CONTRACT,
      amount,
      value: 0n,
    });
    const expected = allowance >= ETHER ? [] : allowance > 0n ? [approve(0n), approve(ETHER)] : [approve(ETHER)];
    assert.deepEqual(approvals, expected);
  }
});
