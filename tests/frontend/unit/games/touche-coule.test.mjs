// Tests Touché Coulé's renderer with boards from the indexer: sentences about events, the reasons
// why an action is impossible, and maps of shots.
import assert from "node:assert/strict";
import { test } from "node:test";

import { byTransaction } from "../../../../frontend-static/views/match/feed.js";
import {
  args,
  describe,
  form,
  hasInput,
  isOffered,
  picture,
  seats,
  select,
  sentences,
  turnText,
  why,
} from "../../../../frontend-static/games/touche-coule/renderer.js";
import { shotsOf } from "../../../../frontend-static/games/touche-coule/event-texts.js";
import { mapOf } from "../../../../frontend-static/games/touche-coule/ships.js";
import { translate } from "../../../../frontend-static/i18n/translate.js";
import { gameTexts } from "../../node/texts.mjs";
import { nameCompanions } from "../../../../frontend-static/names/names.js";

await gameTexts("touche-coule");

const ANN = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const BOB = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const EVE = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const word = (...bits) =>
  `0x${bits
    .reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n)
    .toString(16)
    .padStart(64, "0")}`;
const ship = (owner, x, y, more = {}) => ({ owner, x, y, afloat: true, ready: 5, fired: {}, ...more });

const playing = () => ({
  status: "playing",
  ply: 3,
  width: 7,
  height: 4,
  captains: false,
  anchor: 20,
  deadline: 90_000,
  afloat: 4,
  players: { [ANN]: { seat: 0, ships: [1, 2] }, [BOB]: { seat: 1, ships: [3, 4] } },
  ships: {
    1: ship(ANN, 0, 0, { ally: 2, fired: { 0: word(5, 27) } }),
    2: ship(ANN, 6, 3, { ally: 1 }),
    3: ship(BOB, 2, 1, { ally: 4 }),
    4: ship(BOB, 3, 2, { ally: 3 }),
  },
});
const open = (players, ships) => ({
  ...playing(),
  status: "open",
  ply: 0,
  anchor: 0,
  deadline: 0,
  players,
  ships,
  afloat: Object.keys(ships).length,
});
const view = (board, more = {}) => ({
  match: "touche-coule/1",
  board,
  me: ANN,
  ownAccounts: new Set([ANN]),
  selected: 0,
  head: { height: 30, hash: "0x", time: 0 },
  now: 1000,
  pending: [],
  draft: { state: {}, change: () => {} },
  ...more,
});
const action = (name, signature = `${name}(uint48)`) => ({
  name,
  signature,
  label: name,
  inputs: [],
  gas: { base: 1 },
});
const because = (seen, name) => {
  const found = why(seen, action(name));
  return found && translate(found);
};
const event = (seq, name, args, tx = "0xt") => ({ seq, name, args, tx, block: 9, hash: "0xh", time: 0 });
const feedTexts = (events, board) =>
  byTransaction(events).flatMap((group) =>
    group.flatMap((one) => sentences(one, board, group).map(({ text }) => text)),
  );

test("a volley is described by what the same transaction sank, also on a rectangular board", () => {
  const fired = event(8, "Fired", { shots: "0x00100900301b" });
  const sunk = event(9, "Touched", { ship: 3, x: 2, y: 1, by: 1 });
  assert.deepEqual(feedTexts([sunk, fired], playing()), [
    "Able Dotterel’s ship 1 fired at C2: hit",
    "Lucid Dunlin’s ship 3 fired at G4: miss",
    "Ship 1 sank Lucid Dunlin’s ship 3 at C2",
  ]);
});

test("a shot is drawn from where it was fired, not from where its ship has sailed since", () => {
  const volley = { turn: 2, shots: { 1: 9, 3: 27 }, sunk: [] };
  const from = (moved) =>
    picture(view({ ...playing(), volley, ships: { ...playing().ships, 1: ship(ANN, 0, 0, moved) } })).lines.map(
      (line) => line.from,
    );
  assert.deepEqual(from({ ready: 7 }), [0, 9], "before the volley");
  assert.deepEqual(from({ ready: 8 }), [9], "after the volley at ply 3");
});

