// Tests that the page sends each automatic move once for each of its accounts that plays in the
// match. The page sends the move again only if the move never reached a node.
import assert from "node:assert/strict";
import { test } from "node:test";

import { AutoMoves } from "../../../../frontend-static/app/match/auto-moves.js";
import { settled } from "../../node/settled.mjs";

const [ANN, BOB, EVE] = ["0xAnn", "0xBob", "0xEve"];
const playing = (players, more = {}) => ({
  board: {
    status: "playing",
    ply: 3,
    players: Object.fromEntries(players.map((one, seat) => [one, { seat }])),
    ...more,
  },
});

/** Return a stand-in for the page, with only the parts that automatic moves use. */
function page(entries, more = {}) {
  const list = [
    { address: ANN, key: "0x1" },
    { address: BOB, key: "0x2" },
    { address: EVE, provider: {} },
  ];
  const autoMove = ({ me, board }) =>
    board.mover === undefined || board.mover === me ? { action: "answer", args: { by: me } } : null;
  const {
    lobby,
    connection = "live",
    why = () => null,
    balances = new Map([ANN, BOB, EVE].map((one) => [one, 1n])),
    ...rest
  } = more;
  const app = {
    acted: [],
    funded: [],
    redraw: () => {},
    accounts: {
      list,
      balances,
      find: (address) => list.find((one) => one.address === address),
      fund: (account) => app.funded.push(account),
    },
    server: {
      connection,
      renderers: new Map(Object.entries({ sea: { autoMove }, hill: {} })),
      renderer: (match) => app.server.renderers.get(match.split("/")[0]),
      games: new Map(["sea", "hill"].map((slug) => [slug, { slug, address: `${slug}'s contract`, deployments: [] }])),
      socket: { entries: new Map(Object.entries(entries)) },
      board: (match) => (match === "lobby" ? { matches: lobby ?? {} } : app.server.socket.entries.get(match)?.board),
    },
    sessions: {
      list: [],
      keyFor: (account, contract) =>
        app.sessions.list.find((one) => one.account === account && one.games.includes(contract)),
    },
    live: { renderContext: (match, me) => ({ match, me, board: app.server.board(match) }) },
    actions: {
      of: (_, kind) => ({ name: kind, gas: { base: 1 } }),
      why,
      submit: (slug, action, match, args, account) => {
        const tx = { match, account, kind: action.name, args, state: "sent" };
        app.acted.push(tx);
        return tx;
      },
    },
    ...rest,
  };
  const automatic = new AutoMoves(app);
  for (const account of [ANN, BOB, EVE]) {
    automatic.requested.add(account);
    automatic.locked.add(account);
  }
  return { app, automatic, done: () => app.acted.map(({ match, account }) => `${match} ${account}`) };
}

test("the page sends moves for each playing account whose key it has, also in matches that aren't on display", () => {
  const { automatic, done } = page({
    lobby: null,
    "sea/1": playing([ANN, EVE]),
    "sea/2": playing([BOB, ANN]),
    "sea/3": playing([EVE]),
    "hill/1": playing([ANN]),
    "sea/4": null,
  });
  automatic.sendDue();
  assert.deepEqual(done(), ["sea/1 0xAnn", "sea/2 0xAnn", "sea/2 0xBob"]);
});

test("if an account's wallet would prompt, the page sends moves only when a session key acts for the account", () => {
  const { app, automatic, done } = page({ "sea/3": playing([EVE]) });
  const link = (games) => {
    app.sessions.list = [{ account: EVE, linked: true, key: "0xKey", games }];
    automatic.sendDue();
  };
  link(["hill's contract"]);
  assert.deepEqual(done(), [], "the session key is for another game");
  link(["sea's contract"]);
  assert.deepEqual(done(), ["sea/3 0xEve"]);
});

test("the page sends a move once per ply, however often `sendDue` is called", () => {
  const { app, automatic, done } = page({ "sea/1": playing([ANN, EVE]) });
  for (let i = 0; i < 3; i++) automatic.sendDue();
  assert.deepEqual(done(), ["sea/1 0xAnn"]);
  app.server.socket.entries.set("sea/1", playing([ANN, EVE], { ply: 4 }));
  automatic.sendDue();
  assert.equal(done().length, 2);
});

test("the page sends a move again after an unreachable server or a reorg, but not after a rejection", () => {
  const { app, automatic, done } = page({ "sea/1": playing([ANN, EVE]) });
  automatic.sendDue();
  Object.assign(app.acted[0], { state: "refused", reason: { sentence: { key: "error.other" } } });
  automatic.sendDue();
  assert.equal(done().length, 1);
  Object.assign(app.acted[0], { state: "failed", reason: { sentence: { key: "tx.not-sent" } } });
  automatic.sendDue();
  assert.equal(done().length, 2);
  automatic.sendDue();
  assert.equal(done().length, 2, "the second move is still pending");
  automatic.forget("sea/1");
  automatic.sendDue();
  assert.equal(done().length, 3);
});

