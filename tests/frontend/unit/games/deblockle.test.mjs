// Tests Deblockle's renderer with boards from the indexer: pictures, clicks, texts, buttons and
// streams.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  anyTime,
  args,
  buttonText,
  describe,
  inspect,
  isOffered,
  notices,
  picture,
  press,
  rules,
  seats,
  select,
  sentences,
  turnNote,
  turnText,
  whyTyped,
} from "../../../../frontend-static/games/deblockle/renderer.js";
import { streamedTo, withdrawable } from "../../../../frontend-static/games/deblockle/streams.js";
import { streamedAmount } from "../../../../frontend-static/games/shared/streams.js";
import { ZeroAddress } from "ethers";
import { t, translate } from "../../../../frontend-static/i18n/translate.js";
import { gameTexts } from "../../node/texts.mjs";

await gameTexts("deblockle");

const ANN = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const BOB = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const EVE = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const cell = (name) => 7 * (Number(name[1]) - 1) + "abcdefg".indexOf(name[0]);
const cells = (...names) => names.map(cell);
const players = (streamed = [0, 0], withdrawn = ["0", "0"]) => ({
  [ANN]: { seat: 0, streamed: streamed[0], withdrawn: withdrawn[0] },
  [BOB]: { seat: 1, streamed: streamed[1], withdrawn: withdrawn[1] },
});
/**
 * Return a board on which each player has two cubes and Ann must roll. The cubes' up, front and
 * right faces are the same as in the starting position.
 */
const playing = (more = {}) => ({
  ...{ status: "playing", ply: 4, clock: 3600, deadline: 4600, creator: ANN, players: players(), mover: ANN },
  ...{ width: 7, height: 7, setup: 2, ruleset: "near", phase: "roll" },
  cubes: {
    0: { seat: 0, cell: cell("c7"), up: 2, front: 3, right: 6 },
    1: { seat: 0, cell: cell("e7"), up: 4, front: 1, right: 2 },
    4: { seat: 1, cell: cell("c1"), up: 5, front: 3, right: 1 },
    5: { seat: 1, cell: cell("e1"), up: 4, front: 1, right: 2 },
  },
  moves: { 0: cells("c6", "b7"), 1: cells("e6", "f7") },
  ...{ passes: 0, quiet: 4, removed: { 0: 0, 1: 0 }, stake: "0", rate: "0", turnStart: 1000, ...more },
});
/** Return a board on which Ann's cube on c6 shows Hoops and must hop. */
const hopping = (more = {}) =>
  playing({
    ...{ phase: "hop", hopper: 0, moves: { 0: cells("c5", "d4") } },
    cubes: { ...playing().cubes, 0: { seat: 0, cell: cell("c6"), up: 4, front: 2, right: 6 } },
    last: { kind: "roll", cube: 0, from: cell("c7"), to: cell("c6"), by: ANN },
    ...more,
  });
const open = () => playing({ status: "open", ply: 0, players: { [ANN]: players()[ANN] }, mover: undefined, moves: {} });
const context = (board, me = ANN, more = {}) => ({
  ...{ match: "deblockle/1", board, me, ownAccounts: new Set([me]), selected: 0, head: null, now: 1010, pending: [] },
  ...{ draft: { state: {}, change: () => undefined }, formatAmount: (amount) => `${amount} wei`, ...more },
});
const named = (name) => ({ name, inputs: [] });
const kinds = (marks) => marks.map(({ cell: at, shape }) => [at, shape]);

test("cubes show five faces, their owner, and whether they can be moved", () => {
  const { pieces, columns } = picture(context(playing()));
  const [first, , third] = pieces;
  assert.deepEqual(first.faces, { up: "times", front: "arrows", right: "stop", back: "ring", left: "star" });
  assert.deepEqual(
    pieces.map(({ text, mine, colour, shape }) => [text, mine, colour, shape]),
    [
      ["X1", true, 1, 1],
      ["H1", true, 1, 1],
      ["T2", false, 0, 0],
      ["H2", false, 0, 0],
    ],
  );
  assert.notEqual(first.shape, third.shape);
  assert.equal(columns, "abcdefg");
  assert.ok(picture(context(playing(), BOB)).pieces.every(({ mine }) => !mine));
});

