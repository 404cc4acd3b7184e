// Tests the hint in a player's first match of a game: who sees the hint, how often, what ends it,
// and how a player disables hints.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Hints } from "../../../../../frontend-static/app/match/hints.js";
import { settled } from "../../../node/settled.mjs";
import { storageOf, useGlobals } from "../../../node/globals.mjs";

const [ANN, BOB] = ["0xA", "0xB"];
const KEY = "chainboard.hints";
const stored = new Map();
let finished;
let requests;

useGlobals({
  localStorage: storageOf(stored),
  fetch: async (path) => {
    requests.push(path);
    if (!finished) throw new Error("no server");
    return { ok: true, json: async () => ({ matches: finished }) };
  },
});

beforeEach(() => {
  stored.clear();
  finished = [];
  requests = [];
});

/** Return a page on which Ann plays matches of Nim. */
function page() {
  const boards = {
    "nim/1": { status: "playing", players: { [ANN]: {}, [BOB]: {} }, mover: ANN },
    "nim/2": { status: "finished", players: { [ANN]: {} } },
    "nim/3": { status: "playing", players: { [BOB]: {} } },
    "go/1": { status: "open", players: { [ANN]: {}, [BOB]: {} } },
  };
  const server = {
    board: (match) => boards[match],
    renderer: () => ({ joinAction: "register", secondary: ["settle"] }),
  };
  const app = { accounts: { me: ANN }, playback: { playhead: null }, server, transactions: { list: [] } };
  const drawn = new Promise((resolve) => (app.redraw = resolve));
  return { app, hints: new Hints(app), boards, drawn };
}

/** Return the page after it has learned whether the match is Ann's first match of the game. */
async function known(match = "nim/1") {
  const it = page();
  it.hints.request(match);
  await it.drawn;
  return it;
}

test("a hint appears in a first match once that is known, and never comes back after it is closed", async () => {
  const { hints, drawn } = page();
  assert.equal(hints.isAt("nim/1"), false, "the server has not answered yet");
  hints.request("nim/1");
  hints.request("nim/1");
  assert.equal(hints.isAt("nim/1"), false);
  await drawn;
  assert.equal(requests.length, 1, "asked once");
  assert.match(requests[0], /^api\/matches\?game=nim&player=0xA&status=finished/);
  assert.equal(hints.isAt("nim/1"), true);
  hints.close("nim/1");
  assert.equal(hints.isAt("nim/1"), false);
  assert.equal(hints.hasRoom("nim/1"), true, "the space stays reserved, so that nothing moves");
  assert.equal(stored.get(KEY), "nim");
  const later = page().hints;
  later.request("nim/1");
  assert.equal(requests.length, 1, "nothing is left to request");
  assert.equal(later.hasRoom("nim/1"), false);
});

test("each game has its own hint", async () => {
  const { app, hints } = await known();
  hints.close("nim/1");
  const drawn = new Promise((resolve) => (app.redraw = resolve));
  hints.request("go/1");
  await drawn;
  assert.equal(hints.isAt("go/1"), true);
  hints.close("go/1");
  assert.equal(stored.get(KEY), "nim go");
});

test("the first move of any kind ends the hint, but joining, other accounts' moves and failures don't", async () => {
  const move = { match: "nim/1", account: ANN, action: "take", state: "waiting" };
  const others = [
    { ...move, action: "register-captain" },
    { ...move, action: "approve" },
    { ...move, action: "settle" },
    { ...move, account: BOB },
    { ...move, match: "nim/7" },
    { ...move, state: "refused" },
  ];
  const { app, hints } = await known();
  for (const tx of others) {
    app.transactions.list.push(tx);
    hints.request("nim/1");
    assert.equal(hints.isAt("nim/1"), true, JSON.stringify(tx));
  }
  app.transactions.list.push({ ...move, account: "0xSession", seat: ANN });
  hints.request("nim/1");
  assert.equal(hints.isAt("nim/1"), false);
  assert.equal(stored.get(KEY), "nim");
});

test("a hint is for players in a running match, in the present", async () => {
  const { app, hints, boards } = await known();
  assert.deepEqual(
    ["nim/1", "nim/2", "nim/3", "nim/9", ""].map((match) => hints.isAt(match)),
    [true, false, false, false, false],
  );
  app.playback.playhead = { seq: 1 };
  assert.equal(hints.isAt("nim/1"), false, "the player looks at the past");
  app.playback.playhead = null;
  app.accounts.me = BOB;
  assert.equal(hints.isAt("nim/1"), false, "nothing is known about the other account");
  app.accounts.me = ANN;
  boards["nim/1"].status = "finished";
  assert.equal(hints.hasRoom("nim/1"), false);
  hints.close("nim/1");
  assert.equal(stored.get(KEY), undefined, "no hint was shown that could be closed");
});

test("the hint suggests no press before somebody joins or while it is the opponent's turn", async () => {
  const { hints, boards } = await known();
  boards["nim/1"] = { ...boards["nim/1"], mover: BOB };
  assert.deepEqual([hints.isAt("nim/1"), hints.hasRoom("nim/1")], [false, true]);
  boards["nim/1"] = { status: "open", players: { [ANN]: {} } };
  assert.equal(hints.isAt("nim/1"), false);
});

test("a player who has finished a match of the game sees no hint, and neither does one about whom that is unknown", async () => {
  finished = [{ match: "nim/0" }];
  const veteran = (await known()).hints;
  assert.deepEqual([veteran.isAt("nim/1"), veteran.hasRoom("nim/1")], [false, false]);
  finished = null;
  const { hints } = page();
  hints.request("nim/1");
  await settled();
  assert.equal(hints.isAt("nim/1"), false);
  hints.request("nim/1");
  assert.equal(requests.length, 2, "there is no further request on this chain");
  hints.reset();
  hints.request("nim/1");
  assert.equal(requests.length, 3);
});

test("if hints are disabled, no game shows a hint, and nothing is requested", () => {
  stored.set(KEY, "off");
  const { hints } = page();
  hints.request("nim/1");
  assert.deepEqual([hints.isAt("nim/1"), requests], [false, []]);
});
