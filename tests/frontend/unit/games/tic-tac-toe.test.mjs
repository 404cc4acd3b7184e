// Tests Tic-tac-toe's renderer with boards from the indexer: pictures, clicks, sentences about
// events, and the reasons why a move is impossible.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { explain } from "../../../../frontend-static/chain/tx/revert-reason.js";
import { byTransaction } from "../../../../frontend-static/views/match/feed.js";
import {
  args,
  badge,
  buttonText,
  describe,
  isOffered,
  notices,
  picture,
  press,
  seats,
  sentences,
} from "../../../../frontend-static/games/tic-tac-toe/renderer.js";
import { Interface } from "ethers";
import { CROSS, RING } from "../../../../frontend-static/layouts/shapes.js";
import { translate } from "../../../../frontend-static/i18n/translate.js";
import { gameTexts } from "../../node/texts.mjs";

await gameTexts("tic-tac-toe");

const ANN = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const BOB = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const EVE = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const both = { [ANN]: { seat: 0 }, [BOB]: { seat: 1 } };
/** Return a board on which A1 is Ann's X, B2 is Bob's O, and Ann must move. */
const playing = (more = {}) => ({
  status: "playing",
  ply: 2,
  clock: 60,
  deadline: 1060,
  creator: ANN,
  players: both,
  mover: ANN,
  width: 3,
  height: 3,
  cells: { 0: 1, 4: 2 },
  last: 4,
  ...more,
});
const open = (more = {}) => ({
  ...playing(),
  status: "open",
  ply: 0,
  players: { [ANN]: { seat: 0 } },
  mover: undefined,
  deadline: 0,
  cells: {},
  last: undefined,
  ...more,
});
const over = (more = {}) => ({
  ...playing(),
  status: "finished",
  reason: "won",
  winner: ANN,
  mover: undefined,
  deadline: 0,
  ply: 5,
  cells: { 0: 1, 1: 1, 2: 1, 3: 2, 4: 2 },
  last: 2,
  line: [0, 1, 2],
  ...more,
});
const view = (board, more = {}) => ({
  match: "tic-tac-toe/1",
  board,
  me: ANN,
  ownAccounts: new Set([ANN]),
  selected: 0,
  head: null,
  now: 1000,
  pending: [],
  draft: { state: {}, change: () => {} },
  ...more,
});
const action = (name) => ({ name, signature: `${name}()`, label: name, inputs: [], gas: { base: 1 } });
const under = (name, account = ANN, cell = undefined) => [{ action: name, account, cell, id: 1, state: "sent" }];
const event = (seq, name, given, tx = "0xt") => ({ seq, name, args: given, tx, block: 9, hash: "0xh", time: 0 });
const feedTexts = (events) =>
  byTransaction(events).flatMap((group) =>
    group.flatMap((one) => sentences(one, playing(), group).map(({ text }) => text)),
  );

const abi = JSON.parse(
  readFileSync(new URL("../../../../contracts/artifacts/TicTacToe.json", import.meta.url), "utf8"),
).abi;
const contract = new Interface(abi);
const [OPEN, PLAYING, FINISHED, CANCELLED] = [1, 2, 3, 4];
/**
 * The texts that a player reads for the contract's errors. The tests of the contract check the
 * calls that cause each error.
 */