test("the page retries a rejected move without arguments three times at later heads, but never a move that reveals something", () => {
  const settles = { autoMove: () => ({ action: "settle", args: {} }) };
  const { app, automatic, done } = page({ "hill/1": playing([ANN]), "sea/1": playing([ANN]) });
  app.server.renderers.set("hill", settles);
  app.server.head = { height: 7 };
  const due = () => {
    automatic.sendDue();
    for (const tx of app.acted) Object.assign(tx, { state: "refused", reason: { sentence: { key: "error.TooSoon" } } });
    return done().filter((one) => one === "hill/1 0xAnn").length;
  };
  assert.deepEqual([due(), due()], [1, 1], "at the same head, the move would be rejected again");
  const seen = [8, 9, 10, 11, 12].map((height) => {
    app.server.head.height = height;
    return due();
  });
  assert.deepEqual(seen, [2, 3, 4, 4, 4]);
  assert.equal(done().filter((one) => one === "sea/1 0xAnn").length, 1);
});

const SILENT = {
  "the connection is lost": { connection: "lost" },
  "the page knows why the contract would reject the move": { why: () => ({ key: "why.on-its-way" }) },
};
for (const [name, more] of Object.entries(SILENT)) {
  test(`the page sends nothing while ${name}`, () => {
    const { automatic, done } = page({ "sea/1": playing([ANN, EVE]) }, more);
    automatic.sendDue();
    assert.deepEqual(done(), []);
  });
}

test("the page sends nothing in an open or finished match, or for an account for which another tab acts", () => {
  const { automatic, done } = page({
    "sea/1": playing([ANN], { status: "open" }),
    "sea/2": playing([ANN], { status: "finished" }),
    "sea/3": playing([ANN, BOB]),
  });
  automatic.locked.delete(ANN);
  automatic.sendDue();
  assert.deepEqual(done(), ["sea/3 0xBob"]);
});

test("the page first loads an account's balance if it is unknown", () => {
  const { app, automatic, done } = page({ "sea/1": playing([ANN, EVE]) }, { balances: new Map() });
  automatic.sendDue();
  assert.deepEqual([done(), app.funded], [[], [ANN]]);
});

test("the page follows at most twenty matches of its accounts, from the lobby and older ones", () => {
  const row = (id, players, status = "playing", game = "sea") => [
    `${game}/${id}`,
    { match: `${game}/${id}`, game, status, players },
  ];
  const lobby = Object.fromEntries([
    row(1, [ANN, EVE]),
    row(2, [EVE]),
    row(3, [BOB], "open"),
    row(4, [BOB]),
    row(5, [ANN], "playing", "hill"),
  ]);
  const { automatic } = page({}, { lobby });
  assert.deepEqual(automatic.matches(), ["sea/1", "sea/4"]);
  automatic.fetched.set(ANN, ["sea/1", ...Array.from({ length: 40 }, (_, i) => `sea/${100 + i}`)]);
  assert.deepEqual([automatic.matches().length, automatic.matches()[2]], [20, "sea/100"]);
});

test("the page follows a match that left the lobby's list until the match is over", () => {
  const [match, more] = ["sea/1", { lobby: {} }];
  const { app, automatic } = page({}, more);
  more.lobby[match] = { match, game: "sea", status: "playing", players: [ANN] };
  assert.deepEqual(automatic.matches(), [match]);
  delete more.lobby[match];
  assert.deepEqual(automatic.matches(), [match]);
  app.server.socket.entries.set(match, playing([ANN], { status: "finished" }));
  assert.deepEqual(automatic.matches(), []);
  app.server.socket.entries.delete(match);
  assert.deepEqual(automatic.matches(), []);
});

test("the page fetches matches that the lobby lacks from time to time, for games with automatic moves", async (context) => {
  const asked = [];
  context.mock.timers.enable({ apis: ["Date"] });
  context.mock.method(globalThis, "fetch", async (path) => {
    asked.push(path);
    return { ok: true, json: async () => ({ matches: [{ match: "sea/9" }] }) };
  });
  const { automatic } = page({});
  automatic.sendDue();
  assert.deepEqual(asked, []);
  context.mock.timers.tick(16_000);
  automatic.sendDue();
  automatic.sendDue();
  assert.deepEqual(
    asked,
    [ANN, BOB].map((who) => `api/matches?game=sea&player=${who}&status=playing&limit=20`),
  );
  await settled();
  assert.deepEqual(automatic.matches(), ["sea/9"]);
});