test("the squares to which the selected cube can be rolled are shown with the face that comes up", () => {
  assert.deepEqual(picture(context(playing())).marks, []);
  const shown = picture(context(playing(), ANN, { selected: 1 }));
  // The cube on c7 shows X. A roll forward brings its back face (Hoops) to the top, and a roll to
  // the left brings its right face (Stop) to the top.
  assert.deepEqual(kinds(shown.marks), [
    [cell("c6"), "ring"],
    [cell("b7"), "stop"],
  ]);
  assert.deepEqual(
    shown.pieces.filter(({ selected }) => selected).map(({ id }) => id),
    ["cube-0"],
  );
});

test("the cube that must hop is selected automatically, but only for its player", () => {
  const shown = picture(context(hopping(), ANN, { selected: 2 }));
  assert.deepEqual(kinds(shown.marks), [
    [cell("c5"), "dot"],
    [cell("d4"), "dot"],
  ]);
  assert.deepEqual(picture(context(hopping(), BOB)).marks, []);
  assert.deepEqual(picture(context(hopping(), "")).marks, []);
});

test("the only cube that can be rolled is selected automatically", () => {
  const board = playing({ moves: { 1: cells("e6") } });
  assert.deepEqual(kinds(picture(context(board)).marks), [[cell("e6"), "stop"]]);
});

test("the picture shows star squares, the last move, and the cube that the move removed", () => {
  const board = playing({ last: { kind: "roll", cube: 2, from: cell("d3"), to: cell("d2"), by: ANN } });
  const { fields, lines, leaving } = picture(context(board));
  assert.deepEqual(
    fields.map(({ cell: at, kind, text }) => [at, kind, text]),
    [
      [cell("d2"), "star-0", "__"],
      [cell("d6"), "star-1", "__"],
      [cell("d3"), "last", undefined],
    ],
  );
  assert.deepEqual(lines, [{ from: cell("d3"), to: cell("d2"), kind: "last" }]);
  assert.deepEqual(leaving, [{ id: "cube-2", cell: cell("d2") }]);
  assert.deepEqual(picture(context(hopping())).leaving, []);
  assert.deepEqual(picture(context(playing({ last: { kind: "pass", by: BOB } }))).lines, []);
});

test("a board before the match is opened can be drawn", () => {
  assert.deepEqual(picture(context({ status: "none", cubes: {}, moves: {}, players: {} })).pieces, []);
});

test("a press selects a cube, the next press moves it, and x and y are the contract's", () => {
  assert.equal(press(context(playing()), cell("c6")).args.fromX, 3, "no other cube can go to that square");
  assert.equal(press(context(playing()), cell("a1")), null);
  assert.equal(select(context(playing()), cell("c7")), 1);
  assert.equal(select(context(playing()), cell("e7")), 2);
  assert.equal(select(context(playing()), cell("c1")), 0);
  assert.equal(select(context(playing()), cell("a4")), 0);
  const chosen = context(playing(), ANN, { selected: 1 });
  assert.deepEqual(press(chosen, cell("c6")), { action: "makeMove", args: { fromX: 3, fromY: 7, toX: 3, toY: 6 } });
  assert.deepEqual(press(chosen, cell("g1")).args, { fromX: 3, fromY: 7, toX: 7, toY: 1 });
  assert.deepEqual([press(chosen, cell("c7")), press(chosen, cell("e7"))], [null, null]);
  assert.deepEqual(press(chosen, cell("c1")).args, { fromX: 3, fromY: 7, toX: 3, toY: 1 });
});