const REFUSALS = [
  ["NotInvited", [1, EVE, BOB], "This seat is reserved for Lucid Dunlin."],
  ["SamePlayer", [ANN], "One player can’t take both sides."],
  ["WrongStatus", [1, PLAYING, OPEN], "The game has already begun."],
  ["WrongStatus", [1, OPEN, PLAYING], "The game begins when a second player joins."],
  ["WrongStatus", [1, FINISHED, PLAYING], "The game is over."],
  ["WrongStatus", [1, CANCELLED, FINISHED], "The game is over."],
  ["NotAPlayer", [1, EVE], "You’re not playing in this game."],
  ["NotYourTurn", [1, BOB, ANN], "It’s Able Dotterel’s turn."],
  ["StaleMove", [3, 2], "The game is now at move 3; your move was for move 2."],
  ["CellTaken", [1, 1], "This square is taken."],
  ["RematchExists", [1, 7], "This game already has a rematch: number 7."],
  ["AlreadyOffered", [1], "There is already an offer to start over."],
  ["NoOffer", [1], "Your opponent has no open offer to start over."],
  ["NotExpired", [1000, 1060], "There’s still time for the move."],
  ["NoClock", [1], "This game has no clock."],
];
for (const [name, given, text] of REFUSALS)
  test(`${name}: ${text}`, () => {
    const explained = explain({ data: contract.encodeErrorResult(name, given) }, abi, "tic-tac-toe");
    assert.equal(translate(explained.sentence), text);
    assert.equal(explained.small, `${name}(${given.join(", ")})`);
  });

test("a press sends the row and the column, and a move that depends on the position sends the ply", () => {
  assert.deepEqual(
    [0, 5, 7].map((cell) => press(view(playing()), cell).args),
    [
      { row: 0, column: 0 },
      { row: 1, column: 2 },
      { row: 2, column: 1 },
    ],
  );
  assert.deepEqual(
    ["move", "acceptRestart", "resign"].map((name) => args(view(playing()), action(name))),
    [{ ply: 2 }, { ply: 2 }, {}],
  );
});

test("each player has the buttons that make sense", () => {
  const names = ["accept", "move", "rematch", "offerRestart", "acceptRestart", "close", "resign"];
  const buttons = (board, me = ANN) => names.filter((name) => isOffered(view(board, { me }), action(name)));
  assert.deepEqual(buttons(open()), ["close"]);
  assert.deepEqual(buttons(open(), BOB), ["accept"]);
  assert.deepEqual(buttons(playing()), ["offerRestart", "resign"]);
  assert.deepEqual(buttons(playing({ offer: { by: BOB, ply: 2 } })), ["acceptRestart", "resign"]);
  assert.deepEqual(buttons(playing({ offer: { by: ANN, ply: 2 } })), ["resign"]);
  assert.deepEqual(buttons(playing(), EVE), []);
  assert.deepEqual(buttons(over()), ["rematch"]);
  assert.deepEqual(buttons(over({ rematch: 2 })), []);
  assert.deepEqual(buttons(over(), EVE), []);
});

test("a player who joins sees a text about the clock only if there is a clock", () => {
  const hint = (clock, kind = "accept") => buttonText(view({ status: "open", clock }), kind).hint?.key;
  assert.equal(hint(60), undefined, "as ever");
  assert.equal(hint(0), "tic-tac-toe.hint.accept-untimed");
  assert.doesNotMatch(translate({ key: String(hint(0)) }), /clock/);
  assert.equal(hint(0, "close"), undefined);
});

test("the marks are a cross and a ring, each in its colour, and the last move is marked", () => {
  const drawn = picture(view(playing()));
  assert.deepEqual(
    drawn.pieces.map(({ cell, shape, pending }) => [cell, shape, pending]),
    [
      [0, CROSS, false],
      [4, RING, false],
    ],
  );
  assert.notEqual(drawn.pieces[0].colour, drawn.pieces[1].colour);
  assert.deepEqual([drawn.fields, drawn.lines], [[{ cell: 4, kind: "last", shape: "corner" }], []]);
  assert.deepEqual([badge(0).shape, badge(1).shape], [CROSS, RING]);
});

test("a pending move is shown as its player's mark", () => {
  const seen = (board) =>
    picture(view(board, { pending: under("move", ANN, 8) })).pieces.map(({ cell, shape, pending }) => [
      cell,
      shape,
      pending,
    ]);
  assert.deepEqual(seen(playing()).at(-1), [8, CROSS, true]);
  assert.deepEqual(
    seen(playing({ cells: { 8: 1 } })),
    [[8, CROSS, false]],
    "the move is on the board, so there is one mark, not two",
  );
});

