// Tests Battleship's renderer: turns, the reasons why an action is impossible, automatic answers,
// and reveals.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import {
  afterEnd,
  args,
  autoMove,
  awaitsPlayer,
  describe,
  endSummary,
  isOffered,
  needsSecondPress,
  notices,
  picture,
  prepare,
  press,
  confirmationBefore,
  seats,
  sentences,
  turnText,
  why,
} from "../../../../../frontend-static/games/battleship/renderer.js";
import { fleetDraft } from "../../../../../frontend-static/games/battleship/draft.js";
import {
  fleetText,
  parseFleet,
  parseLegalFleet,
  tilesOf,
} from "../../../../../frontend-static/games/battleship/fleet/fleet.js";
import {
  dropped,
  movedInside,
  nudged,
  put,
  turned,
} from "../../../../../frontend-static/games/battleship/fleet/placement.js";
import { sealFleet, sealedFleet, updateFleet } from "../../../../../frontend-static/games/battleship/fleet/storage.js";
import { withdrawableStake } from "../../../../../frontend-static/games/battleship/stakes.js";
import { Interface } from "ethers";
import { setComputers } from "../../../../../frontend-static/names/computers.js";
import { translate } from "../../../../../frontend-static/i18n/translate.js";
import { gameTexts } from "../../../node/texts.mjs";
import { storageOf, useGlobals } from "../../../node/globals.mjs";

const kept = new Map();
useGlobals({ localStorage: storageOf(kept) });

await gameTexts("battleship");

const ANN = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const BOB = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const EVE = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const NOBODY = `0x${"0".repeat(40)}`;
const SHIPS = "PH0 SH9 DH18 BH27 CH36"; // the ships are on A1-B1, A2-C2, A3-C3, A4-D4 and A5-E5
const FLEET = [0, 1, 9, 10, 11, 18, 19, 20, 27, 28, 29, 30, 36, 37, 38, 39, 40];
const OTHER = `0x${"b".repeat(64)}`;

let commitment;
beforeEach(() => {
  kept.clear();
  setComputers(new Map());
  commitment = sealFleet(SHIPS, ANN, { reveal: true });
});

const shots = (tiles, answer) => Object.fromEntries(tiles.map((tile) => [tile, answer]));
/**
 * Return a board on which Bob has fired at A1. Ann has the fleet `SHIPS`, and must answer and fire.
 */
const playing = (more = {}) => ({
  status: "playing",
  phase: "shots",
  ply: 1,
  clock: 86_400,
  deadline: 90_000,
  width: 9,
  height: 11,
  stake: "0",
  withdrawn: {},
  creator: ANN,
  mover: ANN,
  players: { [ANN]: { seat: 0, shots: {} }, [BOB]: { seat: 1, shots: {} } },
  fleets: { [ANN]: { commitment }, [BOB]: { commitment: OTHER } },
  pending: { tile: 0, by: BOB },
  ...more,
});
const open = (more = {}) => ({
  status: "open",
  ply: 0,
  clock: 0,
  deadline: 0,
  width: 9,
  height: 11,
  stake: "0",
  withdrawn: {},
  creator: ANN,
  players: { [ANN]: { seat: 0, shots: {} } },
  fleets: { [ANN]: { commitment } },
  ...more,
});
const without = (board, ...keys) => Object.fromEntries(Object.entries(board).filter(([key]) => !keys.includes(key)));
const fired = (board, by, answers) => ({
  ...board,
  players: { ...board.players, [by]: { ...board.players[by], shots: answers } },
});
const reveals = (more) => without({ ...playing(), phase: "reveals", ...more }, "pending", "mover");
const view = (board, more = {}) => ({
  match: "battleship/1",
  board,
  me: ANN,
  ownAccounts: new Set([ANN]),
  selected: 0,
  head: null,
  now: 1000,
  pending: [],
  draft: { state: {}, change: () => undefined },
  formatAmount: (amount, token) => `${amount} ${token ?? "wei"}`,
  ...more,
});
const action = (name) => ({ name, signature: `${name}()`, label: name, inputs: [], gas: { base: 1 } });
const because = (seen, name, given) => {
  prepare(seen);
  const found = why(seen, action(name), given);
  return found && translate(found);
};
const texts = (tree) => (typeof tree === "string" ? tree : (tree?.children ?? []).map(texts).join(" "));
const find = (tree, test) =>
  typeof tree === "string" || !tree
    ? []
    : [...(test(tree) ? [tree] : []), ...tree.children.flatMap((child) => find(child, test))];

// ---- tests of the seats

test("seats are in order and show how many ships are left", () => {
  const board = fired(playing(), BOB, { 0: "hit", 98: "miss" });
  assert.deepEqual(
    seats(board).map(({ address, seat, note: text }) => [address, seat, text]),
    [
      [ANN, 0, "16/17 left"],
      [BOB, 1, "17/17 left"],
    ],
  );
});

test("once there is a verdict, the loser is shown according to it", () => {
  const out = (board) =>
    seats(board)
      .filter(({ alive }) => !alive)
      .map(({ address }) => address);
  assert.deepEqual(out(reveals({ cause: "won", loser: ANN })), [ANN]);
  assert.deepEqual(out({ ...playing(), status: "finished", loser: ANN, winner: ANN }), [BOB]);
  assert.deepEqual(out({ ...playing(), status: "finished", loser: ANN, winner: undefined }), [ANN]);
});

// ---- tests of the reasons why an action is impossible