test("while a hop is due, each press moves the cube that must hop, even a press on another cube", () => {
  assert.deepEqual(press(context(hopping()), cell("e7")).args, { fromX: 3, fromY: 6, toX: 5, toY: 7 });
  assert.equal(press(context(hopping()), cell("c6")), null);
  assert.equal(press(context(hopping(), BOB), cell("e7")), null);
  assert.equal(press(context(hopping(), EVE, { selected: 1 }), cell("e7")), null);
  assert.equal(press(context(playing({ status: "finished", mover: undefined }), ANN, { selected: 1 }), 0), null);
});

test("a cell is described in words", () => {
  const words = (board, name, more) => describe(context(board, ANN, more), cell(name));
  assert.equal(words(playing(), "a4"), "a4, empty");
  assert.equal(words(playing(), "c7"), "c7, your cube: top X, front Slide, right Stop");
  assert.equal(words(playing(), "c7", { selected: 1 }), "c7, your cube: top X, front Slide, right Stop, chosen");
  assert.equal(words(playing(), "c6", { selected: 1 }), "c6, empty, roll here: Hoops will be on top");
  assert.equal(words(playing(), "e1"), "e1, Lucid Dunlin’s cube: top Hoops, front Star, right X");
  assert.equal(words(playing(), "d2"), "d2, your star square, empty");
  assert.equal(words(playing(), "d6"), "d6, Lucid Dunlin’s star square, empty");
  assert.equal(words(hopping(), "d4"), "d4, empty, hop here");
  assert.equal(words(hopping(), "c6"), "c6, your cube: top Hoops, front X, right Stop, must hop now, last move");
  assert.equal(describe(context(open(), EVE), cell("d6")), "d6, player 2’s star square, empty");
});

test("a cube's net shows the faces front, left, up, right, back and down", () => {
  const faces = inspect(context(playing()), cell("c7")).children.map(({ props, children }) => [
    props["data-side"],
    children.at(-1).children[0],
  ]);
  assert.deepEqual(faces, [
    ["front", "Slide"],
    ["left", "Star"],
    ["up", "X"],
    ["right", "Stop"],
    ["back", "Hoops"],
    ["down", "T"],
  ]);
  assert.equal(inspect(context(playing()), cell("a4")), null);
});

test("the second player sees the own side at the bottom and each cube from that side", () => {
  const turned = (board, me, more) => picture(context(board, me, more)).turned;
  const both = { ownAccounts: new Set([ANN, BOB]) };
  assert.deepEqual([turned(playing(), ANN), turned(playing(), BOB), turned(playing(), EVE)], [false, true, false]);
  assert.deepEqual([turned(playing(), ANN, both), turned(playing(), BOB, both)], [false, false]);
  assert.equal(turned(open(), BOB, { latestBoard: playing() }), true);
  const [one, other] = [ANN, BOB].map((me) => picture(context(playing(), me)).pieces);
  assert.deepEqual(
    other.map(({ cell: at, faces }) => [at, faces]),
    one.map(({ cell: at, faces }) => [at, faces]),
    "the layout turns the cubes",
  );
  const faces = inspect(context(playing(), BOB), cell("c7")).children.map(({ props }) => [
    props["data-side"],
    Number(props["data-face"]),
  ]);
  // The cube on c7 has X on top, Slide in front and Stop on the right. A player on the opposite
  // side sees Hoops in front and Star on the right.
  assert.deepEqual(Object.fromEntries(faces), { front: 4, left: 6, up: 2, right: 1, back: 3, down: 5 });
  assert.deepEqual(
    faces.map(([side]) => side),
    ["front", "left", "up", "right", "back", "down"],
  );
  assert.equal(
    describe(context(playing(), BOB), cell("c7")),
    "c7, Able Dotterel’s cube: top X, front Hoops, right Star",
  );
});

/**
 * The boards of the rules' example match after events 7, 9, 12 and 13, as the reducer makes them
 * (tests/fixtures/transcripts/deblockle/sheet.json).
 */
