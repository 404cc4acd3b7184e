// Tests that drawing has no side effects: it only turns the page's state into a picture. While the
// page draws, it requests nothing, sends nothing, stores nothing, and doesn't change the state.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ANN, BOB, at, effects, page, routeOf, stateOf, update, useBrowser } from "./page.mjs";
import { accountDrawer } from "../../../../frontend-static/views/account/drawer.js";
import { helpDialog, pageHeader } from "../../../../frontend-static/views/header.js";
import { leaderboardPage } from "../../../../frontend-static/views/players/leaderboard.js";
import { playerPage } from "../../../../frontend-static/views/players/player.js";
import { lobbyPage } from "../../../../frontend-static/views/lobby/page.js";
import { matchPage } from "../../../../frontend-static/views/match/page.js";
import { newPage } from "../../../../frontend-static/views/new-match.js";
import { filePage } from "../../../../frontend-static/views/replay-file.js";
import { waitingStrip } from "../../../../frontend-static/views/waiting-matches.js";

useBrowser();

/** Return a view's tree as text, without its event listeners. */
const text = (tree) => JSON.stringify(tree, (_, value) => (typeof value === "bigint" ? String(value) : value));

/**
 * Draw a view twice. Return the side effects of drawing, whether the page's state has changed, and
 * whether the two trees are the same.
 */
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
    test(`${address} is drawn without side effects if this browser has ${own.length} of its players`, async () => {
      const app = await page({ own });
      at(app, address);
      pure(drawn(app, view), least);
      pure(drawn(app, around), 1000);
    });

