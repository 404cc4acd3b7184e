// Tests the code that two-player games share: the seats, and the checks, which must be the same and
// in the same order as in Duel.sol.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Actions } from "../../../../frontend-static/app/actions.js";
import {
  bottomSeat,
  inSeat,
  seatsOf,
  whyClaim,
  whyClose,
  whyJoin,
  whyPending,
  whyPlaying,
  whyTurn,
} from "../../../../frontend-static/games/shared/duel.js";
import { translate } from "../../../../frontend-static/i18n/translate.js";
import { addGameTexts } from "../../../../frontend-static/i18n/tables.js";
import "../../node/texts.mjs";
import { restoreTextsAfter } from "../i18n/restore-texts.mjs";

const ANN = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const BOB = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const EVE = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const playing = {
  status: "playing",
  ply: 2,
  deadline: 1060,
  creator: ANN,
  players: { [BOB]: { seat: 1 }, [ANN]: { seat: 0 } },
  mover: ANN,
};
const open = { status: "open", ply: 0, deadline: 0, creator: ANN, players: { [ANN]: { seat: 0 } } };
const view = (board, me, more = {}) => ({ match: "hill/1", board, me, now: 1000, pending: [], ...more });
const going = (account) => ({ pending: [{ action: "climb", account }] });

const REASONS = [
  [whyJoin, view(open, BOB), null],
  [whyJoin, view(open, ANN), "why.own-match"],
  [whyJoin, view({ ...open, opponent: BOB }, BOB), null],
  [whyJoin, view({ ...open, opponent: BOB }, EVE), "why.not-invited"],
  [whyJoin, view(playing, ANN), "why.not-open"],
  [whyClose, view(open, ANN), null],
  [whyClose, view(open, BOB), "why.not-opener"],
  [whyClose, view(playing, EVE), "why.not-open"],
  [whyPlaying, view(open, EVE), "why.not-begun"],
  [whyPlaying, view(playing, EVE), "why.not-a-player"],
  [whyPlaying, view(playing, BOB), null],
  [whyTurn, view(open, ANN), "why.not-begun"],
  [whyTurn, view(playing, EVE, going(EVE)), "why.not-a-player"],
  [whyTurn, view(playing, ANN), null],
  [whyTurn, view(playing, ANN, going(ANN)), "why.on-its-way"],
  [whyTurn, view(playing, ANN, going(BOB)), null],
  [whyTurn, view(playing, BOB), "why.not-your-turn"],
  [whyTurn, view({ ...playing, mover: undefined }, BOB), "why.not-your-turn"],
  [whyPending, view({}, ANN, { match: "", ...going(ANN) }), null],
  [whyClaim, view(open, EVE), "why.not-begun"],
  [whyClaim, view(playing, EVE), "why.not-expired"],
  [whyClaim, view(playing, EVE, { now: 1060 }), null],
  [whyClaim, view({ ...playing, deadline: 0 }, EVE), "why.no-clock"],
];
for (const [check, seen, key] of REASONS) {
  test(`${check.name} by ${seen.me.slice(0, 4)} in the status "${seen.board.status}" ${key ? `is rejected: ${key}` : "is possible"}`, () =>
    assert.equal(check(seen, "climb")?.key ?? null, key));
}

test("seats are in order, whatever the players' order is, and an empty seat belongs to nobody", () => {
  assert.deepEqual(seatsOf(playing), [
    { address: ANN, seat: 0, alive: true },
    { address: BOB, seat: 1, alive: true },
  ]);
  assert.deepEqual([seatsOf({}), inSeat(open, 0), inSeat(open, 1)], [[], ANN, ""]);
});

const BOTTOM = [
  ["who looks on", playing, [EVE], 0],
  ["nobody's account", playing, [], 0],
  ["the first player", playing, [ANN, EVE], 0],
  ["the second player", playing, [EVE, BOB], 1],
  ["two who share one screen", playing, [ANN, BOB], 0],
  ["who opened a match", open, [ANN], 0],
  ["who has not joined yet", open, [BOB], 0],
  ["a board before it is opened", {}, [BOB], 0],
];
for (const [who, board, own, seat] of BOTTOM)
  test(`the side of seat ${seat} is at the bottom for ${who}`, () =>
    assert.equal(bottomSeat(view(board, own[0] ?? "", { ownAccounts: new Set(own) })), seat));

test("the board keeps its side in the past before the player joined, whichever account is in use", () => {
  const past = { latestBoard: playing, viewAs: BOB, ownAccounts: new Set([BOB, EVE]) };
  assert.equal(bottomSeat(view(open, "", past)), 1);
  assert.equal(bottomSeat(view(open, "", { ...past, viewAs: "" })), 1);
  assert.equal(bottomSeat(view(playing, EVE, { ownAccounts: past.ownAccounts })), 1);
  assert.equal(bottomSeat(view(playing, BOB, { ...past, latestBoard: null })), 1);
});

test("a game can have its own text for a shared reason, with the same values", (context) => {
  restoreTextsAfter(context);
  addGameTexts("hill", { en: { "hill.why.not-your-turn": "{name} climbs." } });
  const app = {
    server: {
      connection: "live",
      games: new Map(),
      renderers: new Map(
        ["hill", "dale"].map((slug) => [slug, { functions: ["climb()"], why: (seen) => whyTurn(seen, "climb") }]),
      ),
    },
    live: { renderContext: () => view(playing, BOB) },
    accounts: { balances: new Map([[BOB, 1n]]), filling: new Map(), find: () => undefined },
  };
  const found = (slug) =>
    new Actions(app).why(`${slug}/1`, { name: "climb", signature: "climb()", inputs: [] }, {}, BOB);
  assert.equal(found("hill").key, "hill.why.not-your-turn");
  assert.deepEqual(
    ["hill", "dale"].map((slug) => translate(found(slug))),
    ["Able Dotterel climbs.", "It’s Able Dotterel’s turn."],
  );
});