test("with only the own ships visible, no line and no shell starts from an opponent's ship", () => {
  const volley = { turn: 2, shots: { 1: 9, 3: 27 }, sunk: [] };
  const starts = (sea) => {
    const { lines, marks } = picture(view({ ...playing(), volley }, { draft: { state: { sea }, change: () => {} } }));
    return [lines.map(({ from }) => from), marks.map(({ from }) => from)];
  };
  assert.deepEqual(starts("all"), Array(2).fill([0, 9]));
  assert.deepEqual(starts("own"), [[0], [0, undefined]]);
});

test("only misses may be folded", () => {
  const fired = event(8, "Fired", { shots: "0x00100900301b" });
  const sunk = event(9, "Touched", { ship: 3, x: 2, y: 1, by: 1 });
  assert.deepEqual(
    [fired, sunk].flatMap((one) => sentences(one, playing(), [fired, sunk])).map(({ minor }) => Boolean(minor)),
    [false, true, false],
  );
});

test("a shot is encoded as 12 bits for the ship and 12 bits for the cell", () => {
  assert.deepEqual(shotsOf("0x001fff100000"), [
    { ship: 1, cell: 4095 },
    { ship: 256, cell: 0 },
  ]);
  assert.deepEqual(shotsOf("0x"), []);
});

const SENTENCES = [
  [
    "MatchCreated",
    { creator: ANN, opponent: `0x${"0".repeat(40)}`, clock: 0, rematchOf: 0 },
    "Able Dotterel opened the game",
  ],
  ["Size", { width: 7, height: 4, captains: false }, "The sea is 7 by 4 squares"],
  ["Size", { width: 7, height: 4, captains: true }, "The sea is 7 by 4 squares. Captains are allowed"],
  ["PlayerJoined", { player: BOB, seat: 1 }, "Lucid Dunlin joined"],
  [
    "Registered",
    { ship: 3, owner: BOB, x: 2, y: 1, captain: `0x${"0".repeat(40)}` },
    "Lucid Dunlin placed ship 3 at C2",
  ],
  [
    "Registered",
    { ship: 3, owner: BOB, x: 2, y: 1, captain: ANN },
    "Lucid Dunlin placed ship 3 at C2, with Able Dotterel as captain",
  ],
  ["MatchStarted", {}, "The battle begins"],
  ["Fired", { shots: "0x" }, "No ship fired"],
  [
    "Moved",
    { ship: 1, owner: ANN, fromX: 0, fromY: 0, x: 1, y: 2, entropyBlock: 4, seed: "0x" },
    "Able Dotterel’s ship 1 sailed from A1 to B3",
  ],
  ["Communicated", { owner: ANN, a: 1, b: 2 }, "Able Dotterel’s ships 1 and 2 shared their maps"],
  ["TurnPlayed", { by: ANN, turnNo: 2, entropyBlock: 4, seed: "0x" }, "Turn 2, started by Able Dotterel"],
  ["MatchEnded", { winner: ANN, reason: 1 }, "Able Dotterel won"],
  ["MatchEnded", { winner: `0x${"0".repeat(40)}`, reason: 2 }, "A draw: no ship is left afloat"],
  ["MatchEnded", { winner: `0x${"0".repeat(40)}`, reason: 6 }, "Cancelled: nobody played for a day"],
  ["SomethingNew", { a: 1 }, "SomethingNew"],
];
for (const [name, args, text] of SENTENCES)
  test(`${name}: ${text}`, () => assert.deepEqual(feedTexts([event(1, name, args)], playing()), [text]));

test("each group is one transaction, with the newest group first and the events in chain order", () => {
  const events = [event(3, "C", {}, "0xb"), event(1, "A", {}, "0xa"), event(2, "B", {}, "0xa")];
  assert.deepEqual(
    byTransaction(events).map((group) => group.map(({ name }) => name)),
    [["C"], ["A", "B"]],
  );
});

test("a map has the four codes, and live positions win over remembered bits", () => {
  const board = playing();
  board.ships[1].fired = { 0: word(0, 5, 27) };
  const codes = [...mapOf(board, 1)];
  assert.deepEqual([codes[0], codes[5], codes[27], codes[9], codes.length], [1, 2, 3, 0, 28]);
  board.ships[2].afloat = false;
  assert.equal(mapOf(board, 1)[27], 2, "an ally's ship that was sunk is only a cell that was fired at");
});