const OWN = { pending: [{ action: "move", account: ANN, state: "sent" }] };
const REASONS = [
  ["invite", () => view({}, { match: "" }), null, { stake: "0", clock: 0 }],
  ["invite", () => view({}, { match: "" }), null, { stake: "0.5", clock: 60 }],
  ["invite", () => view({}, { match: "" }), null, { stake: "much", clock: 0 }],
  [
    "invite",
    () => view({}, { match: "" }),
    "If you play for stakes, choose a clock of at least 60 seconds per shot.",
    { stake: "0.5", clock: 0 },
  ],
  ["accept", () => view(open(), { me: BOB }), null],
  ["accept", () => view(open()), "You can’t join your own game."],
  ["accept", () => view(open({ opponent: EVE }), { me: BOB }), "This seat is reserved for Bright Porpoise."],
  ["accept", () => view(playing(), { me: EVE }), "The game has already begun."],
  ["decline", () => view(open({ opponent: BOB }), { me: BOB }), null],
  ["decline", () => view(open(), { me: BOB }), "Only the invited player can decline."],
  ["cancel", () => view(open()), null],
  ["cancel", () => view(open(), { me: BOB }), "Only the host can cancel this game."],
  ["move", () => view(open()), "The game begins when a second player joins.", { tile: 3 }],
  ["move", () => view(playing()), null, { tile: 3 }],
  ["move", () => view(playing()), "Choose a square in the enemy’s sea.", {}],
  ["move", () => view(playing(), { me: EVE }), "You’re not playing in this game.", { tile: 3 }],
  ["move", () => view(playing(), { me: BOB }), "It’s Able Dotterel’s turn.", { tile: 3 }],
  ["move", () => view(playing(), OWN), "This is already being sent.", { tile: 3 }],
  ["move", () => view(fired(playing(), ANN, { 3: "miss" })), "You’ve already fired at D1.", { tile: 3 }],
  ["move", () => view(reveals({ cause: "won", loser: ANN })), "The battle is over.", { tile: 3 }],
  ["surrender", () => view(playing()), null],
  ["surrender", () => view(playing({ mover: BOB })), null],
  ["surrender", () => view(playing(), { me: EVE }), "You’re not playing in this game."],
  ["surrender", () => view(reveals({ cause: "won", loser: ANN })), "The battle is over."],
  ["reveal", () => view(playing()), "The battle is still going on."],
  ["reveal", () => view(reveals({ cause: "won", loser: ANN })), null],
  [
    "reveal",
    () =>
      view(
        reveals({
          cause: "won",
          loser: ANN,
          fleets: { [ANN]: { commitment, ships: SHIPS }, [BOB]: { commitment: OTHER } },
        }),
      ),
    "Your fleet is already revealed.",
  ],
  ["claimTimeout", () => view(playing()), "There’s still time left."],
  ["claimTimeout", () => view(playing({ deadline: 0 })), "This game has no clock."],
  ["claimTimeout", () => view(playing(), { now: 90_000 }), null],
  ["withdraw", () => view({ ...playing(), status: "finished", stake: "5", winner: ANN }), null],
  [
    "withdraw",
    () => view({ ...playing(), status: "finished", stake: "5", winner: BOB }),
    "There’s nothing for you to withdraw from this game.",
  ],
  [
    "withdraw",
    () => view({ ...playing(), status: "finished", stake: "5" }, { me: EVE }),
    "You’re not playing in this game.",
  ],
];
for (const [name, seen, text, given] of REASONS)
  test(`the reason against ${name} is: ${text ?? "none"}`, () => assert.equal(because(seen(), name, given), text));

test("a player whose fleet is missing sees that, whatever action the fleet is needed for", () => {
  kept.clear();
  for (const name of ["move", "surrender"])
    assert.match(because(view(playing()), name, { tile: 3 }), /isn’t in this browser/);
  assert.match(because(view(reveals({ cause: "won", loser: ANN })), "reveal"), /isn’t in this browser/);
});

test("the draft that the page of version 0.7 stored before its reload keeps its ships", () => {
  const seen = view({}, { match: "" });
  const boats = parseFleet("PH12 SH81 DV7 BV51 CH40");
  const lifted = { letter: "P", boats };
  Object.assign(seen.draft.state, { boats, lifted, selected: "P", first: 7, reveal: false });
  const { ships, selected, first, reveal } = fleetDraft(seen);
  assert.deepEqual([fleetText(ships), selected, first, reveal], ["PH12 SH81 DV7 BV51 CH40", "P", 7, false]);
  assert.deepEqual([seen.draft.state.boats, seen.draft.state.lifted], [undefined, undefined]);
});

test("overlapping ships can't be sealed, and the text names them", () => {
  const seen = view({}, { match: "" });
  fleetDraft(seen).ships = parseFleet("PH12 SH81 DV7 BV51 CH49");
  assert.equal(because(seen, "invite"), "The battleship and the carrier overlap at G6.");
  fleetDraft(seen).ships = parseFleet("PH8 SH81 DV7 BV51 CH40");
  assert.equal(because(seen, "invite"), "Part of the patrol boat is outside the sea.");
});