const SHEET = { status: "playing", players: players(), setup: 1, ruleset: "near", passes: 0, stake: "1000", rate: "2" };
const [AT_STOP, AT_START] = [
  { seat: 0, cell: 44, up: 6, front: 3, right: 5 },
  { seat: 1, cell: 3, up: 5, front: 3, right: 1 },
];
const FIRST_ROLL = {
  ...SHEET,
  ...{ ply: 1, mover: ANN, moves: {}, phase: "roll", cubes: { 0: AT_STOP, 4: AT_START } },
  last: { kind: "roll", cube: 0, from: 45, to: 44, by: ANN },
};
const SECOND_ROLL = {
  ...SHEET,
  ...{ ply: 2, mover: ANN, moves: { 0: [37, 43, 45] }, phase: "roll" },
  cubes: { 0: AT_STOP, 4: { seat: 1, cell: 4, up: 6, front: 3, right: 5 } },
  last: { kind: "roll", cube: 4, from: 3, to: 4, by: BOB },
};
const THIRD_ROLL = {
  ...{ ...SECOND_ROLL, ply: 3, phase: "hop", hopper: 0, moves: { 0: [16, 22, 24] } },
  cubes: { ...SECOND_ROLL.cubes, 0: { seat: 0, cell: 37, up: 4, front: 6, right: 5 } },
  last: { kind: "roll", cube: 0, from: 44, to: 37, by: ANN },
};
const [OWN, ANNS, BOBS] = ["your turn ends", "Able Dotterel’s turn ends", "Lucid Dunlin’s turn ends"];
const NOTES = [
  ["who rolled Stop", FIRST_ROLL, ANN, `Stop: ${OWN}`],
  ["the other", FIRST_ROLL, BOB, `Stop: ${ANNS}`],
  ["who looks on", FIRST_ROLL, "", `Stop: ${ANNS}`],
  ["who rolled it, when the other is to move", { ...FIRST_ROLL, mover: BOB, moves: { 4: [4] } }, ANN, `Stop: ${OWN}`],
  ["the other, whose turn it is after it", SECOND_ROLL, ANN, `Stop: ${BOBS}`],
  ["whoever looks, once the next move shows another face", THIRD_ROLL, BOB, ""],
  ["whoever looks, after a pass", { ...SECOND_ROLL, last: { kind: "pass", by: ANN } }, BOB, ""],
  ["whoever looks, after a hop", { ...SECOND_ROLL, last: { ...SECOND_ROLL.last, kind: "hop" } }, BOB, ""],
  ["whoever looks, when the match is over", { ...FIRST_ROLL, status: "finished", mover: undefined }, ANN, ""],
  ["whoever looks, after a cube was removed", rules[2].board, ANN, ""],
  ["whoever looks, before the first move", playing(), ANN, ""],
  ["whoever looks back to before the set-up", { ...open(), setup: undefined, cubes: {} }, ANN, ""],
  ["whoever may join", open(), BOB, "2 cubes each, free rules"],
];
for (const [who, board, me, note] of NOTES)
  test(`the note below the turn line says "${note}" to ${who}`, () => assert.equal(turnNote(context(board, me)), note));

const offered = (board, me, more) =>
  ["join", "cancel", "makeMove", "passMove", "resign", "withdraw"].filter((name) =>
    isOffered(context(board, me, more), named(name)),
  );
const OFFERS = [
  ["open, to who opened it", open(), ANN, ["cancel"]],
  ["open, to anybody else", open(), EVE, ["join"]],
  ["to who is to roll", playing(), ANN, ["passMove", "resign"]],
  ["to who waits", playing(), BOB, ["resign"]],
  ["to who looks on", playing(), EVE, []],
  ["to who must roll", playing({ ruleset: "board" }), ANN, ["resign"]],
  ["to who must hop", hopping({ ruleset: "board" }), ANN, ["resign"]],
  ["to who can roll nothing", playing({ ruleset: "board", moves: {} }), ANN, ["passMove", "resign"]],
  ["to who waits, with a stake", playing({ stake: "100", rate: "1" }), BOB, ["resign", "withdraw"]],
  ["to who is to move, with a stake", playing({ stake: "100", rate: "1" }), ANN, ["passMove", "resign"]],
];
for (const [who, board, me, actions] of OFFERS)
  test(`the right actions are offered ${who}`, () => assert.deepEqual(offered(board, me), actions));

