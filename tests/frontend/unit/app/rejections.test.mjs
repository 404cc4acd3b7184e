// Tests games whose renderers check no rules. The page simulates the actions of these games on the
// node, and shows why the contract would reject an action.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";

import { ChainClient } from "../../../../frontend-static/chain/tx/chain-client.js";
import { Actions } from "../../../../frontend-static/app/actions.js";
import { Rejections } from "../../../../frontend-static/app/rejections.js";
import { translate } from "../../../../frontend-static/i18n/translate.js";
import { gameTexts } from "../../node/texts.mjs";
import { Interface } from "ethers";
import * as renderer from "../../../../frontend-static/games/tic-tac-toe/renderer.js";
import { settled } from "../../node/settled.mjs";
import { useGlobals } from "../../node/globals.mjs";

const { abi } = JSON.parse(
  readFileSync(new URL("../../../../contracts/artifacts/TicTacToe.json", import.meta.url), "utf8"),
);
const contract = new Interface(abi);
const ANN = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const BOB = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const EVE = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const ADDRESS = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const MATCH = "tic-tac-toe/1";
await gameTexts("tic-tac-toe");

const action = (name, types, more = {}) => ({
  name,
  signature: `${name}(${types})`,
  label: name,
  inputs: [],
  gas: { base: 80_000 },
  pays: null,
  secret: false,
  ...more,
});
const OPPONENT = { name: "challenger", label: "Opponent", kind: "opponent", minimum: 0, maximum: 0, default: null };
const ACTIONS = [
  action("create", "address,uint24", { inputs: [OPPONENT], opens: true }),
  action("accept", "uint48"),
  action("move", "uint48,uint32,uint16,uint16"),
  action("offerRestart", "uint48"),
  action("close", "uint48"),
  action("resign", "uint48"),
  action("claimTimeout", "uint48"),
];
const open = { status: "open", ply: 0, creator: ANN, players: { [ANN]: { seat: 0 } }, opponent: BOB, cells: {} };
const playing = {
  status: "playing",
  ply: 1,
  mover: ANN,
  players: { [ANN]: { seat: 0 }, [BOB]: { seat: 1 } },
  cells: { 4: 1 },
};

/**
 * Return a stand-in for the page, with only the parts that a match needs, and with the page's real
 * node client.
 */
function page({ board = open, me = EVE, actions = ACTIONS, why = undefined } = {}) {
  const entry = { seq: 2, board };
  const app = {
    drawn: 0,
    sent: [],
    ui: { typed: {}, rejected: null },
    accounts: {
      me,
      balances: new Map([ANN, BOB, EVE].map((one) => [one, 1n])),
      filling: new Map(),
      find: () => ({ kind: "development" }),
    },
    server: {
      connection: "live",
      fee: 0n,
      dataFee: { base: 0n, word: 0n },
      games: new Map([["tic-tac-toe", { slug: "tic-tac-toe", address: ADDRESS, deployments: [], abi, actions }]]),
      renderers: new Map([["tic-tac-toe", { ...renderer, ...(why ? { why } : {}) }]]),
      renderer: (match) => app.server.renderers.get(match.split("/")[0]),
      socket: { entries: new Map([[MATCH, entry]]) },
      board: () => entry.board,
    },
    sessions: { keyFor: () => undefined },
    live: {
      renderContext: (match, account = app.accounts.me) => ({
        match,
        board: entry.board,
        me: account,
        now: 9,
        pending: [],
      }),
    },
    redraw: () => app.drawn++,
    transactions: { submit: (request) => app.sent.push(request) },
  };
  app.chainClient = new ChainClient(
    () => null,
    () => undefined,
    (slug) => app.server.games.get(slug),
  );
  app.rejections = new Rejections(app);
  app.actions = new Actions(app);
  app.move = (more, seq = entry.seq + 1) => Object.assign(entry, { seq, board: { ...entry.board, ...more } });
  app.whyText = (name, given = {}) => {
    const found = app.actions.why(MATCH, app.actions.of(MATCH, name), given);
    return found && translate(found);
  };
  return app;
}

/** For each request to the node, the names of the contract functions that the request simulates. */
let asked = [];
/** Maps the names of contract functions to the errors with which their calls are rejected. */
let errors = {};
/** Releases the node's answers. The node withholds them until a test calls this function. @type {(() => void)|null} */
let release = null;
const nodeAnswers = async (_, { body }) => {
  const calls = JSON.parse(body);
  const names = calls.map(({ params: [call] }) => contract.parseTransaction(call).name);
  asked.push(names);
  const answers = calls.map(({ id }, i) => {
    const error = errors[names[i]];
    const data = error && contract.encodeErrorResult(...error);
    return { jsonrpc: "2.0", id, ...(data ? { error: { code: 3, message: "reverted", data } } : { result: "0x" }) };
  });
  if (release === hold) await new Promise((done) => (release = done));
  return { status: 200, json: async () => answers };
};
const hold = () => undefined;