const SHOWN = [
  ["Ann is waiting", () => view(open()), ["cancel"]],
  ["Bob may join", () => view(open(), { me: BOB }), ["accept"]],
  ["Bob is invited", () => view(open({ opponent: BOB }), { me: BOB }), ["accept", "decline"]],
  ["Ann must fire, which she does by a press on the board", () => view(playing()), ["surrender"]],
  ["Eve is watching", () => view(playing(), { me: EVE }), []],
  ["Ann has not revealed", () => view(reveals({ cause: "won", loser: ANN })), ["reveal"]],
  ["Ann has won a stake", () => view({ ...playing(), status: "finished", stake: "5", winner: ANN }), ["withdraw"]],
  [
    "Ann has taken her payout",
    () => view({ ...playing(), status: "finished", stake: "5", winner: ANN, withdrawn: { [ANN]: "10" } }),
    [],
  ],
];
for (const [name, seen, kinds] of SHOWN) {
  test(`the right buttons are offered when ${name}`, () =>
    assert.deepEqual(
      ["accept", "decline", "cancel", "move", "surrender", "reveal", "withdraw"].filter((kind) =>
        isOffered(seen(), action(kind)),
      ),
      kinds,
    ));
}

test("revealing or ending the match needs a second press, and payouts come after the end", () =>
  assert.deepEqual([needsSecondPress, afterEnd], [["surrender", "reveal", "decline", "cancel"], ["withdraw"]]));

// ---- tests of automatic answers

test("a press on the enemy's sea is a shot, with the true answer to the last shot", () => {
  const seen = view(playing());
  assert.deepEqual(press(seen, 99 + 50), { action: "move", args: { tile: 50 } });
  assert.deepEqual(args(seen, action("move"), { tile: 50 }), { ply: 1, answeredTile: 0, hit: true, tile: 50 });
  assert.equal(args(view(playing({ pending: { tile: 2, by: BOB } })), action("move"), { tile: 50 }).hit, false);
});

test("a press on the own sea, by a spectator or after the battle does nothing", () => {
  assert.equal(press(view(playing()), 50), null);
  assert.equal(press(view(playing(), { me: EVE }), 150), null);
  assert.equal(press(view(reveals({ cause: "won", loser: ANN })), 150), null);
});

test("before the match begins, a press chooses the first shot", () => {
  const seen = view(open(), { me: BOB });
  assert.equal(press(seen, 99 + 31), null);
  assert.equal(fleetDraft(seen).first, 31);
  const given = args(seen, action("accept"), {});
  assert.equal(given.tile, 31);
  assert.equal(sealedFleet(given.commitment).ships, fleetText(fleetDraft(seen).ships));
});

/**
 * Return a board on which Bob has hit all but one of the tiles with Ann's ships. He has just fired
 * at this last tile.
 */
const fatal = (more) =>
  fired(playing({ pending: { tile: 40, by: BOB }, ...more }), BOB, { ...shots(FLEET.slice(0, 16), "hit"), 98: "miss" });

test("only the fatal shot is answered without a shot in return", () => {
  const move = { ply: 1, answeredTile: 40, hit: true, tile: 0 };
  assert.deepEqual(autoMove(view(fatal())), { action: "move", args: move });
  assert.deepEqual(args(view(fatal()), action("move"), {}), move);
  assert.equal(because(view(fatal()), "move"), null);
  assert.equal(isOffered(view(fatal()), action("move")), true);
  assert.equal(autoMove(view(fatal({ pending: { tile: 97, by: BOB } }))), null, "a miss");
  const made = Array.from({ length: 99 }, (_, tile) => tile)
    .filter((tile) => !FLEET.includes(tile))
    .slice(0, 16);
  for (let tile = 0; tile < 99; tile++)
    assert.equal(
      autoMove(
        view(
          fired(
            playing({ pending: { tile, by: BOB } }),
            BOB,
            shots(
              made.filter((one) => one !== tile),
              "hit",
            ),
          ),
        ),
      ),
      null,
      `false hits reveal nothing about tile ${tile}`,
    );
  assert.equal(autoMove(view(playing())), null, "this hit doesn't sink the whole fleet");
  assert.equal(autoMove(view(fatal(), { me: BOB })), null, "Bob doesn't have to answer");
});

const sunk = (more) =>
  fired(reveals({ cause: "won", loser: ANN, ...more }), BOB, { ...shots(FLEET, "hit"), 98: "miss" });
const opened = (ships) => {
  const { nonce } = sealedFleet(commitment);
  return { [ANN]: { commitment }, [BOB]: { commitment, ships, nonce } };
};

const SHOTS = new Interface([
  "function accept(uint48, bytes32, uint8)",
  "function move(uint48, uint32, uint8, bool, uint8)",
]);
const shot = (tile) => ({ data: SHOTS.encodeFunctionData("move", [1, 1, 0, false, tile]) });
/** Return a call that seals Ann's fleet without firing a shot. */
const sealing = () => ({ data: `0x12345678${commitment.slice(2)}` });
const JOURNAL = [
  { data: SHOTS.encodeFunctionData("accept", [1, OTHER, FLEET[0]]) },
  ...FLEET.slice(1).map(shot),
  { data: "0x" },
];
/**
 * Return a view in which the player's own node reports the board as final. This browser has sealed
 * Ann's fleet and, by default, has fired at all tiles of `FLEET`.
 */
const final = (board, { sent = () => JOURNAL, ...more } = {}) =>
  view(board, { finality: () => ({ state: "final" }), sent: () => [sealing(), ...sent()], ...more });

test("a sunk fleet is revealed automatically, with its nonce and without a message", () => {
  const { nonce } = sealedFleet(commitment);
  assert.deepEqual(autoMove(final(sunk())), { action: "reveal", args: { ships: SHIPS, nonce, message: "" } });
});