test("the page explains passing before the player passes", () => {
  const words = (board) => {
    const { label, hint } = buttonText(context(board), "passMove");
    return [translate(label), translate(hint)];
  };
  assert.deepEqual(words(playing()), [
    "Pass",
    "Your opponent rolls next. This would make 1 pass in a row; 6 in a row are a draw.",
  ]);
  assert.deepEqual(words(hopping({ passes: 5 })), [
    "Skip the hop",
    "This would make 6 passes in a row, so the game would end in a draw.",
  ]);
  const noticesJson = (board, me) => JSON.stringify(notices(context(board, me)));
  assert.match(noticesJson(playing({ passes: 3 }), BOB), /3 passes in a row\. After 6, it’s a draw/);
  assert.match(noticesJson(playing({ quiet: 99 }), BOB), /1 more move with no cube home/);
  assert.match(noticesJson(playing(), ANN), /You lose when your clock runs out/);
  assert.match(noticesJson(playing(), BOB), /Able Dotterel loses when the clock runs out/);
  assert.equal(notices(context(playing({ clock: 0, deadline: 0 }))), null);
});

test("the page shows the deadline before and after it: the clock, or the deposit that has run dry", () => {
  const staked = { stake: "1000", rate: "2" };
  const [clock, dry] = [playing({ ...staked, runsDry: 5000 }), playing({ ...staked, runsDry: 1500, deadline: 1500 })];
  const hint = (board) => translate(buttonText(context(board), "claimTimeout").hint);
  assert.match(hint(clock), /time for this turn is up/);
  assert.match(hint(dry), /waiting player’s whole deposit has streamed back/);
  const noticesJson = (board, me) => JSON.stringify(notices(context(board, me)));
  assert.match(
    noticesJson(clock, ANN),
    /2 wei of Lucid Dunlin’s deposit goes back to them every second. You lose when your clock runs out/,
  );
  assert.match(noticesJson(dry, ANN), /they have it all back, and you lose/);
  assert.match(
    noticesJson(clock, BOB),
    /2 wei of your deposit comes back to you every second. Able Dotterel loses when the clock runs out/,
  );
  assert.match(noticesJson(dry, BOB), /you have it all back, and Able Dotterel loses/);
});

test("a call contains the ply, and a player who joins accepts the board's terms", () => {
  const call = (board, name) => args(context(board), named(name), {});
  assert.deepEqual(call(playing(), "makeMove"), { ply: 4 });
  assert.deepEqual(call(playing(), "passMove"), { ply: 4 });
  const terms = { stake: "60", rate: "1", clock: 90 };
  const near = { ...open(), ...terms, setup: 3, ruleset: "near" };
  assert.deepEqual(call(near, "join"), { cubes: 3, ruleset: 0, token: ZeroAddress, ...terms });
  const board = { ...near, setup: 1, ruleset: "board", token: EVE };
  assert.deepEqual(call(board, "join"), { cubes: 1, ruleset: 1, token: EVE, ...terms });
  assert.deepEqual(call({}, "create"), { rematchOf: 0 });
  assert.deepEqual(call(playing(), "resign"), {});
});