test("an earlier moment, the open drawer's forms, the list of keys, and a stake being typed are drawn", async () => {
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

test("everything that a view needs is requested before it is drawn", async () => {
  const asked = async (address) => {
    const app = await page();
    effects.length = 0;
    at(app, address);
    return effects.join("\n");
  };
  assert.match(await asked("#/"), /fetch api\/matches\?player=/);
  assert.match(await asked("#/"), /fetch api\/opponents/);
  assert.match(await asked("#/players"), /fetch api\/leaderboard\?game=battleship&limit=10/);
  assert.match(await asked(`#/player/${BOB}`), new RegExp(`fetch api/players/${BOB}`));
  assert.match(await asked(`#/player/${BOB}`), new RegExp(`fetch api/players/${BOB}/rivals\\?limit=20`));
  assert.match(await asked("#/match/battleship/1"), /fetch api\/rpc/); // the page asks the node about the match's contract and the stake's token
  assert.match(await asked("#/new/battleship"), /setItem chainboard.fleets/); // the page tests whether the browser can store a fleet
});

test("a board that is slow to draw is not drawn before the page is idle", async () => {
  const app = await page();
  app.server.renderers.set("tic-tac-toe", { ...app.server.renderers.get("tic-tac-toe"), isSlow: true });
  app.server.board("lobby").games["tic-tac-toe"] = {
    featured: "tic-tac-toe/7",
    board: app.server.board("tic-tac-toe/2"),
  };
  at(app, "#/");
  const isDrawn = () => text(lobbyPage(app)).includes("board-tic-tac-toe/7");
  assert.equal(isDrawn(), false);
  app.previews.state = "idle";
  assert.equal(isDrawn(), true);
});

test("a lobby card shows the board from the lobby's message, and covers it like any other board", async () => {
  const app = await page();
  const board = { ...app.server.board("tic-tac-toe/2"), cells: { 0: 1, 4: 2, 8: 1 } };
  app.server.board("lobby").games["tic-tac-toe"] = { featured: "tic-tac-toe/7", board };
  at(app, "#/");
  assert.equal(app.server.board("tic-tac-toe/7"), null);
  assert.match(text(lobbyPage(app)), /"board small","aria-hidden":"true".*tic-tac-toe\/7/);
  const shown = app.live.withBoard(board);
  assert.deepEqual([shown.board("tic-tac-toe/7"), shown.renderContext("tic-tac-toe/7").board], [board, board]);
  app.server.renderers.set("sea", { hasSecret: ({ board: seen, me }) => Boolean(seen.players[me]) });
  assert.equal(app.live.withBoard(board).covers("sea/1"), false, "Ann loaded the page, so nothing is covered");
  app.accounts.me = BOB;
  assert.deepEqual([app.live.withBoard(board).covers("sea/1"), app.live.covers("sea/1")], [true, false]);
});

const CAROL = `0x${"d".repeat(40)}`;

test("a card without a live match shows a board from the rules, and the number of live matches", async () => {
  const app = await page({ own: [CAROL] });
  const { games } = app.server.board("lobby");
  const board = app.server.board("tic-tac-toe/2");
  delete games["tic-tac-toe"].featured;
  at(app, "#/");
  const drawing = () => text(lobbyPage(app)).match(/"id":"game-tic-tac-toe".*?"id":"title-/)[0];
  assert.match(drawing(), /board-tic-tac-toe\/rules/);
  assert.match(drawing(), /lobby.fact.computer/, "two matches are in play, but nobody is watching");
  Object.assign(games["tic-tac-toe"], { featured: "tic-tac-toe/2", board, counts: { open: 30, playing: 2, live: 1 } });
  assert.match(drawing(), /board-tic-tac-toe\/2.*1 live game/);
});

test("the lobby lists live matches, and on request all matches", async () => {
  const app = await page({ own: [CAROL] });
  const { matches } = app.server.board("lobby");
  const rows = () => [
    ...text(lobbyPage(app)).matchAll(/"match-row","data-match":"([^"]+)","data-status":"(?:open|playing)"/g),
  ];
  const unfinished = Object.values(matches).filter(({ status }) => status !== "finished");
  at(app, "#/");
  assert.match(text(lobbyPage(app)), /Live games.*No live games right now/);
  assert.equal(rows().length, 0);
  matches["tic-tac-toe/1"].attended = true;
  matches["battleship/1"].attended = false;
  matches["battleship/2"].live = true;
  assert.deepEqual(
    rows()
      .map(([, match]) => match)
      .sort(),
    ["battleship/2", "tic-tac-toe/1"],
  );
  app.ui.filters.live = false;
  assert.match(text(lobbyPage(app)), /Open and in progress/);
  assert.equal(rows().length, unfinished.length);
  Object.assign(app.ui.filters, { live: true, mine: true });
  matches["tic-tac-toe/2"].players = [CAROL, BOB];
  assert.deepEqual(
    new Set(rows().map(([, match]) => match)),
    new Set(["tic-tac-toe/2"]),
    "the player's own match is listed although it isn't live",
  );
  app.ui.filters.mine = false;
  for (let id = 10; id < 20; id++)
    matches[`tic-tac-toe/${id}`] = { ...matches["tic-tac-toe/2"], match: `tic-tac-toe/${id}`, id, created: id };
  assert.equal(rows().length, 2 + 3, "the player's own matches beyond the eight cards, and the live matches");
  app.server.board("lobby").games.battleship.counts.live = 7;
  assert.match(text(lobbyPage(app)), /"id":"unlisted".*6 more games are not listed/);
});

test("a lobby of 5,000 matches is drawn with a bounded number of rows", async () => {
  const app = await page();
  const { matches } = app.server.board("lobby");
  const [open, , over] = [1, 2, 3].map((id) => matches[`tic-tac-toe/${id}`]);
  for (let id = 10; id < 5010; id++) {
    const like = id % 2 ? { ...open, players: [BOB.toLowerCase()] } : { ...over, winner: ANN, reason: "won" };
    matches[`tic-tac-toe/${id}`] = { ...like, match: `tic-tac-toe/${id}`, id, created: id };
  }
  app.ui.filters.live = false;
  at(app, "#/");
  for (const [all, least, most] of [
    ["", 10, 60],
    ["running", 150, 260],
    ["finished", 150, 260],
  ]) {
    app.ui.all = all;
    const rows = text(lobbyPage(app)).match(/"class":"match-row"/g).length;
    assert.ok(rows >= least && rows <= most, `${rows} rows`);
  }
});

const PLANTED = {
  "a request": [(app) => Object.assign(app.myMatches, { at: 0 }).refresh(), { effects: ["fetch"], changed: true }],
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
  test(`the test finds ${name} that is planted in a view`, async () => {
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

test("a player's page shows the old content until the new part has loaded completely", async () => {
  const app = await page({ own: [ANN] });
  const address = `#/player/${BOB}`;
  const answers = {
    ratings: { ratings: [{ match: "battleship/9", time: 1, rating: 1516, opponents: [ANN], result: "won" }] },
    rivals: {
      rivals: [{ address: ANN, game: "battleship", played: 1, won: 1, lost: 0, drawn: 0, difference: 32 }],
      total: 1,
    },
    matches: { matches: [], next: "further" },
  };
  const answerAll = () => {
    update(app, routeOf(address));
    for (const [key, { answer }] of app.leaderboards.cache) {
      const [, kind] = key.match(/(ratings|rivals|matches)\?/) ?? [];
      const figures = { address: BOB, last: 1, games: [{ game: "battleship", rating: 1516, rivals: 1, played: 1 }] };
      app.leaderboards.cache.set(key, { at: Date.now(), answer: answer ?? answers[kind] ?? figures });
    }
  };
  const seen = () => text(playerPage(app, BOB));
  const older = (tree) =>
    tree?.props?.id === "results-older" ? tree : (tree?.children ?? []).map(older).find((one) => one);
  at(app, address);
  assert.doesNotMatch(seen(), /curve-battleship/);
  answerAll();
  assert.doesNotMatch(seen(), /curve-battleship/, "the curve is requested only when the games are known");
  answerAll();
  assert.match(seen(), /curve-battleship.*1516\?|1516\?.*curve-battleship/);
  assert.match(seen(), /"data-record":"1-0-0"/);
  pure(
    drawn(app, (one) => playerPage(one, BOB)),
    3000,
  );
  playerPage(app, BOB).map(older)[0].props.onclick();
  update(app, routeOf(address));
  assert.match(seen(), /"aria-busy":"true".*Page 1/);
  answerAll();
  assert.match(seen(), /"aria-busy":"false".*Page 2/);
});

test("5,000 own matches become only as many rows and cards in the lobby as a player can read", async () => {
  const app = await page();
  const entry = app.server.socket.entries.get("lobby");
  const [one, over] = [2, 3].map((id) => entry.board.matches[`tic-tac-toe/${id}`]);
  const many = Array.from({ length: 5000 }, (_, i) => ({
    ...(i % 2 ? one : over),
    id: i + 10,
    match: `tic-tac-toe/${i + 10}`,
  }));
  const matches = Object.fromEntries(many.map((row) => [row.match, row]));
  app.server.socket.entries.set("lobby", { ...entry, board: { ...entry.board, matches } });
  app.ui.filters.live = false;
  const count = (pattern) => text(lobbyPage(app)).match(pattern)?.length ?? 0;
  at(app, "#/");
  assert.deepEqual([count(/"match-row"/g), count(/"card","href":"#\/match/g)], [210, 8]);
});

test("this test covers an address of each view", () => {
  const views = new Set(Object.keys(PLACES).map((address) => routeOf(address).view));
  assert.deepEqual([...views].sort(), ["lobby", "match", "new", "player", "players", "replay"]);
});