test("a map can have more than one word", () => {
  const board = { ...playing(), width: 64, height: 64 };
  board.ships[1].fired = { 1: word(0), 15: word(255) };
  const codes = mapOf(board, 1);
  assert.deepEqual([codes[256], codes[4095], codes[255]], [2, 2, 0]);
});

const alone = open({ [ANN]: { seat: 0, ships: [1] } }, { 1: ship(ANN, 0, 0) });
const two = open(playing().players, playing().ships);
const sunk = playing();
sunk.ships[1].afloat = sunk.ships[2].afloat = false;
const fresh = playing();
fresh.ships[1].fired = {};
const allied = playing();
allied.ships[2].fired = { 0: word(5) };
allied.ships[1].fired = { 0: word(5, 27) };
const ready = { ...playing(), ply: 5 };
const turnUnderWay = [{ action: "turn", account: BOB }];

const REASONS = [
  ["register", view(alone), null],
  ["register", view(two), "You’ve already placed your 2 ships."],
  ["register", view(alone, { pending: [{ action: "register", account: ANN }] }), "This is already being sent."],
  ["register", view(alone, { pending: [{ action: "register", account: BOB }] }), null],
  ["register", view(playing()), "Nobody can join after the first turn."],
  ["register", view(open({ [BOB]: { seat: 0, ships: [1, 2] } }, { 1: ship(BOB, 0, 0), 2: ship(BOB, 1, 0) })), null],
  ["register", view({ ...open({}, {}), width: 2, height: 2, afloat: 4 }), "There is a ship on every square."],
  ["turn", view(alone, { me: BOB }), "Put a ship to sea first."],
  ["turn", view(alone), "The first turn can start when two players have ships. So far: 1."],
  ["turn", view(two), null],
  ["turn", view(playing()), null],
  ["turn", view(playing(), { me: "0xother" }), "You have no ship in this game."],
  ["turn", view(sunk), "All your ships are sunk."],
  [
    "turn",
    view(playing(), { head: { height: 20, hash: "", time: 0 } }),
    "This turn is still being decided. Wait a moment.",
  ],
  ["turn", view(playing(), { head: { height: 21, hash: "", time: 0 } }), null],
  ["turn", view(playing(), { pending: turnUnderWay }), "This is already being sent."],
  ["changePosition", view(two), "You can do this after the first turn."],
  ["changePosition", view(playing()), "Your ships can move again in 2 turns."],
  ["changePosition", view({ ...playing(), ply: 4 }), "Your ships can move again in 1 turn."],
  ["changePosition", view(ready), null],
  ["changePosition", view({ ...ready, afloat: 28 }), "There is a ship on every square."],
  [
    "changePosition",
    view(ready, { head: { height: 20, hash: "", time: 0 } }),
    "This turn is still being decided. Wait a moment.",
  ],
  ["communicate", view(two), "You can do this after the first turn."],
  ["communicate", view(playing()), null],
  ["communicate", view(fresh), "Your ships have nothing new to share."],
  ["communicate", view(allied), "Your ships have nothing new to share."],
  [
    "communicate",
    view({ ...playing(), ships: { ...playing().ships, 2: { ...ship(ANN, 6, 3), captain: BOB, fired: undefined } } }),
    "You need two standard ships afloat.",
  ],
  ["expire", view(playing()), "You can do this in 24 hr if nobody plays."],
  ["expire", view(playing(), { now: 90_000 }), null],
];
for (const [name, seen, text] of REASONS)
  test(`the reason against ${name} in the status "${seen.board.status}" at ply ${seen.board.ply} is: ${text ?? "none"}`, () =>
    assert.equal(because(seen, name), text));

test("captains and expiry are offered where they can be used", () => {
  const captain = action("register", "register(uint48,address)");
  const draft = { state: { captain: BOB }, change: () => {} };
  const offered = (board, more) => {
    const seen = view(board, { me: EVE, ...more });
    return [isOffered(seen, action("register")), isOffered(seen, captain)];
  };
  assert.deepEqual(offered(two, { draft }), [true, false], "no captain may take part");
  assert.deepEqual(offered({ ...two, captains: true }), [true, false], "no captain is chosen");
  assert.deepEqual(offered({ ...two, captains: true }, { draft }), [false, true]);
  assert.deepEqual(offered({ ...playing(), captains: true }, { draft }), [false, false]);
  assert.deepEqual(
    [isOffered(view(playing()), action("expire")), isOffered(view(playing(), { now: 90_000 }), action("expire"))],
    [false, true],
  );
});