const KEPT_BACK = [
  [
    "its player has not agreed",
    () => {
      updateFleet(commitment, { reveal: false });
      return sunk();
    },
  ],
  ["the server claims that a hit is missing", () => fired(sunk(), BOB, shots(FLEET.slice(1), "hit"))],
  [
    "the server claims that all tiles were fired at",
    () =>
      fired(sunk(), BOB, {
        ...shots(
          Array.from({ length: 99 }, (_, i) => i),
          "hit",
        ),
      }),
  ],
  [
    "some of the winner's hits are missing",
    () => fired(reveals({ cause: "won", loser: BOB }), ANN, shots([1, 2, 3], "hit")),
  ],
  [
    "the server claims that the opponent surrendered, but there is no fleet",
    () => reveals({ cause: "resigned", loser: BOB }),
  ],
  [
    "the server claims that the opponent surrendered, but the fleet is a different one",
    () => reveals({ cause: "resigned", loser: BOB, fleets: opened("PH0 SH9 DH18 BH27 CH45") }),
  ],
  ["the battle goes on", () => fired(playing(), BOB, shots(FLEET, "hit"))],
  [
    "the fleet is already revealed",
    () => sunk({ fleets: { [ANN]: { commitment, ships: SHIPS }, [BOB]: { commitment: OTHER } } }),
  ],
  ["the match is over", () => ({ ...sunk(), status: "finished" })],
];
for (const [name, board] of KEPT_BACK)
  test(`a fleet is not revealed automatically when ${name}`, () => assert.equal(autoMove(final(board())), null));

const SHOWN_BY_ITSELF = [
  ["all of the opponent's tiles are hit", () => fired(reveals({ cause: "won", loser: BOB }), ANN, shots(FLEET, "hit"))],
  [
    "the opponent surrendered and showed the sealed fleet",
    () => reveals({ cause: "resigned", loser: BOB, fleets: opened(SHIPS) }),
  ],
  ["the time is over", () => reveals({ cause: "timeout", loser: BOB })],
];
for (const [name, board] of SHOWN_BY_ITSELF)
  test(`a fleet is revealed automatically when ${name}`, () =>
    assert.equal(autoMove(final(board()))?.action, "reveal"));

for (const [name, board] of SHOWN_BY_ITSELF) {
  for (const state of ["server", "asking", "recent", "differs", "unanswered"]) {
    test(`the page asks the player when ${name}, but the finality is ${state}`, () => {
      const seen = final(board(), { finality: () => ({ state, why: { key: "battleship.ask.asking" } }) });
      assert.deepEqual([autoMove(seen), awaitsPlayer(seen)], [null, true]);
      const { tree, open, visible } = confirmationBefore(seen, "reveal");
      assert.deepEqual(
        [open, visible],
        [state !== "differs", true],
        "one press is enough, but two are needed if the player's own node disagrees",
      );
      assert.match(
        texts(tree),
        {
          server: /This server says/,
          asking: /This server says/,
          recent: /Your own node also says/,
          differs: /Don’t show/,
          unanswered: /couldn’t confirm that the game is over\. Asking your own node/,
        }[state],
      );
    });
  }
}

test("without a chain, as in a file, nothing is revealed automatically", () =>
  assert.equal(autoMove(view(sunk(), { sent: () => [sealing(), ...JOURNAL] })), null));

test("the page asks about a fleet that this browser did not seal for this match, because it may belong to another match", () => {
  for (const board of [sunk(), reveals({ cause: "resigned", loser: BOB, fleets: opened(SHIPS) })]) {
    const seen = { ...final(board), sent: () => JOURNAL };
    assert.deepEqual([autoMove(seen), awaitsPlayer(seen)], [null, true]);
    assert.match(texts(confirmationBefore(seen, "reveal").tree), /didn’t seal this fleet for this game/);
    assert.equal(autoMove(final(board)).action, "reveal");
  }
});

test("the page asks the winner if this browser has not fired all shots that hit", () => {
  const won = fired(reveals({ cause: "won", loser: BOB }), ANN, shots(FLEET, "hit"));
  for (const sent of [JOURNAL.slice(1), JOURNAL.slice(0, 16), []]) {
    const seen = final(won, { sent: () => sent });
    assert.deepEqual([autoMove(seen), awaitsPlayer(seen)], [null, true]);
    assert.match(texts(confirmationBefore(seen, "reveal").tree), /didn’t fire all the shots/);
  }
});

test("the confirmation shows the stake and the remaining time", () => {
  const confirmationTexts = (more) =>
    texts(confirmationBefore(view(reveals({ cause: "timeout", loser: BOB, ...more })), "reveal").tree);
  assert.match(confirmationTexts({ stake: "5" }), /ran out of time\..*10 wei is at stake\. .*You have 1d/s);
  assert.doesNotMatch(confirmationTexts({}), /at stake/);
  assert.equal(confirmationBefore(view(playing()), "reveal"), null);
});

// ---- tests with the server as the only source

const ANSWERS = new Interface(["function move(uint48, uint32, uint8, bool, uint8)"]);
const answers = (tiles, hit) =>
  tiles.map((tile) => ({ data: ANSWERS.encodeFunctionData("move", [1, 1, tile, hit, 98]) }));
const serverOnly = (board, more) => final(board, { finality: () => ({ state: "server" }), ...more });