useGlobals({ fetch: undefined }); // each test sets fetch
beforeEach(() => {
  [asked, errors, release] = [[], {}, null];
  globalThis.fetch = nodeAnswers;
});

test("the page simulates the offered actions in one batch and shows the contract's error in words", async () => {
  const app = page({ board: playing, me: ANN });
  errors = { offerRestart: ["AlreadyOffered", [1]] };
  app.rejections.refresh(MATCH);
  assert.equal(app.whyText("offerRestart"), null, "before the answer, the button can be pressed");
  await settled();
  assert.deepEqual(asked, [["offerRestart", "resign"]]);
  assert.equal(app.whyText("offerRestart"), "There is already an offer to start over.");
  assert.equal(app.whyText("resign"), null);
  assert.equal(app.drawn, 1);
  app.rejections.refresh(MATCH);
  await settled();
  assert.equal(asked.length, 1, "known");
});

test("the page simulates again for another board and for another account", async () => {
  const app = page();
  errors = { accept: ["NotInvited", [1, EVE, BOB]] };
  app.rejections.refresh(MATCH);
  await settled();
  assert.equal(app.whyText("accept"), "This seat is reserved for Lucid Dunlin.");
  app.accounts.me = BOB;
  errors = {};
  assert.equal(app.whyText("accept"), null, "nothing is known about this account");
  app.rejections.refresh(MATCH);
  await settled();
  app.accounts.me = EVE;
  app.move({});
  assert.equal(app.whyText("accept"), null, "nothing is known about this board");
  app.rejections.refresh(MATCH);
  await settled();
  assert.deepEqual(asked, [["accept"], ["accept"], ["accept"]]);
});

test("the page simulates again for another argument", async () => {
  const typed = { ...action("close", "uint48"), name: "accept", signature: "accept(uint48)" };
  const amount = { name: "matchId", label: "", kind: "int", minimum: 1, maximum: 9, default: 1 };
  const app = page({ actions: [{ ...typed, inputs: [amount] }] });
  app.rejections.refresh(MATCH);
  await settled();
  app.ui.typed[`${MATCH} ${EVE}.matchId`] = "x";
  app.rejections.refresh(MATCH);
  await settled();
  assert.equal(asked.length, 1, "the page does not ask about an invalid argument");
});

test("the page drops an answer for an outdated board", async () => {
  const app = page();
  errors = { accept: ["NotInvited", [1, EVE, BOB]] };
  release = hold;
  app.rejections.refresh(MATCH);
  await settled();
  app.move({ opponent: undefined });
  errors = {};
  app.rejections.refresh(MATCH);
  const answer = release;
  release = null;
  answer();
  await settled();
  assert.equal(app.whyText("accept"), null);
  app.rejections.refresh(MATCH);
  await settled();
  assert.deepEqual([asked.length, app.whyText("accept"), app.rejections.known.size], [2, null, 1]);
});

test("without an answer there is no reason, and the earlier reason disappears", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 0 });
  const app = page();
  errors = { accept: ["NotInvited", [1, EVE, BOB]] };
  app.rejections.refresh(MATCH);
  await settled();
  assert.notEqual(app.whyText("accept"), null);
  globalThis.fetch = async () => {
    asked.push("lost");
    throw new TypeError("no line");
  };
  context.mock.timers.tick(4000);
  app.rejections.refresh(MATCH);
  await settled();
  assert.equal(app.whyText("accept"), null);
  app.rejections.refresh(MATCH);
  await settled();
  assert.deepEqual(asked, [["accept"], "lost"], "the next drawing does not ask again immediately");
  globalThis.fetch = nodeAnswers;
  context.mock.timers.tick(4000);
  app.rejections.refresh(MATCH);
  await settled();
  assert.equal(app.whyText("accept"), "This seat is reserved for Lucid Dunlin.");
});

test("on the same board, the page simulates a rejected action again, but not an accepted action", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 0 });
  const app = page({ board: playing, me: ANN });
  errors = { offerRestart: ["AlreadyOffered", [1]] };
  app.rejections.refresh(MATCH);
  await settled();
  errors = {};
  context.mock.timers.tick(4000);
  app.rejections.refresh(MATCH);
  assert.notEqual(app.whyText("offerRestart"), null, "the reason is shown until the answer arrives");
  await settled();
  assert.deepEqual([asked.at(-1), app.whyText("offerRestart")], [["offerRestart"], null]);
});

