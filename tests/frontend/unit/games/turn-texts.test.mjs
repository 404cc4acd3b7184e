// Tests a match's headline and buttons for each game, each state of a match and each viewer.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { translate } from "../../../../frontend-static/i18n/translate.js";
import { setComputers } from "../../../../frontend-static/names/computers.js";
import { gameTexts } from "../../node/texts.mjs";
import { isOffered } from "../../../../frontend-static/views/match/action-buttons.js";
import { turnTextOf } from "../../../../frontend-static/views/match/turn-line.js";
import { nameOf } from "../../../../frontend-static/names/names.js";
import { hasEnded } from "../../../../frontend-static/lib/board.js";
import * as battleship from "../../../../frontend-static/games/battleship/renderer.js";
import * as conquest from "../../../../frontend-static/games/conquest/renderer.js";
import * as deblockle from "../../../../frontend-static/games/deblockle/renderer.js";
import * as ticTacToe from "../../../../frontend-static/games/tic-tac-toe/renderer.js";
import * as toucheCoule from "../../../../frontend-static/games/touche-coule/renderer.js";
import { sealFleet } from "../../../../frontend-static/games/battleship/fleet/storage.js";
import { replaceGlobals, storageOf, useGlobals } from "../../node/globals.mjs";
import * as boards from "./conquest-boards.mjs";

const BROWSER = { localStorage: storageOf(new Map()) };
useGlobals(BROWSER);

const RENDERERS = { "tic-tac-toe": ticTacToe, battleship, deblockle, "touche-coule": toucheCoule, conquest };
for (const slug of Object.keys(RENDERERS)) await gameTexts(slug);

const { ANN, BOB, EVE } = boards;
const NAMES = { [ANN]: "Ann", [BOB]: "Bob", [EVE]: "Eve" };
const COMPUTER = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
before(() => setComputers(new Map([[COMPUTER, "level.easy"]])));
after(() => setComputers(new Map()));
const OPPONENTS = [{ game: "", name: "careful", strength: 1, accounts: [{ address: COMPUTER, rating: null }] }];
const LATE = 90_000;

const duel = (more) => ({
  ...{ status: "playing", ply: 4, clock: 60, deadline: LATE, creator: ANN, mover: ANN, stake: "0", withdrawn: {} },
  players: { [ANN]: { seat: 0 }, [BOB]: { seat: 1 } },
  ...more,
});
const alone = { status: "open", ply: 0, deadline: 0, mover: undefined, players: { [ANN]: { seat: 0 } } };
const over = (more) => ({ status: "finished", ply: 5, deadline: 0, mover: undefined, ...more });
const won = over({ reason: "won", winner: ANN });
const drawn = over({ reason: "draw" });
const resigned = over({ reason: "resigned", winner: BOB });
const cancelled = { ...alone, status: "cancelled", reason: "cancelled" };
const PLAYERS = [ANN, BOB, EVE];
/**
 * The texts that two-player games share. `{join}` stands for the text that says how a player takes
 * the second seat.
 */
const SAME = {
  open: [alone, ["Invite a friend or play the computer", "{join}", "{join}"]],
  invited: [
    { ...alone, opponent: BOB },
    ["Waiting for Lucid Dunlin", "{join}", "Able Dotterel is waiting for Lucid Dunlin; you can watch"],
  ],
  "a computer is invited": [
    { ...alone, opponent: COMPUTER },
    ["Verdant Saiga is joining", ...Array(2).fill("Able Dotterel is waiting for Verdant Saiga; you can watch")],
  ],
  "out of time": [
    {},
    [
      "Time’s up! Move before your opponent claims the win",
      "Able Dotterel ran out of time: press {claim}",
      "Able Dotterel ran out of time",
    ],
    { now: LATE },
  ],
  won: [
    won,
    [
      "You won after 5 moves. Play again?",
      "Able Dotterel won after 5 moves. Try again?",
      "Able Dotterel won after 5 moves",
    ],
  ],
  drawn: [drawn, [...Array(2).fill("A draw after 5 moves. Play again?"), "A draw after 5 moves"]],
  resigned: [
    resigned,
    [
      "Lucid Dunlin won after 5 moves. Try again?",
      "You won after 5 moves. Play again?",
      "Lucid Dunlin won after 5 moves",
    ],
  ],
  "nobody won": [over({ reason: "resigned" }), Array(3).fill("Game over after 5 moves, no winner")],
  cancelled: [cancelled, Array(3).fill("This game was cancelled")],
};
const thinking = "Able Dotterel is thinking";
const waiting = (mine) => [mine, thinking, thinking];
const wins = (mark) => ({ mark, claim: "Claim the win", join: "Able Dotterel is ready: press Play" });