test("a fleet is revealed automatically if this browser has answered each tile as a hit, whatever the server claims", () => {
  updateFleet(commitment, { reveal: false });
  for (const state of ["server", "asking", "recent", "differs", "unanswered", "final"])
    for (const board of [sunk(), fired(sunk(), BOB, {}), reveals({ cause: "timeout", loser: BOB })]) {
      const seen = serverOnly(board, { finality: () => ({ state }), sent: () => answers(FLEET, true) });
      assert.deepEqual([autoMove(seen)?.action, awaitsPlayer(seen)], ["reveal", false]);
    }
  const wallet = confirmationBefore(serverOnly(sunk(), { sent: () => answers(FLEET, true) }), "reveal");
  assert.equal(wallet.open, true, "a player who signs in a wallet presses once");
  assert.match(texts(wallet.tree), /The game is over: show your fleet/);
});

test("a server that invents the last hits learns nothing, because each tile needs its own signed answer", () => {
  const signed = {
    "one tile was never answered": answers(FLEET.slice(1), true),
    "one tile was answered as a miss": [...answers(FLEET.slice(1), true), ...answers([FLEET[0]], false)],
    "the tiles were fired at, not answered": JOURNAL,
    "nothing was": [],
  };
  for (const [name, sent] of Object.entries(signed))
    for (const board of [sunk(), reveals({ cause: "timeout", loser: ANN })]) {
      const seen = serverOnly(board, { sent: () => sent });
      assert.deepEqual([autoMove(seen), awaitsPlayer(seen)], [null, true], name);
    }
});

const wonBy = (more) => fired(reveals({ cause: "won", loser: BOB, ...more }), ANN, shots(FLEET, "hit"));
const WORTH = [
  ["nothing", {}, true],
  ["nothing", { computer: true }, true],
  ["rating", {}, false],
  ["rating", { computer: true }, true],
  ["stake", {}, false],
  ["stake", { computer: true }, false],
];
for (const [worth, more, isShown] of WORTH)
  test(`a winner's fleet in a match for ${worth}${more.computer ? " against a computer" : ""}${isShown ? "is shown" : "is shown only after a question"}`, () => {
    updateFleet(commitment, { worth, ...more });
    for (const board of [
      wonBy({ stake: "0", clock: 0 }),
      reveals({ cause: "resigned", loser: BOB, fleets: opened(SHIPS) }),
    ])
      assert.equal(autoMove(serverOnly(board))?.action, isShown ? "reveal" : undefined);
    for (const state of ["asking", "differs", "unanswered"])
      assert.equal(autoMove(serverOnly(wonBy(), { finality: () => ({ state }) })), null, state);
    assert.equal(
      autoMove(serverOnly(wonBy(), { sent: () => JOURNAL.slice(1) })),
      null,
      "one of the shots was never fired",
    );
    for (const loser of [ANN, BOB])
      assert.equal(autoMove(serverOnly(reveals({ cause: "timeout", loser }))), null, "nothing proves the timeout");
    updateFleet(commitment, { reveal: false });
    assert.equal(autoMove(serverOnly(wonBy())), null, "the player has chosen to be asked");
  });

test("the value of a match is stored when its fleet is sealed", () => {
  const worth = (name, board, typed) =>
    sealedFleet(args(view(board, { me: BOB, match: "" }), action(name), typed).commitment).worth;
  assert.equal(worth("invite", {}, { stake: "0", clock: 0 }), "nothing");
  assert.equal(worth("invite", {}, { stake: "0", clock: 60 }), "rating");
  assert.equal(worth("invite", {}, { stake: "1", clock: 60 }), "stake");
  assert.equal(worth("accept", open(), {}), "nothing");
  assert.equal(worth("accept", open({ clock: 60 }), {}), "rating");
  assert.equal(worth("accept", open({ stake: "5" }), {}), "stake");
  assert.equal(worth("accept", without(open(), "stake"), {}), "stake", "an unknown value counts as the highest");
});

test("an opponent counts as a computer if it was one before the first move", () => {
  const noted = (sent, computers) => {
    setComputers(new Map(computers));
    prepare(view(playing(), { sent: () => sent }));
    return sealedFleet(commitment).computer;
  };
  const [accept, ...moves] = JOURNAL;
  assert.equal(noted([], []), false);
  assert.equal(
    noted([accept, ...moves], [[BOB, "level.easy"]]),
    false,
    "an account that becomes a computer later doesn't count",
  );
  assert.equal(noted([], [[EVE, "level.easy"]]), false);
  assert.equal(noted([accept], [[BOB, "level.easy"]]), true);
  assert.equal(noted([accept, ...moves], []), true, "a recorded computer stays recorded");
});

test("a player who has revealed claims when the time is over, and sees when the win becomes final", () => {
  const shown = { [ANN]: { commitment, ships: SHIPS, fault: 0 }, [BOB]: { commitment: OTHER } };
  const line = (board, more) => translate(turnText(board, ANN, view(board, more)));
  const won = wonBy({ fleets: shown, deadline: 1000 + 86_390 });
  assert.equal(line(won), "You win. The result is final in 23:59:50");
  assert.equal(turnText(won, ANN, view(won)).ticks, true, "a screen reader must not read the text each second");
  assert.equal(autoMove(view(won)), null);
  for (const board of [won, { ...won, cause: "timeout" }, { ...won, loser: ANN }])
    assert.deepEqual(autoMove(view(board, { now: board.deadline })), { action: "claimTimeout", args: {} });
  for (const board of [wonBy({ deadline: 1000 }), { ...won, fleets: { ...shown, [ANN]: { commitment } } }])
    assert.equal(
      autoMove(view(board, { now: board.deadline })),
      null,
      "a player who has revealed nothing would lose by the claim",
    );
  assert.match(line({ ...won, loser: ANN }), /Your fleet is sunk. The fleets are being revealed/);
  assert.match(translate(turnText(won, "")), /The fleets are being revealed/);
});

