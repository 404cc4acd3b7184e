// Drawing makes a picture of the state: it asks nobody, sends nothing, keeps nothing and changes nothing.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ANN, BOB, at, effects, page, routeOf, stateOf } from "./page.mjs";

const { accountDrawer } = await import("../../../../frontend-static/views/account/drawer.js");
const { helpDialog, pageHeader } = await import("../../../../frontend-static/views/header.js");
const { leaderboardPage, playerPage } = await import("../../../../frontend-static/views/leaderboard.js");
const { lobbyPage } = await import("../../../../frontend-static/views/lobby.js");
const { matchPage } = await import("../../../../frontend-static/views/match/page.js");
const { newPage } = await import("../../../../frontend-static/views/new-match.js");
const { filePage } = await import("../../../../frontend-static/views/replay-file.js");
const { waitingStrip } = await import("../../../../frontend-static/views/waiting-matches.js");

/** A tree as text, without its listeners. */
const text = (tree) => JSON.stringify(tree, (_, value) => (typeof value === "bigint" ? String(value) : value));

/** What a view did beside making a tree: to the outside, to the state, and whether it made the same tree twice. */
function drawn(app, view) {
  effects.length = 0;
  const before = stateOf(app);
  const [first, second] = [text(view(app)), text(view(app))];
  return { effects: [...effects], changed: stateOf(app) !== before, same: first === second, length: first.length };
}

const PURE = { effects: [], changed: false, same: true };
const pure = ({ length, ...found }, least) => {
  assert.deepEqual(found, PURE);
  assert.ok(length >= least, `${length} letters`);
};

const around = (app) => [pageHeader(app), waitingStrip(app, undefined), accountDrawer(app), helpDialog(app)];
const MATCHES = ["battleship", "tic-tac-toe", "touche-coule"].flatMap((slug) => [1, 2, 3].map((id) => `${slug}/${id}`));
const PLACES = {
  "#/": [lobbyPage, 5000],
  "#/players": [leaderboardPage, 500],
  [`#/player/${BOB}`]: [(app) => playerPage(app, BOB), 300],
  "#/replay": [filePage, 300],
  ...Object.fromEntries(MATCHES.map((match) => [`#/match/${match}`, [(app) => matchPage(app, match), 2500]])),
  "#/match/tic-tac-toe/99": [(app) => matchPage(app, "tic-tac-toe/99"), 200],
  "#/new/battleship": [(app) => newPage(app, "battleship"), 3000],
  "#/new/nothing": [(app) => newPage(app, "nothing"), 100],
};

for (const [address, [view, least]] of Object.entries(PLACES))
  for (const own of [[ANN, BOB], [ANN]])
    test(`${address} is drawn without an effect, with ${own.length} of its players here`, async () => {
      const app = await page({ own });
      at(app, address);
      pure(drawn(app, view), least);
      pure(drawn(app, around), 1000);
    });

test("an earlier moment, the drawer with its forms, the list of keys, and a stake that is being typed", async () => {
  const app = await page();
  const match = "tic-tac-toe/3";
  at(app, `#/match/${match}`);
  const [event] = app.server.feeds.get(match);
  app.playback.setPlayhead({
    seq: event.seq,
    event,
    board: { ...app.server.board(match), cells: {}, status: "playing", mover: BOB },
  });
  at(app, `#/match/${match}`);
  pure(
    drawn(app, (one) => matchPage(one, match)),
    2500,
  );
  Object.assign(app.ui, { drawer: true, help: true });
  app.sessions.draft.open = ANN;
  app.ui.typed["battleship.stake"] = "1";
  at(app, "#/new/battleship");
  pure(drawn(app, around), 4000);
  pure(
    drawn(app, (one) => newPage(one, "battleship")),
    3000,
  );
});

test("what a view asks for was asked before it was drawn", async () => {
  const asked = async (address) => {
    const app = await page();
    effects.length = 0;
    at(app, address);
    return effects.join("\n");
  };
  assert.match(await asked("#/"), /fetch \/api\/matches\?player=/);
  assert.match(await asked("#/"), /fetch \/api\/opponents/);
  assert.match(await asked("#/players"), /fetch \/api\/leaderboard\?game=battleship&limit=10/);
  assert.match(await asked(`#/player/${BOB}`), new RegExp(`fetch /api/players/${BOB}`));
  assert.match(await asked("#/match/battleship/1"), /fetch \/api\/rpc/); // the board's contract, and the stake's token
  assert.match(await asked("#/new/battleship"), /setItem chainboard.fleets/); // whether a fleet could be kept
});

test("a card of the lobby shows the board that the lobby's message has, and covers it like any other", async () => {
  const app = await page();
  const board = { ...app.server.board("tic-tac-toe/2"), cells: { 0: 1, 4: 2, 8: 1 } };
  app.server.board("lobby").games["tic-tac-toe"] = { featured: "tic-tac-toe/7", board };
  at(app, "#/");
  assert.equal(app.server.board("tic-tac-toe/7"), null);
  assert.match(text(lobbyPage(app)), /"board small","aria-hidden":"true".*tic-tac-toe\/7/);
  const shown = app.live.withBoard(board);
  assert.deepEqual([shown.board("tic-tac-toe/7"), shown.renderContext("tic-tac-toe/7").board], [board, board]);
  app.server.renderers.set("sea", { hasSecret: ({ board: seen, me }) => Boolean(seen.players[me]) });
  assert.equal(app.live.withBoard(board).covers("sea/1"), false, "Ann has loaded the page");
  app.accounts.me = BOB;
  assert.deepEqual([app.live.withBoard(board).covers("sea/1"), app.live.covers("sea/1")], [true, false]);
});

const PLANTED = {
  "a request": [(app) => app.myMatches.refresh(), { effects: ["fetch"], changed: true }],
  "a look at the chain": [
    (app) => app.boardChecker.request("tic-tac-toe/1", { ...app.server.socket.entries.get("tic-tac-toe/1"), seq: 1 }),
    { changed: true },
  ],
  "one more drawing": [(app) => app.redraw(), { effects: ["redraw"] }],
  "a step of the address": [() => (globalThis.location.hash = "#/"), { effects: ["go to #/"] }],
  "something that is kept": [() => localStorage.setItem("a", "b"), { effects: ["setItem a"] }],
  "a change of the state": [(app) => (app.ui.selected += 1), { changed: true }],
  chance: [() => Math.random(), { same: false }],
};
for (const [name, [work, found]] of Object.entries(PLANTED))
  test(`${name} that is planted in a view is found`, async () => {
    const app = await page();
    at(app, "#/match/tic-tac-toe/1");
    const { effects: done, ...rest } = drawn(app, (one) => [work(one), leaderboardPage(one)]);
    const kinds = [...new Set(done.map((one) => (one.startsWith("fetch") ? "fetch" : one)))];
    for (const [key, value] of Object.entries(found))
      if (key === "effects")
        assert.ok(
          value.every((one) => kinds.includes(one)),
          kinds.join(),
        );
      else assert.equal(rest[key], value);
  });

test("each view has an address here", () => {
  const views = new Set(Object.keys(PLACES).map((address) => routeOf(address).view));
  assert.deepEqual([...views].sort(), ["lobby", "match", "new", "player", "players", "replay"]);
});
