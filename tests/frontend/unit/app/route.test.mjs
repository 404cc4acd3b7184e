// Tests the page's addresses. An address leads to a view, a match or a moment in a match. Unknown
// addresses lead to nothing.
import assert from "node:assert/strict";
import { test } from "node:test";

import { routeOf } from "../../../../frontend-static/app/route.js";

const PLAYER = `0x${"1".repeat(40)}`;
const NAMED = [
  ["", { view: "lobby" }],
  ["#/players", { view: "players" }],
  [`#/player/${PLAYER}`, { view: "player", player: PLAYER }],
  ["#/new/tic-tac-toe", { view: "new", game: "tic-tac-toe" }],
  ["#/replay@7", { view: "replay", seq: 7 }],
  ["#/match/tic-tac-toe/1", { view: "match", match: "tic-tac-toe/1", game: "tic-tac-toe" }],
  ["#/match/tic-tac-toe/1@3", { view: "match", match: "tic-tac-toe/1", game: "tic-tac-toe", seq: 3 }],
  ["#/match/tic-tac-toe/1@", { view: "match" }],
  ["#/match/tic-tac-toe/1@-3", { view: "match" }],
  ["#/match/tic-tac-toe/1@x", { view: "match" }],
  ["#/match/<img src=x>", { view: "match" }],
  [`#/match/${"x".repeat(20_000)}`, { view: "match" }],
  ["#/player/0x12", { view: "match" }],
];
for (const [address, named] of NAMED)
  test(`${address || "no address"} names ${JSON.stringify(named)}`, () => {
    const { key: _, name, ...found } = routeOf(address);
    assert.deepEqual(JSON.parse(JSON.stringify(found)), named);
    assert.ok((name ?? "").length <= 60);
    assert.equal(name !== undefined, named.view === "match", "a match that can't exist has a name, too");
  });