// ---- tests of the picture

test("a player sees the own ships on the left and none on the right", () => {
  const [own, enemy] = picture(view(playing())).parts;
  assert.deepEqual([own.title, enemy.title], ["Your sea", "Lucid Dunlin’s sea · your shot"]);
  assert.deepEqual(
    own.lines.map(({ from, to }) => [from, to]),
    [
      [0, 1],
      [9, 11],
      [18, 20],
      [27, 30],
      [36, 40],
    ],
  );
  assert.deepEqual(enemy.lines, []);
  assert.deepEqual(own.marks, [{ cell: 0, kind: "asked" }]);
});

test("the opponent and a spectator see no ships", () => {
  for (const me of [BOB, EVE])
    assert.deepEqual(
      picture(view(playing(), { me, ownAccounts: new Set([me]) })).parts.flatMap(({ lines }) => lines),
      [],
    );
});

test("shots are on the sea of the player who was fired at", () => {
  const board = fired(fired(playing(), BOB, { 9: "hit", 50: "miss" }), ANN, { 98: "miss" });
  const [own, enemy] = picture(view(board)).parts;
  assert.deepEqual(
    own.marks.map(({ cell, kind }) => [cell, kind]),
    [
      [9, "hit"],
      [50, "miss"],
      [0, "asked"],
    ],
  );
  assert.deepEqual(
    enemy.marks.map(({ cell, kind }) => [cell, kind]),
    [[98, "miss"]],
  );
});

const titles = (seen) => picture(seen).parts.map(({ title }) => title);
const back = (board, more) => view(board, { me: "", ownAccounts: new Set(), latestBoard: playing(), ...more });

test("an onlooker always sees a sea on the same side, and a player always sees the own sea on the left", () => {
  for (const seen of [
    back(open()),
    back(playing()),
    view(open({ opponent: BOB }), { me: EVE }),
    view(playing(), { me: EVE }),
  ])
    assert.equal(titles(seen)[0], "Able Dotterel’s sea");
  for (const seen of [
    back(open(), { viewAs: BOB }),
    back(playing(), { me: BOB, viewAs: BOB }),
    view(open(), { me: BOB }),
  ])
    assert.deepEqual(
      titles(seen).map((title) => title.split(" · ")[0]),
      ["Your sea", "Able Dotterel’s sea"],
    );
  assert.equal(titles(back(open(), { me: ANN, viewAs: ANN }))[0], "Your sea");
  assert.deepEqual(titles(back(open())), ["Able Dotterel’s sea", "The other sea"]);
  assert.deepEqual(
    picture(back(open(), { viewAs: BOB })).parts.flatMap(({ lines }) => lines),
    [],
    "a draft is not shown in the past",
  );
});

test("an unanswered shot stays in its sea and in the list after the shooting", () => {
  const events = [
    ["Shot", { ply: 0, by: BOB, tile: 9 }],
    ["Answered", { ply: 1, by: ANN, tile: 9, hit: true }],
    ["Shot", { ply: 1, by: ANN, tile: 7 }],
    ["GameOver", { loser: BOB, cause: 4, deadline: 1 }],
    ["MatchEnded", { winner: NOBODY, reason: 4 }],
  ].map(([name, args_], i) => ({ ...event(name, args_), seq: i + 1 }));
  const over = fired(reveals({ cause: "timeout", loser: BOB }), BOB, { 9: "hit" });
  for (const board of [over, { ...over, status: "finished", phase: undefined }]) {
    for (const me of [ANN, BOB, EVE]) {
      const seen = view(board, { me, ownAccounts: new Set([me]), events, seq: 5 });
      const marks = picture(seen).parts.flatMap(({ marks: all }, side) =>
        all.map(({ cell, kind }) => [side, cell, kind]),
      );
      const [hers, his] = me === BOB ? [1, 0] : [0, 1];
      assert.deepEqual(
        marks.sort(),
        [
          [hers, 9, "hit"],
          [his, 7, "unanswered"],
        ].sort(),
      );
      assert.match(describe(seen, 99 * his + 7), /^H1, .*: (water|fired at, never answered)?/);
    }
    assert.deepEqual(
      events
        .slice(0, 3)
        .flatMap((one) => sentences(one, board))
        .map(({ text }) => text),
      ["Lucid Dunlin fired at A2: hit", "Able Dotterel fired at H1: no answer"],
    );
  }
  assert.deepEqual(
    picture(view(fired(playing(), BOB, { 9: "hit" }), { events, seq: 2 })).parts.flatMap(({ marks }) =>
      marks.map(({ kind }) => kind),
    ),
    ["hit", "asked"],
    "while the shooting goes on, no shot counts as unanswered",
  );
  assert.deepEqual(
    picture(view(fired(over, ANN, { 7: "miss" }), { events, seq: 5 })).parts[1].marks.map(({ kind }) => kind),
    ["miss"],
  );
});

test("in the past, later revealed fleets are shown as outlines", () => {
  const later = {
    ...playing(),
    status: "finished",
    fleets: { [ANN]: { commitment, ships: SHIPS }, [BOB]: { commitment: OTHER, ships: "PH12 SH81 DV7 BV51 CH40" } },
  };
  const kinds = (more) =>
    picture(view(playing(), { latestBoard: later, ...more })).parts.map(({ lines }) =>
      [...new Set(lines.map(({ kind, hollow }) => `${kind} ${Boolean(hollow)}`))].join(),
    );
  assert.deepEqual(kinds({ me: EVE }), ["outline true", "outline true"]);
  assert.deepEqual(kinds({ me: ANN }), ["mine false", "outline true"]);
  assert.deepEqual(kinds({ me: ANN, latestBoard: undefined }), ["mine false", ""]);
  assert.equal(
    describe(view(playing(), { latestBoard: later, me: EVE }), 99 + 12),
    "D2, Lucid Dunlin’s sea: patrol boat",
  );
});