test("the sheet's example is right: 1000 each, 2 per second, and 10 s, 30 s and 5 s of thinking", () => {
  const staked = (more) => playing({ stake: "1000", rate: "2", ...more });
  // Ann's turn starts at second 1000, Bob's turn at 1010, and Ann's next turn at 1040. She wins at
  // 1045.
  const first = staked({});
  assert.deepEqual([streamedTo(first, 0, 1004), streamedTo(first, 1, 1004)], [0n, 8n]);
  const second = staked({ mover: BOB, turnStart: 1010, players: players([0, 10]) });
  assert.deepEqual([streamedTo(second, 0, 1040), streamedTo(second, 1, 1040)], [60n, 20n]);
  assert.deepEqual([withdrawable(second, 0, 1040), withdrawable(second, 1, 1040)], [60n, 20n]);
  const end = staked({ status: "finished", winner: ANN, mover: undefined, players: players([30, 15]) });
  assert.deepEqual([withdrawable(end, 0, 9999), withdrawable(end, 1, 9999)], [1970n, 30n]);
  const taken = { ...end, players: players([30, 15], ["60", "30"]) };
  assert.deepEqual([withdrawable(taken, 0, 9999), withdrawable(taken, 1, 9999)], [1910n, 0n]);
});

test("a stream stops at exactly the deposit, and is empty before its start", () => {
  const stream = { amount: 5n, rate: 3n, since: 100, cap: 10n ** 18n + 1n };
  assert.deepEqual(
    [0, 100, 101, 101.9].map((time) => streamedAmount(stream, time)),
    [5n, 5n, 8n, 8n],
  );
  assert.equal(streamedAmount({ ...stream, rate: 10n ** 18n }, 102), 10n ** 18n + 1n);
  assert.equal(streamedAmount({ ...stream, since: 0 }, 1e9), 5n);
  const board = playing({ stake: "100", rate: "7", players: players([0, 14]) });
  assert.deepEqual(
    [1000, 1001, 2000].map((time) => streamedTo(board, 1, time)),
    [98n, 100n, 100n],
  );
});

test("a draw and a cancelled match return the deposits", () => {
  const draw = playing({ stake: "1000", rate: "2", status: "finished", mover: undefined, players: players([30, 15]) });
  assert.deepEqual([withdrawable(draw, 0, 1), withdrawable(draw, 1, 1)], [1000n, 1000n]);
  const cancelled = { ...draw, status: "cancelled", players: { [ANN]: players()[ANN] } };
  assert.deepEqual(withdrawable(cancelled, 0, 1), 1000n);
  assert.deepEqual(withdrawable({ ...draw, status: "open" }, 0, 1), 0n);
});

test("the list of players shows cubes and streams and, at the end, possible withdrawals", () => {
  const staked = { stake: "1000", rate: "2", token: EVE };
  const [ann, bob] = seats(playing({ ...staked, players: players([5, 7]) }));
  assert.deepEqual([ann.note, bob.note], ["2 of 2 cubes left", "2 of 2 cubes left"]);
  const stream = { rate: 2n, cap: 1000n, token: EVE };
  assert.deepEqual(ann.stream, { ...stream, amount: 10n, since: 0, key: "deblockle.stream.waits" });
  assert.deepEqual(bob.stream, { ...stream, amount: 14n, since: 1000, key: "deblockle.stream.flows" });
  assert.equal(seats(playing())[0].stream, undefined);
  const end = { ...staked, status: "finished", winner: ANN, mover: undefined };
  const [won, lost] = seats(playing({ ...end, players: players([5, 7], ["0", "14"]) }));
  assert.deepEqual([won.stream.amount, won.stream.key], [1986n, "deblockle.stream.due"]);
  assert.deepEqual([lost.stream.amount, lost.stream.key], [14n, "deblockle.stream.taken"]);
  assert.ok(anyTime.includes("withdraw"));
  const { label } = buttonText(context(playing({ ...end, players: players([5, 7]) })), "withdraw");
  assert.equal(translate(label), "Withdraw 1986 wei");
});

