// Tests the player cards next to a board: the cards' places above or below the board, and the
// warnings about the players' clocks.
import assert from "node:assert/strict";
import { test } from "node:test";

import { find, textOf } from "./tree.mjs";
import { clock } from "../../../../frontend-static/games/shared/clock.js";
import { players } from "../../../../frontend-static/views/match/players/players.js";
import "../../node/texts.mjs";

const [ANN, BOB, EVE] = ["a", "b", "e"].map((digit) => `0x${digit.repeat(40)}`);
const RENDERER = {
  joinAction: "join",
  seats: ({ players }) => Object.keys(players).map((address, seat) => ({ address, seat, alive: true })),
};

/** Return the players above and below a match's board, as the account `me` sees the board. */
function seen(board, { me = "", own = [me], pending = [], more = {} } = {}) {
  const seats = Object.fromEntries(board.seated.map((address, seat) => [address, { seat }]));
  const context = { board: { ...board, players: seats }, me, ownAccounts: new Set(own), pending };
  const match = {
    ...{ me, ui: { nameCard: "" }, renderContext: () => context, now: () => 1000 },
    account: (address) => (own.includes(address) ? { address } : undefined),
    ratingOf: (address) => (address === BOB ? { rating: 1612.4, rivals: 7 } : null),
  };
  const rows = (place) =>
    find(players(match, "chess/1", { ...RENDERER, ...more }, place), (props) => /player\b/.test(props.class ?? ""));
  return ["top", "bottom"].map((place) => rows(place).map((row) => row.props["data-player"] ?? textOf(row)));
}

test("the other players are above the board in turn order, and the viewer is below", () => {
  const board = { status: "playing", seated: [ANN, BOB, EVE] };
  assert.deepEqual(seen(board, { me: BOB }), [[EVE, ANN], [BOB]]);
  assert.deepEqual(seen(board, { me: ANN }), [[BOB, EVE], [ANN]]);
  assert.deepEqual(seen(board), [[BOB, EVE], [ANN]], "an onlooker");
  assert.deepEqual(
    seen(board, { me: BOB, own: [BOB, EVE] }),
    [[BOB, EVE], [ANN]],
    "two players share the screen, so nothing turns",
  );
});

test("if fleets are secret, the account in use is below", () => {
  const board = { status: "playing", seated: [ANN, BOB] };
  assert.deepEqual(seen(board, { me: BOB, own: [ANN, BOB], more: { hasSecret: () => true } }), [[ANN], [BOB]]);
});

test("an empty seat is shown, and the player who takes it appears immediately", () => {
  const open = { status: "open", seated: [ANN] };
  assert.deepEqual(seen(open, { me: ANN }), [["Free seat"], [ANN]]);
  assert.deepEqual(seen(open, { me: BOB }), [[ANN], ["Free seat"]], "the viewer may take the free seat");
  const [[invited]] = seen({ ...open, opponent: BOB }, { me: ANN });
  assert.match(invited, /^\p{Lu}\p{L}+ \p{Lu}\p{L}+$/u, "by name");
  const pending = [{ account: BOB, action: "join" }];
  const [, [coming]] = seen(open, { me: BOB, pending });
  assert.match(coming, /is joining/);
  assert.deepEqual(seen({ status: "cancelled", seated: [ANN] }, { me: ANN }), [[""], [ANN]]);
});

test("a clock runs for the player who must move, warns below ten seconds, and shows the other players' time", () => {
  const board = { status: "playing", deadline: 1060, clock: 600 };
  const at = (now, runs = true) => {
    const { props, children } = clock(board, now, runs);
    return [textOf(children), Boolean(props["data-hurry"]), Boolean(props["data-late"])];
  };
  assert.deepEqual(at(1000), ["1:00", false, false]);
  assert.deepEqual(at(1049), ["0:11", false, false]);
  assert.deepEqual(at(1050), ["0:10", false, false]);
  assert.deepEqual(at(1051), ["0:09", true, false]);
  assert.deepEqual(at(1060), ["time’s up", false, true]);
  assert.deepEqual(at(1050, false), ["10:00", false, false]);
  assert.equal(clock({ ...board, deadline: 0 }, 1000, true), null);
  assert.equal(clock({ ...board, status: "finished" }, 1000, true), null);
});