test("each cell is described in words", () => {
  const board = fired(fired(playing(), BOB, { 9: "hit" }), ANN, { 98: "miss" });
  const description = (cell) => describe(view(board), cell);
  assert.equal(description(0), "A1, your sea: patrol boat, was just fired at");
  assert.equal(description(9), "A2, your sea: submarine, hit");
  assert.equal(description(98), "I11, your sea: water");
  assert.equal(description(99), "A1, Lucid Dunlin’s sea: not fired at yet");
  assert.equal(description(99 + 98), "I11, Lucid Dunlin’s sea: miss");
});

/** Return a board on which Ann falsely answered A1 as a miss and I11 as a hit. */
const lied = () =>
  fired(
    {
      ...playing(),
      status: "finished",
      reason: "cheating-proved",
      winner: BOB,
      phase: undefined,
      pending: undefined,
      mover: undefined,
      fleets: {
        [ANN]: { commitment, ships: SHIPS, fault: 5 },
        [BOB]: { commitment: OTHER, ships: "PH12 SH81 DV7 BV51 CH40", fault: 0 },
      },
    },
    BOB,
    { 0: "miss", 98: "hit", 9: "hit", 97: "miss" },
  );

test("after the reveal everybody sees both fleets, and each lie on its tile", () => {
  const [left, right] = picture(view(lied(), { me: EVE })).parts;
  assert.deepEqual([left.lines.length, right.lines.length], [5, 5]);
  assert.deepEqual(
    left.marks.filter(({ kind }) => kind === "false").map(({ cell }) => cell),
    [0, 98],
  );
  assert.deepEqual(
    right.marks.filter(({ kind }) => kind === "false"),
    [],
  );
  assert.equal(describe(view(lied()), 0), "A1, your sea: patrol boat, miss, false answer");
});

test("the end lists the lies one by one", () => {
  const tree = endSummary(view(lied()));
  assert.deepEqual(find(tree, ({ props }) => props["data-lie"]).map(texts), [
    "A1 was called a miss, but the patrol boat is there.",
    "I11 was called a hit, but there’s only water.",
  ]);
  assert.match(texts(tree), /Lucid Dunlin answered truthfully\./);
});

const finished = (more) => ({ ...playing(), status: "finished", reason: "won", winner: BOB, ...more });
const AFTER = [
  [
    "Every answer was true.",
    () =>
      finished({
        fleets: { [ANN]: { commitment, ships: SHIPS, fault: 0 }, [BOB]: { commitment: OTHER, ships: SHIPS, fault: 0 } },
      }),
  ],
  [
    "Able Dotterel didn’t reveal a fleet. Lucid Dunlin answered truthfully.",
    () => finished({ fleets: { [ANN]: { commitment }, [BOB]: { commitment: OTHER, ships: SHIPS, fault: 0 } } }),
  ],
  [
    "Able Dotterel answered “miss” too often: no fleet fits these answers.",
    () => finished({ reason: "cheating-proved" }),
  ],
  [
    "Some of Able Dotterel’s ships overlap. PH12 SH81 DV7 BV51 CH49 Lucid Dunlin didn’t reveal a fleet.",
    () =>
      finished({
        fleets: { [ANN]: { commitment, ships: "PH12 SH81 DV7 BV51 CH49", fault: 4 }, [BOB]: { commitment: OTHER } },
      }),
  ],
];
for (const [text, board] of AFTER)
  test(`the end of a match shows: ${text}`, () => assert.equal(texts(endSummary(view(board()))), text));

const UNSEEN = `\u061c\u200b\u200d\u2028\u00ad\u3164\u{e0041}\ufff9${"\u0301".repeat(300)}`;

test("a message is shown as it was written, except for characters that would cover other things", () => {
  const fleets = {
    [ANN]: { commitment, ships: SHIPS, fault: 0, message: `<b>gg</b> \u202eevil\u0007${UNSEEN}` },
    [BOB]: { commitment: OTHER },
  };
  assert.match(texts(endSummary(view(finished({ fleets })))), /<b>gg<\/b> {2}evil Able Dotterel/);
});

test("the possible withdrawals are shown", () => {
  const cases = [
    [{ status: "playing" }, [0n, 0n]],
    [{ status: "cancelled" }, [5n, 0n]],
    [{ winner: BOB }, [0n, 10n]],
    [{ winner: undefined }, [5n, 5n]],
    [{ winner: BOB, withdrawn: { [BOB]: "10" } }, [0n, 0n]],
    [{ winner: BOB, stake: "0" }, [0n, 0n]],
  ];
  for (const [more, due] of cases)
    assert.deepEqual(
      [ANN, BOB].map((account) => withdrawableStake({ ...finished(), stake: "5", ...more }, account)),
      due,
    );
});

// ---- tests of warnings

test("the page warns of a fleet that only this browser has, until there is a backup or the match is over", () => {
  const seen = (board) => find(notices(view(board)), ({ props }) => props.id === "fleet-keep").length;
  assert.deepEqual([seen(open()), seen(playing()), seen({ ...playing(), status: "finished" })], [1, 1, 0]);
  updateFleet(commitment, { saved: true });
  assert.equal(seen(playing()), 0);
});