const secret = ACTIONS.map((one) => ({ ...one, secret: true }));
function lost() {
  const app = page({ board: playing, me: ANN });
  app.server.connection = "lost";
  return app;
}
const NEVER = [
  ["for secret actions", () => page({ board: playing, me: ANN, actions: secret }), MATCH],
  ["for a game with checks of its own", () => page({ board: playing, me: ANN, why: () => null }), MATCH],
  ["for a match that is not shown, or shown in the past", () => page({ board: playing, me: ANN }), ""],
  ["while the connection is lost", lost, MATCH],
];
for (const [what, made, match] of NEVER)
  test(`the page sends no simulation request ${what}`, async () => {
    const app = made();
    app.rejections.refresh(match);
    if (match && app.server.connection === "live")
      app.actions.press(MATCH, { action: "move", args: { row: 0, column: 0 } }, 0);
    await settled();
    assert.deepEqual(
      [asked, app.whyText("resign")],
      [[], app.server.connection === "live" ? null : "No connection to the server."],
    );
    if (match && app.server.connection === "live") assert.equal(app.sent.length, 1, "the press is sent");
  });

test("the page shows a rejected press at the board and sends nothing", async () => {
  const app = page({ board: playing, me: ANN });
  errors = { move: ["CellTaken", [1, 1]] };
  assert.equal(app.actions.press(MATCH, { action: "move", args: { row: 1, column: 1 } }, 4), true);
  await settled();
  const { why, ...where } = app.ui.rejected;
  assert.deepEqual(where, { match: MATCH, seq: 2, account: ANN });
  assert.deepEqual([translate(why), app.sent], ["This square is taken.", []]);
});

test("the selected piece is unselected when its move is sent, but not after a rejection", async () => {
  const app = page({ board: playing, me: ANN });
  app.ui.selected = 3;
  errors = { move: ["CellTaken", [1, 1]] };
  app.actions.press(MATCH, { action: "move", args: { row: 1, column: 1 } }, 4);
  await settled();
  assert.deepEqual([app.ui.selected, app.sent.length], [3, 0]);
  errors = {};
  app.actions.press(MATCH, { action: "move", args: { row: 0, column: 2 } }, 2);
  await settled();
  assert.deepEqual([app.ui.selected, app.sent.length], [0, 1]);
});

test("a rejection is shown at the board that was pressed, not at the next board", async () => {
  const app = page({ board: playing, me: ANN });
  errors = { move: ["CellTaken", [1, 1]] };
  release = hold;
  app.actions.press(MATCH, { action: "move", args: { row: 1, column: 1 } }, 4);
  await settled();
  app.move({});
  release();
  await settled();
  assert.equal(app.ui.rejected.seq, 2);
});

test("the page sends a press with the board at that time, and ignores a second press meanwhile", async () => {
  const app = page({ board: playing, me: ANN });
  release = hold;
  app.actions.press(MATCH, { action: "move", args: { row: 0, column: 2 } }, 2);
  app.actions.press(MATCH, { action: "move", args: { row: 0, column: 0 } }, 0);
  assert.equal(translate(app.ui.rejected.why), "This is already being sent.");
  await settled();
  app.move({ ply: 2 });
  release();
  await settled();
  const sent = app.sent.map(({ data, cell }) => [...contract.parseTransaction({ data }).args.map(Number), cell]);
  assert.deepEqual(sent, [[1, 1, 0, 2, 2]], "match, ply, row, column and cell");
});

test("a press is not sent to another chain, where the name belongs to a different match", async () => {
  const app = page({ board: playing, me: ANN });
  app.server.identity = "31337 0xa";
  release = hold;
  app.actions.press(MATCH, { action: "move", args: { row: 0, column: 2 } }, 2);
  await settled();
  app.server.identity = "31337 0xb";
  release();
  await settled();
  assert.deepEqual([app.ui.rejected, app.sent], [null, []]);
});

test("without an answer, the page sends a press, and the transaction shows the outcome", async () => {
  const app = page({ board: playing, me: ANN });
  globalThis.fetch = async () => Promise.reject(new TypeError("no line"));
  app.actions.press(MATCH, { action: "move", args: { row: 0, column: 2 } }, 2);
  await settled();
  assert.deepEqual([app.ui.rejected, app.sent.length], [null, 1]);
});

test("the page rejects a claim without a request until the time is over", async () => {
  const app = page({ board: { ...playing, deadline: 10 }, me: EVE });
  assert.equal(app.whyText("claimTimeout"), "There’s still time left.");
  app.move({ deadline: 9 });
  app.rejections.refresh(MATCH);
  await settled();
  assert.deepEqual([app.whyText("claimTimeout"), asked], [null, []]);
});

test("the page forgets rejections when the chain changes", async () => {
  const app = page();
  errors = { accept: ["NotInvited", [1, EVE, BOB]] };
  app.rejections.refresh(MATCH);
  await settled();
  app.rejections.reset();
  assert.equal(app.whyText("accept"), null);
});