// Battleship
const SHIPS = "PH0 SH9 DH18 BH27 CH36"; // the ships are on A1-B1, A2-C2, A3-C3, A4-D4 and A5-E5
const restore = replaceGlobals(BROWSER); // `sealFleet` stores the fleet in the browser
const commitment = sealFleet(SHIPS, ANN, { reveal: true });
restore();
const tiles = [0, 1, 9, 10, 11, 18, 19, 20, 27, 28, 29, 30, 36, 37, 38, 39];
const sea = (more = {}) => ({
  ...duel({ phase: "shots", width: 9, height: 11, pending: { tile: 0, by: BOB } }),
  players: { [ANN]: { seat: 0, shots: {} }, [BOB]: { seat: 1, shots: {} } },
  fleets: { [ANN]: { commitment }, [BOB]: { commitment: `0x${"b".repeat(64)}` } },
  ...more,
});
const lastShot = {
  pending: { tile: 40, by: BOB },
  players: {
    [ANN]: { seat: 0, shots: {} },
    [BOB]: { seat: 1, shots: Object.fromEntries(tiles.map((one) => [one, "hit"])) },
  },
};
const reveals = (cause, loser) => ({
  phase: "reveals",
  cause,
  loser,
  mover: undefined,
  pending: undefined,
  deadline: LATE,
});
const shown = { fleets: { [ANN]: { commitment, ships: SHIPS }, [BOB]: { commitment } } };
const owed = (text) => `${text}. Press Reveal my fleet to finish the game`;
const seen = (text) => `${text}. The fleets are being revealed`;

// Deblockle
const cubes = {
  0: { seat: 0, cell: 2, up: 2, front: 3, right: 6 },
  1: { seat: 0, cell: 4, up: 4, front: 1, right: 2 },
  4: { seat: 1, cell: 44, up: 5, front: 3, right: 1 },
};
const cubeBoard = (more = {}) => ({
  ...duel({ width: 7, height: 7, setup: 2, ruleset: "near", phase: "roll", cubes, moves: { 0: [9], 1: [11] } }),
  ...{ passes: 0, quiet: 4, removed: { 0: 0, 1: 0 }, rate: "0", turnStart: 1000 },
  players: { [ANN]: { seat: 0, streamed: 0, withdrawn: "0" }, [BOB]: { seat: 1, streamed: 0, withdrawn: "0" } },
  ...more,
});

// Touché Coulé
const ship = (owner, x, afloat = true) => ({ owner, x, y: 0, afloat, ready: 0, fired: {} });
const fleets = (more = {}) => ({
  ...{ status: "playing", ply: 3, width: 7, height: 4, captains: false, anchor: 20, deadline: LATE, afloat: 4 },
  players: { [ANN]: { seat: 0, ships: [1, 2] }, [BOB]: { seat: 1, ships: [3] } },
  ships: { 1: ship(ANN, 0), 2: ship(ANN, 2), 3: ship(BOB, 4) },
  ...more,
});
const gathering = { status: "open", ply: 0, anchor: 0, deadline: 0 };
const oneAtSea = { ...gathering, players: { [ANN]: { seat: 0, ships: [1] } }, ships: { 1: ship(ANN, 0) } };
const join = "Join in: press Put a ship to sea";

// Conquest
const lands = (more = {}) =>
  boards.playing({ [boards.HOME]: { owner: 0, soldiers: 60 }, [boards.FIRST]: { owner: 1, soldiers: 20 } }, more);
const moves = "after 5 moves";
const watched = "Able Dotterel is playing. You’re watching.";

/**
 * For each game, a list: a function that makes boards, the texts that differ from other games'
 * texts, and the states. For each state: changes to the board, and texts for Ann, Bob and Eve.
 */