test("the winning line is shown, or both lines if there are two", () => {
  const lines = (line) => picture(view(over({ line }))).lines.map(({ from, to }) => [from, to]);
  assert.deepEqual(lines([0, 1, 2]), [[0, 2]]);
  assert.deepEqual(lines([0, 2, 4, 6, 8]), [
    [0, 8],
    [2, 6],
  ]);
  assert.deepEqual(lines([0, 1, 2, 4, 7]), [
    [0, 2],
    [1, 7],
  ]);
  assert.deepEqual(
    picture(view(over())).fields.map(({ cell, kind }) => [cell, kind]),
    [
      [0, "line"],
      [1, "line"],
      [2, "line"],
    ],
  );
});

test("cells are described in words", () => {
  const description = (board, cell, me = ANN) => describe(view(board, { me }), cell);
  assert.equal(description(playing(), 0), "A1, your X");
  assert.equal(description(playing(), 4), "B2, Lucid Dunlin’s O, last move");
  assert.equal(description(playing(), 0, EVE), "A1, Able Dotterel’s X");
  assert.equal(description(playing(), 8), "C3, empty");
  assert.equal(description(over(), 1), "B1, your X, in the winning row");
});

test("each player's mark is shown", () => {
  assert.deepEqual(
    seats(playing({ players: { [BOB]: { seat: 1 }, [ANN]: { seat: 0 } } })).map(({ address, note }) => [address, note]),
    [
      [ANN, "X"],
      [BOB, "O"],
    ],
  );
});

test("an offer to start over is shown to both players, and disappears with the match", () => {
  const text = (board, me = ANN) => notices(view(board, { me }))?.children[0] ?? null;
  const offered = playing({ offer: { by: BOB, ply: 2 } });
  assert.equal(text(offered), "Lucid Dunlin offers to start over. The offer ends with the next move.");
  assert.equal(text(offered, BOB), "You offered to start over. The offer ends with the next move.");
  assert.deepEqual([text(playing()), text(over())], [null, null]);
});

const NOBODY = `0x${"0".repeat(40)}`;
const SENTENCES = [
  ["MatchCreated", { creator: ANN, opponent: NOBODY, clock: 60, rematchOf: 0 }, "Able Dotterel opened the game"],
  [
    "MatchCreated",
    { creator: ANN, opponent: BOB, clock: 60, rematchOf: 0 },
    "Able Dotterel opened the game for Lucid Dunlin",
  ],
  ["PlayerJoined", { player: BOB, seat: 1 }, "Lucid Dunlin plays O"],
  ["MatchStarted", {}, "The game begins: X moves first"],
  ["Moved", { ply: 0, by: ANN, row: 1, column: 2, mark: 1 }, "Able Dotterel put X on C2"],
  ["GameWon", { winner: ANN, line: 0b100_010_001 }, "Three in a row: A1, B2, C3"],
  ["RestartOffered", { by: BOB, ply: 1 }, "Lucid Dunlin offered to start over"],
  ["RematchOpened", { by: BOB, rematch: 4 }, "Lucid Dunlin offers a rematch: game 4"],
  ["MatchEnded", { winner: ANN, reason: 1 }, "Able Dotterel won"],
  ["MatchEnded", { winner: NOBODY, reason: 2 }, "A draw: the board is full"],
  ["MatchEnded", { winner: ANN, reason: 3 }, "Able Dotterel won: the opponent resigned"],
  ["MatchEnded", { winner: ANN, reason: 4 }, "Able Dotterel won on time"],
  ["MatchEnded", { winner: NOBODY, reason: 6 }, "Cancelled before anyone joined"],
];
for (const [name, given, text] of SENTENCES)
  test(`${name}: ${text}`, () => assert.deepEqual(feedTexts([event(1, name, given)]), [text]));

test("a restart on which both players agreed is not shown as a cancelled match", () => {
  const agreed = [
    event(5, "MatchEnded", { winner: NOBODY, reason: 6 }),
    event(6, "RematchOpened", { by: BOB, rematch: 4 }),
  ];
  assert.deepEqual(feedTexts(agreed), ["Both agreed to stop: nobody wins", "Started over as game 4"]);
});