const way = { player: ANN, fromX: 3, fromY: 7, toX: 3, toY: 6 };
const SENTENCES = [
  ["Rolled", { ...way, up: 4 }, ["Able Dotterel rolled from c7 to c6: Hoops on top"]],
  ["Hopped", way, ["Able Dotterel hopped from c7 to c6"]],
  ["Removed", { player: ANN, cube: 0, left: 3 }, ["Able Dotterel brought a cube home: 3 left"]],
  ["Passed", { player: ANN, phase: 0 }, ["Able Dotterel passed"]],
  ["Passed", { player: ANN, phase: 1 }, ["Able Dotterel skipped the hop"]],
  ["TurnChanged", { player: ANN, rolls: 3 }, []],
  ["TurnChanged", { player: ANN, rolls: 0 }, ["Able Dotterel can’t roll"]],
  ["Streamed", { player: ANN, total: 0 }, []],
  ["Streamed", { player: ANN, total: 3 }, ["Able Dotterel has got 0.3 ETH back so far"]],
  ["Streamed", { player: ANN, total: 99 }, ["Able Dotterel has got 1 ETH back so far"]],
  [
    "Withdrawn",
    { account: ANN, token: ZeroAddress, amount: "1500000000000000000" },
    ["Able Dotterel withdrew 1.5 ETH"],
  ],
  ["Withdrawn", { account: ANN, token: EVE, amount: "7" }, ["Able Dotterel withdrew 7 units of 0x90F7…b906"]],
  ["GameCreated", { cubes: 2, ruleset: 1, token: ZeroAddress, stake: "0", rate: "0" }, ["2 cubes each, classic rules"]],
  [
    "GameCreated",
    { cubes: 1, ruleset: 0, token: ZeroAddress, stake: "10000000000000000", rate: "1000000000000" },
    ["1 cube each, free rules", "Stake: 0.01 ETH per player. 0.000001 ETH per second streams back"],
  ],
  ["MatchEnded", { winner: ANN, reason: 1 }, ["Able Dotterel won: all cubes are home"]],
];
const staked = playing({ stake: String(10n ** 18n), rate: String(10n ** 17n) });
for (const [name, given, expected] of SENTENCES)
  test(`the list of moves describes ${name} as: ${expected.join("; ") || "nothing"}`, () =>
    assert.deepEqual(
      sentences({ name, args: given }, staked).map(({ text }) => text),
      expected,
    ));

test("the meaning of Star off its square depends on the face", () => {
  assert.match(
    t("deblockle.error.StarOffSquare", { up: 1, x: 3, y: 3 }),
    /^If Star comes up on top, the cube must roll onto your/,
  );
  assert.match(
    t("deblockle.error.StarOffSquare", { up: 4, x: 4, y: 2 }),
    /can roll onto your star square only if Star comes up/,
  );
});

test("inputs that aren't valid together show the allowed values", () => {
  const why = (values) => {
    const found = whyTyped(context({}), { name: "create" }, { token: ZeroAddress, clock: 60, ...values });
    return found && translate(found);
  };
  assert.equal(why({ stake: 0n, rate: 0n, clock: 0 }), null);
  assert.equal(why({ stake: 600n, rate: 10n }), null);
  assert.match(why({ stake: 0n, rate: 1n }), /set the rate to 0/);
  assert.match(why({ stake: 600n, rate: 10n, clock: 0 }), /choose a clock of at least a minute per turn/);
  assert.match(why({ stake: 600n, rate: 0n }), /The limit is 10 wei per second/);
  assert.match(why({ stake: 600n, rate: 11n }), /at most 10 wei per second/);
  assert.equal(whyTyped(context({}), { name: "join" }, {}), null);
});

test("between two events of a transaction, nobody is shown as stuck", () => {
  const headline = (board) => translate(turnText(board, BOB));
  assert.equal(headline({ ...playing(), mover: undefined, moves: {} }), "The game begins");
  assert.match(headline(playing({ moves: {}, last: { kind: "pass", by: ANN } })), /^Able Dotterel’s turn is over/);
  assert.match(
    translate(turnText(playing({ moves: {}, last: { kind: "pass", by: BOB } }), ANN)),
    /None of your cubes can roll/,
  );
});