const GAMES = {
  "tic-tac-toe": [
    (more) => duel({ cells: { 0: 1, 4: 2 }, ...more }),
    wins("X"),
    { ...SAME, playing: [{}, waiting("Your turn: put X on a free square")] },
  ],
  battleship: [
    sea,
    { ...wins(""), claim: "Claim the win", join: "Able Dotterel is ready: place your fleet, then press Play" },
    {
      ...SAME,
      playing: [{}, waiting("Your shot: press a square in the enemy’s sea")],
      "the last shot": [lastShot, waiting("Your last ship is hit: press Answer the shot")],
      "the fleet is not here": [
        { fleets: {} },
        waiting("Your turn, but your fleet isn’t in this browser: load its backup"),
      ],
      sunk: [
        reveals("won", BOB),
        [owed("Lucid Dunlin’s fleet is sunk"), owed("Your fleet is sunk"), seen("Lucid Dunlin’s fleet is sunk")],
      ],
      "given up": [
        { ...reveals("resigned", ANN), ...shown },
        [seen("You resigned"), owed("Able Dotterel resigned"), seen("Able Dotterel resigned")],
      ],
      late: [
        reveals("timeout", BOB),
        [owed("Lucid Dunlin ran out of time"), owed("You ran out of time"), seen("Lucid Dunlin ran out of time")],
      ],
    },
  ],
  deblockle: [
    cubeBoard,
    wins(""),
    {
      ...SAME,
      playing: [{}, waiting("Your turn: press a cube, or the square to roll onto")],
      chosen: [{}, waiting("Your turn: press a marked square to roll there"), { selected: 1 }],
      stuck: [{ moves: {} }, waiting("None of your cubes can roll: press Pass")],
      hop: [
        { phase: "hop", hopper: 0, moves: { 0: [16] } },
        waiting("Now hop: press a marked square for the cube on c1 (X)"),
      ],
      begins: [{ mover: undefined }, Array(3).fill("The game begins")],
      "between two turns": [{ last: { by: ANN } }, Array(3).fill("Able Dotterel’s turn is over")],
    },
  ],
  "touche-coule": [
    fleets,
    {},
    {
      empty: [{ ...gathering, players: {}, ships: {} }, Array(3).fill(join)],
      open: [oneAtSea, ["Invite a friend or play the computer", join, join]],
      ready: [gathering, [...Array(2).fill("Ready: press Fire, or wait for more ships"), join]],
      playing: [
        {},
        [...Array(2).fill("Turn 3 · press Fire: all ships fire"), "Turn 3 · the fleets fire at each other"],
      ],
      sunk: [
        { ships: { 1: ship(ANN, 0), 2: ship(ANN, 2), 3: ship(BOB, 4, false) } },
        [
          "Turn 3 · press Fire: all ships fire",
          "Turn 3 · your ships are sunk, but you can watch the rest",
          "Turn 3 · the fleets fire at each other",
        ],
      ],
      won: [{ ...won, ply: 6 }, SAME.won[1]],
      drawn: [{ ...drawn, ply: 6 }, SAME.drawn[1]],
      cancelled: [{ status: "cancelled", reason: "cancelled" }, Array(3).fill("This game was cancelled")],
    },
  ],
  conquest: [
    lands,
    {},
    {
      open: [
        boards.open(),
        [
          "Share the link: the game begins when 2 more players join",
          ...Array(2).fill("Able Dotterel needs 2 more players: press Play"),
        ],
      ],
      capital: [
        { phase: "capital" },
        [
          "Choose your capital: the forest at H5 has 10 soldiers and 8 neighbours. Confirm, or press another land. If you lose your capital, you’re out.",
          "Able Dotterel is choosing a capital. Look for a good one for yourself.",
          watched,
        ],
      ],
      reinforcement: [
        { phase: "reinforcement" },
        [
          "Press one of your lands to add 3 soldiers: three for each land you own.",
          "Able Dotterel is playing. Point at a land to see what’s there.",
          watched,
        ],
      ],
      action: [
        {},
        [
          "Press one of your lands. Then press a neutral neighbour to capture, or an enemy land to attack.{outlined}",
          "Able Dotterel is playing. Point at a land to see what’s there.",
          watched,
        ],
      ],
      move: [
        { phase: "move" },
        [
          "Press the land that sends soldiers, then the land that gets them. Or end the turn.",
          "Able Dotterel is moving soldiers. Then the turn is over.",
          watched,
        ],
      ],
      drawing: [{ draw: { kind: "battle", block: 30 } }, Array(3).fill("Rolling for luck in the attack…")],
      out: [
        { seats: { 0: { alive: true }, 1: { alive: false } } },
        [
          "Press one of your lands. Then press a neutral neighbour to capture, or an enemy land to attack.{outlined}",
          "You’re out. Able Dotterel plays on. Once all human players are out, the computers resign one by one.",
          watched,
        ],
      ],
      won: [
        won,
        [
          `You took the last capital ${moves}`,
          `You lost: Able Dotterel took the last capital ${moves}`,
          `Able Dotterel took the last capital ${moves}`,
        ],
      ],
      resigned: [
        resigned,
        [
          `You lost: Lucid Dunlin won ${moves} because the other players resigned`,
          `You won ${moves}: everyone else resigned`,
          `Lucid Dunlin won ${moves}: everyone else resigned`,
        ],
      ],
      drawn: SAME.drawn,
      cancelled: [{ status: "cancelled", reason: "cancelled" }, Array(3).fill("This game was cancelled")],
    },
  ],
};

