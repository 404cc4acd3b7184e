// Hints of a first match: for whom they appear, once a game, in which order, and the switch that turns them off.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Hints, TARGETS } from "../../../../frontend-static/app/match/hints.js";
import { settled } from "../../node/settled.mjs";
import { storageOf, useGlobals } from "../../node/globals.mjs";

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

/** A page on which matches of Nim are played by Ann. */
function page() {
  const boards = {
    "nim/1": { status: "playing", players: { [ANN]: {}, [BOB]: {} }, mover: ANN },
    "nim/2": { status: "finished", players: { [ANN]: {} } },
    "nim/3": { status: "playing", players: { [BOB]: {} } },
    "go/1": { status: "open", players: { [ANN]: {}, [BOB]: {} } },
  };
  const app = { accounts: { me: ANN }, playback: { playhead: null }, server: { board: (match) => boards[match] } };
  const drawn = new Promise((resolve) => (app.redraw = resolve));
  return { app, hints: new Hints(app), boards, drawn };
}

/** Hints, as soon as it is known whether the match is somebody's first. */
async function known(match = "nim/1") {
  const it = page();
  it.hints.request(match);
  await it.drawn;
  return it;
}

const names = (hints, match) => TARGETS[hints.at(match)] ?? null;

test("they appear in a first match, when that is known, one after the other, and never again", async () => {
  const { hints, drawn } = page();
  assert.equal(hints.at("nim/1"), -1, "nobody has answered");
  hints.request("nim/1");
  hints.request("nim/1");
  assert.equal(hints.at("nim/1"), -1);
  await drawn;
  assert.equal(requests.length, 1, "asked once");
  assert.match(requests[0], /^api\/matches\?game=nim&player=0xA&status=finished/);
  const order = TARGETS.map(() => {
    const name = names(hints, "nim/1");
    hints.next("nim/1");
    return name;
  });
  assert.deepEqual(order, ["board", "line", "button"]);
  assert.equal(hints.at("nim/1"), -1);
  assert.equal(stored.get(KEY), "nim");
  const later = page().hints;
  later.request("nim/1");
  assert.equal(requests.length, 1, "nothing is left to ask");
});

test("who dismisses one has dismissed the game's others, and no other game's", async () => {
  const { app, hints } = await known();
  hints.next("nim/1");
  hints.close("nim/1");
  assert.equal(hints.at("nim/1"), -1);
  const drawn = new Promise((resolve) => (app.redraw = resolve));
  hints.request("go/1");
  await drawn;
  assert.equal(names(hints, "go/1"), "board", "from the first one on");
  hints.close("go/1");
  assert.equal(stored.get(KEY), "nim go");
});

test("what was read in one game is not taken for read in another", async () => {
  const { app, hints } = await known();
  hints.next("nim/1");
  const drawn = new Promise((resolve) => (app.redraw = resolve));
  hints.request("go/1");
  await drawn;
  assert.deepEqual([names(hints, "go/1"), names(hints, "nim/1")], ["board", "line"]);
});

test("they are for players of a match that goes on, at its present", async () => {
  const { app, hints, boards } = await known();
  assert.deepEqual(
    ["nim/1", "nim/2", "nim/3", "nim/9", ""].map((match) => names(hints, match)),
    ["board", null, null, null, null],
  );
  app.playback.playhead = { seq: 1 };
  assert.equal(hints.at("nim/1"), -1, "one looks back");
  app.playback.playhead = null;
  app.accounts.me = BOB;
  assert.equal(hints.at("nim/1"), -1, "of another account nothing is known");
  app.accounts.me = ANN;
  boards["nim/1"].status = "finished";
  hints.close("nim/1");
  assert.equal(stored.get(KEY), undefined, "none was there that could be dismissed");
});

test("none says what to press while one can't: before somebody joins and while another is to move", async () => {
  const { hints, boards } = await known();
  const own = boards["nim/1"];
  const waits = [
    { ...own, mover: BOB },
    { status: "open", players: { [ANN]: {} } },
  ];
  const at = (board) => {
    boards["nim/1"] = board;
    return names(hints, "nim/1");
  };
  const found = TARGETS.map(() => {
    const seen = [...waits, own].map(at);
    hints.next("nim/1");
    return seen;
  });
  assert.deepEqual(found, [
    [null, null, "board"],
    ["line", "line", "line"],
    [null, null, "button"],
  ]);
});

test("who has finished one knows the game; where that is not known there are none", async () => {
  finished = [{ match: "nim/0" }];
  assert.equal((await known()).hints.at("nim/1"), -1);
  finished = null;
  const { hints } = page();
  hints.request("nim/1");
  await settled();
  assert.equal(hints.at("nim/1"), -1);
  hints.request("nim/1");
  assert.equal(requests.length, 2, "not asked again on this chain");
  hints.reset();
  hints.request("nim/1");
  assert.equal(requests.length, 3);
});

test("switched off, no game has any, and nothing is asked", () => {
  stored.set(KEY, "off");
  const { hints } = page();
  hints.request("nim/1");
  assert.deepEqual([hints.at("nim/1"), requests], [-1, []]);
});