test("a player chooses no captain, a ready one, or any by its address", () => {
  const aim = { name: "AimCaptain", address: BOB, codeHash: "" };
  const sea = { ...two, captains: true };
  const draft = { state: {}, change: () => {} };
  const seen = view(sea, { me: EVE, draft, companions: [aim] });
  const captain = action("register", "register(uint48,address)");
  const choices = () =>
    form(seen, captain)
      .children.filter(({ tag }) => tag === "label")
      .map(({ children: [{ props }] }) => props);
  const choose = (id) =>
    choices()
      .find((one) => one.id === id)
      .onchange();
  assert.deepEqual(
    choices().map(({ id, checked }) => [id, checked]),
    [
      ["captain-none", true],
      ["captain-AimCaptain", false],
      ["captain-other", false],
    ],
  );
  choose("captain-AimCaptain");
  assert.deepEqual(args(seen, captain), { captain: BOB });
  assert.equal(hasInput(seen, "register-captain"), false);
  assert.equal(turnText(sea, EVE, seen).args.action, "Put a captain to sea");
  choose("captain-other");
  assert.deepEqual(args(seen, captain), {}, "the player types the captain's address");
  assert.equal(hasInput(seen, "register-captain"), true);
  choose("captain-none");
  assert.equal(isOffered(seen, action("register")), true);
  assert.equal(form(view(two), action("register")), null);
});

test("a captain is named in its decisions, and the player's own captain is never folded", () => {
  const address = `0x${"ca".repeat(20)}`; // a captain's address, which no player in any test has
  nameCompanions({ slug: "touche-coule", companions: [{ name: "AimCaptain", address, codeHash: "" }] });
  const board = playing();
  board.ships[1] = { ...board.ships[1], captain: address, fired: undefined };
  const fired = event(8, "Fired", { shots: "0x00100900301b" });
  assert.deepEqual(feedTexts([fired], board), [
    "Able Dotterel’s ship 1 (captain: Aim captain) fired at C2: miss",
    "Lucid Dunlin’s ship 3 fired at G4: miss",
  ]);
  const folded = (me) => sentences(fired, board, [fired], me).map(({ minor }) => minor);
  assert.deepEqual(
    [folded(ANN), folded(BOB)],
    [
      [false, true],
      [true, true],
    ],
  );
});

test("a pending move is drawn with dashes where it happens", () => {
  const pending = (more, board = playing()) =>
    picture(view(board, { pending: [more] }))
      .pieces.filter(({ pending: dashed }) => dashed)
      .map(({ id }) => id);
  assert.deepEqual(pending({ action: "turn", account: BOB }), ["ship-1", "ship-2", "ship-3", "ship-4"]);
  assert.deepEqual(pending({ action: "communicate", account: BOB }), ["ship-3", "ship-4"]);
  assert.deepEqual(pending({ action: "changePosition", account: ANN }, ready), ["ship-1", "ship-2"]);
});

test("cells are described in words", () => {
  assert.equal(describe(view(playing()), 0), "A1, your ship 1");
  assert.equal(describe(view(playing()), 9), "C2, Lucid Dunlin’s ship 3");
  assert.equal(describe(view(playing(), { selected: 1 }), 5), "F1, fired at");
  assert.equal(describe(view(playing()), 5), "F1, water");
});

test("a press selects only an own ship that is afloat, and a second press unselects it", () => {
  assert.deepEqual(
    [0, 9, 5].map((cell) => select(view(playing()), cell)),
    [1, 0, 0],
  );
  assert.equal(select(view(playing(), { selected: 1 }), 0), 0);
  assert.equal(select(view(sunk), 0), 0);
});

test("seats are in order and include players who are out", () => {
  assert.deepEqual(
    seats(sunk).map(({ address, alive }) => [address, alive]),
    [
      [ANN, false],
      [BOB, true],
    ],
  );
});