const view = (slug, board, me, more = {}) => ({
  ...{
    match: `${slug}/1`,
    board,
    me,
    ownAccounts: new Set([me]),
    selected: 0,
    head: { height: 20 },
    now: 1000,
    pending: [],
  },
  ...{ events: [], draft: { state: {}, change: () => undefined }, formatAmount: String, opponents: OPPONENTS, ...more },
});
const ROWS = Object.entries(GAMES).flatMap(([slug, [base, args, states]]) =>
  Object.entries(states).map(([state, [more, lines, context]]) => ({
    slug,
    state,
    board: base(more),
    args,
    lines,
    context,
  })),
);

for (const { slug, state, board, args, lines, context } of ROWS)
  test(`each viewer of ${slug} sees the right text in the state "${state}"`, () => {
    for (const [i, me] of PLAYERS.entries()) {
      const turn = RENDERERS[slug].turnText(board, me, view(slug, board, me, context));
      const filled = lines[i].replace(/\{(\w+)\}/g, (_, name) => args[name] ?? "");
      const text = translate(turn);
      assert.equal(filled.endsWith(".") ? text.slice(0, filled.length) : text, filled, NAMES[me]);
      assert.doesNotMatch(text, /0x|[{}]|undefined/);
    }
    const picture = translate(RENDERERS[slug].turnText(board, ""));
    assert.doesNotMatch(picture, /0x|[{}]|undefined|\b[Yy]ou(?!r?\b.*watch)\b|press/, "a picture addresses nobody");
  });

test("in a covered match of Battleship, the headline names the player for whom the screen waits, whoever must move", () => {
  const seen = (me, more = {}) => {
    const renderContext = () => view("battleship", sea(), "", { viewAs: me });
    return translate(
      turnTextOf({ me, renderContext, submitPress: null, ...more }, "battleship/1", RENDERERS.battleship),
    );
  };
  const covers = () => true;
  assert.deepEqual(
    [seen(ANN, { covers }), seen(BOB, { covers })],
    [ANN, BOB].map((me) => `Pass the screen to ${nameOf(me)}`),
  );
  assert.equal(seen(ANN), thinking, "the past is not covered");
});

/** The names of each game's actions, as the server lists them. */
const ACTIONS = {
  "tic-tac-toe": ["accept", "move", "rematch", "offerRestart", "acceptRestart", "close", "resign", "claimTimeout"],
  battleship: ["accept", "decline", "cancel", "move", "surrender", "reveal", "claimTimeout", "withdraw"],
  deblockle: ["join", "cancel", "passMove", "resign", "claimTimeout", "withdraw"],
  "touche-coule": ["register", "turn", "changePosition", "communicate", "expire"],
  conquest: [
    ...["join", "leave", "chooseCapital", "reinforce", "buildPort", "capture", "attack", "move", "pass", "useItem"],
    ...["surrender", "settle", "claimTimeout"],
  ],
};
/** The reasons why a button is disabled for the rest of the match. */
const NEVER =
  /not-opener|not-invited|own-match|not-open$|not-asked|registration-closed|ship-limit|all-sunk|only-looking|not-a-player|\.out$|\.over$|revealed|nothing-due|shooting-over/;

for (const { slug, state, board, context } of ROWS)
  test(`a disabled button of ${slug} in the state "${state}" can become possible`, () => {
    const renderer = RENDERERS[slug];
    for (const me of PLAYERS)
      for (const name of ACTIONS[slug]) {
        const action = { name, signature: `${name}()`, label: name, inputs: [], gas: { base: 1 } };
        const seen = view(slug, board, me, context);
        if (!isOffered(seen, renderer, action)) continue;
        const why = renderer.why?.(seen, action, {});
        assert.ok(!why || !NEVER.test(why.key), `${NAMES[me]}: ${name}, ${why?.key}`);
        assert.ok(!hasEnded(board) || !why, `${NAMES[me]}: ${name} on a match that is over`);
      }
  });