test("the page warns of a missing fleet and offers to restore it, even if the storage is damaged", () => {
  const lost = (text) => {
    if (text) kept.set("chainboard.fleets", text);
    else kept.clear();
    return find(notices(view(playing())), ({ props }) => props.id === "fleet-lost");
  };
  assert.match(texts(lost(null)[0]), /You sealed your fleet elsewhere/);
  assert.match(texts(lost("{")[0]), /can’t be read/);
  assert.equal(find(lost(null)[0], ({ tag, props }) => tag === "input" && props.type === "file").length, 1);
  assert.equal(notices(view(playing(), { me: EVE, ownAccounts: new Set([EVE]) })), null);
});

test("the stakes of the match are shown", () =>
  assert.match(
    texts(notices(view(playing({ stake: "5" })))),
    /Stake: 5 wei per player\. The winner can withdraw 10 wei\./,
  ));

// ---- tests of the sentences about events

const event = (name, args_) => ({ seq: 1, name, args: args_, tx: "0x", block: 1, hash: "0x", time: 0 });
const SENTENCES = [
  ["Staked", { token: NOBODY, amount: "1000000000000000000" }, ["Stake: 1 ETH per player"]],
  ["Staked", { token: EVE, amount: "7" }, ["Stake: 7 units of 0x90F7…b906 per player"]],
  ["Sealed", { player: ANN, commitment: OTHER }, ["Able Dotterel sealed a fleet"]],
  ["Shot", { ply: 0, by: BOB, tile: 0 }, ["Lucid Dunlin fires at A1…"]],
  ["Shot", { ply: 0, by: BOB, tile: 5 }, []],
  ["Answered", { ply: 1, by: ANN, tile: 20, hit: true }, ["Lucid Dunlin fired at C3: hit"]],
  ["Answered", { ply: 1, by: ANN, tile: 98, hit: false }, ["Lucid Dunlin fired at I11: miss"]],
  ["GameOver", { loser: BOB, cause: 1, deadline: 1 }, ["All of Lucid Dunlin’s ships are hit"]],
  ["GameOver", { loser: BOB, cause: 3, deadline: 1 }, ["Lucid Dunlin resigned"]],
  ["GameOver", { loser: BOB, cause: 4, deadline: 1 }, ["Lucid Dunlin ran out of time"]],
  [
    "Revealed",
    { by: BOB, ships: "0x50", nonce: OTHER, message: "0x", fault: 0 },
    ["Lucid Dunlin revealed their fleet: every answer was true"],
  ],
  [
    "Revealed",
    { by: BOB, ships: "0x50", nonce: OTHER, message: "0x6767ff", fault: 5 },
    ["Lucid Dunlin revealed their fleet: some answers were false", "Lucid Dunlin: “gg\ufffd”"],
  ],
  ["Withdrawn", { account: ANN, token: NOBODY, amount: "2000000000000000000" }, ["Able Dotterel withdrew 2 ETH"]],
  ["MatchEnded", { winner: ANN, reason: 1 }, ["Able Dotterel won"]],
  ["MatchEnded", { winner: NOBODY, reason: 4 }, ["Nobody won: a fleet wasn’t revealed in time"]],
  ["MatchEnded", { winner: NOBODY, reason: 6 }, ["The invitation was cancelled"]],
  ["SomethingNew", {}, ["SomethingNew"]],
];
for (const [name, given, expected] of SENTENCES)
  test(`the list of moves describes ${name} as: ${expected[0] ?? "nothing"}`, () =>
    assert.deepEqual(
      sentences(event(name, given), playing()).map(({ text }) => text),
      expected,
    ));

// ---- tests of placing ships

test("ships turn and move within the sea, wherever they are", () => {
  for (const ships of [SHIPS, "PV89 SH81 DV7 BV51 CH40", "PH97 SV80 DH90 BV8 CH4"]) {
    for (const { letter } of parseFleet(ships)) {
      for (const changed of [
        turned(parseFleet(ships), letter),
        ...[
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
          [50, 50],
          [-50, -50],
        ].map(([x, y]) => nudged(parseFleet(ships), letter, x, y)),
      ]) {
        const ship = changed.find((one) => one.letter === letter);
        assert.deepEqual(movedInside(ship), ship);
        assert.deepEqual(
          changed.filter((one) => one !== ship),
          parseFleet(ships).filter((one) => one.letter !== letter),
        );
      }
    }
  }
});

test("a ship that is held over the edge slides in when it is released", () => {
  const over = put(parseFleet(SHIPS), "C", 7, 3);
  assert.equal(fleetText(over), "PH0 SH9 DH18 BH27 CH34");
  assert.equal(parseLegalFleet(fleetText(over)), null);
  assert.deepEqual(tilesOf(dropped(over, "C")[4]), [31, 32, 33, 34, 35]);
  assert.equal(put(parseFleet(SHIPS), "P", -5, 40)[0].tile, 90);
});

test("ships that are already in a match are not placed again", () => {
  const seen = view({}, { match: "" });
  const before = fleetText(fleetDraft(seen).ships);
  const given = args(seen, action("invite"), {});
  assert.deepEqual([fleetText(fleetDraft(seen).ships), Object.keys(given)], [before, ["commitment"]]);
  picture(view(open({ fleets: { [ANN]: { commitment: given.commitment } } })));
  assert.notEqual(fleetText(fleetDraft(seen).ships), before);
});
