// Tests the lists of matches in the lobby: the texts of a row, the source that counts if two
// sources contradict each other, and boards that the page loads separately.
import assert from "node:assert/strict";
import { test } from "node:test";

import { loadFilters, storeFilters } from "../../../../../frontend-static/app/lobby/filters.js";
import { MyMatches } from "../../../../../frontend-static/app/lobby/my-matches.js";
import { LobbyPreviews } from "../../../../../frontend-static/app/lobby/previews.js";
import { ownOpen, running, waitingHost } from "../../../../../frontend-static/app/lobby/rows.js";
import { clockText, leavesLittleTime, termsText, warning } from "../../../../../frontend-static/games/shared/terms.js";
import { duration } from "../../../../../frontend-static/i18n/translate.js";
import { settled } from "../../../node/settled.mjs";
import { replaceGlobals, storageOf } from "../../../node/globals.mjs";
import "../../../node/texts.mjs";

const worth = (amount, token) => `${amount} ${token ?? "wei"}`;

test("a time is shown in words", () => {
  const texts = {
    1: "1 second",
    30: "30 seconds",
    60: "60 seconds",
    90: "90 seconds",
    120: "2 minutes",
    3600: "1 hour",
    5400: "1 hour 30 minutes",
    86_400: "1 day",
    90_061: "1 day 1 hour 1 minute 1 second",
  };
  for (const [seconds, words] of Object.entries(texts)) assert.equal(duration(Number(seconds)), words);
});

test("the clock and the stake are shown if the game has them", () => {
  assert.equal(termsText({}, worth), "");
  assert.equal(termsText({ clock: 0 }, worth), "casual, no clock");
  assert.equal(termsText({ clock: 300, stake: "0" }, worth), "5 minutes a move · no stake");
  assert.equal(
    termsText({ clock: 299, stake: "340282366920938463463374607431768211455", token: "0xT" }, worth),
    "only 4 minutes 59 seconds a move · 340282366920938463463374607431768211455 0xT each",
  );
});

test("a streamed stake is time for the whole match, with a warning if it is short", () => {
  const day = { clock: 86_400, stake: "1000", token: undefined };
  assert.equal(
    clockText({ ...day, rate: "3" }),
    "1 day a move · only 5 minutes 34 seconds in total",
    "the total is rounded up",
  );
  assert.equal(clockText({ ...day, rate: "1" }), "1 day a move · 16 minutes 40 seconds in total");
  assert.equal(clockText({ ...day, stake: "79228162514264337593543950335", rate: "1" }), "1 day a move");
  assert.deepEqual(
    ["0", "1", "2"].map((rate) => leavesLittleTime({ ...day, rate })),
    [false, false, true],
  );
  assert.match(warning({ ...day, rate: "2" }), /^If you think for more than 8 minutes 20 seconds in total/);
  assert.match(
    warning({ ...day, clock: 60, rate: "2" }),
    /60 seconds for a move, you can lose on time. If you think for more/,
  );
});

test("a clock below five minutes has a warning, and no clock has none", () => {
  assert.deepEqual(
    [undefined, 0, 1, 299, 300].map((clock) => leavesLittleTime({ clock })),
    [false, false, true, true, false],
  );
  assert.equal(warning({ clock: 60 }), "If you take longer than 60 seconds for a move, you can lose on time.");
  assert.deepEqual([warning({}), warning({ clock: 0 }), warning({ clock: 300 })], ["", "", ""]);
});

test("filters are stored for the tab, and damaged filters are dropped", (context) => {
  const none = { game: "", live: true, mine: false, status: "" };
  assert.deepEqual(loadFilters(), none, "the browser has no storage");
  const stored = new Map();
  context.after(replaceGlobals({ sessionStorage: storageOf(stored) }));
  assert.deepEqual(loadFilters(), none);
  const chosen = { game: "nim", live: false, mine: true, status: "open" };
  storeFilters(chosen);
  assert.deepEqual(loadFilters(), chosen);
  for (const text of ["{", "7", "[]", '{"game":7,"live":0,"mine":"yes","status":"finished"}']) {
    stored.set("chainboard.filters", text);
    assert.deepEqual(loadFilters(), none, text);
  }
});

test("a loaded match wins unless the lobby has newer data, to which it only adds the players that the lobby lacks", () => {
  const mine = new MyMatches({});
  const row = (match, seq, more = {}) => ({ match, seq, players: ["0xAnn", "0xBob"], ...more });
  mine.rows = [row("a/1", 5), row("a/2", 5), row("a/3", 5, { players: ["0xAnn", "0xBob", "0xMe"] })];
  const found = mine.mergedWith([row("a/2", 6), row("a/3", 6, { players: ["0xAnn"], morePlayers: 2 }), row("a/4", 1)]);
  assert.deepEqual(Object.fromEntries(found.map(({ match, seq, players }) => [match, [seq, players.length]])), {
    "a/1": [5, 2],
    "a/2": [6, 2],
    "a/3": [6, 3],
    "a/4": [1, 2],
  });
});

const ME = "0xMe";
const openRow = (id, more) => ({ match: `a/${id}`, game: "a", id, created: id, status: "open", clock: 3600, ...more });
const MATCHES = [
  openRow(9, { players: ["0xAnn"], clock: 60 }),
  openRow(8, { players: ["0xAnn"], stake: "5" }),
  openRow(7, { players: ["0xAnn"], opponent: "0xBob" }),
  openRow(6, { players: ["0xAnn"] }),
  openRow(5, { players: [ME] }),
  openRow(4, { players: [ME, "0xAnn"], status: "playing", mover: "0xAnn" }),
  openRow(3, { players: [ME, "0xAnn"], status: "playing", mover: ME }),
  openRow(2, { players: ["0xAnn"], opponent: ME }),
  openRow(1, { players: [ME, "0xAnn"], status: "finished" }),
];

/** Return a page whose lobby has these rows, one per match. */
function lobbyOf(rows) {
  const accounts = { me: ME, find: (address) => address === ME || undefined };
  return { app: { accounts, myMatches: new MyMatches({}), server: { board: () => ({ matches: { ...rows } }) } } };
}

test("the player's turns and invitations come first", () => {
  const { app } = lobbyOf(MATCHES);
  assert.deepEqual(
    running(app).map(({ id }) => id),
    [3, 2, 5, 4, 9, 8, 7, 6],
  );
  assert.equal(ownOpen(app, "a").id, 5);
});

test("Play joins a present host if there is no stake, enough time, and one player is missing", () => {
  const hosts = (rows) => waitingHost(lobbyOf(rows).app, "a")?.id;
  assert.equal(hosts(MATCHES), undefined, "no host is present");
  const here = MATCHES.map((match) => ({ ...match, attended: true }));
  assert.equal(hosts(here), 2, "a host who has invited the player comes first");
  const others = here.filter(({ id }) => id !== 2);
  assert.equal(hosts(others), 6, "the clock isn't short, there is no stake, and anyone may join");
  assert.equal(hosts(others.filter(({ id }) => id !== 6)), undefined);
  const seats = (seatCount) => hosts([{ ...MATCHES[3], attended: true, seatCount }]);
  assert.deepEqual([2, 3].map(seats), [6, undefined], "a match that needs more than one player would not begin");
});

test("slow parts are drawn when the page is idle, after everything that can be pressed soon", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let [why, drawings] = [{ key: "why.filling" }, 0];
  const actions = { whyCantSend: () => why };
  const peeks = new LobbyPreviews({ server: {}, redraw: () => drawings++, actions });
  const after = () => {
    peeks.awaitIdle();
    mock.timers.tick(5000);
    return [peeks.state, drawings];
  };
  assert.deepEqual(after(), ["early", 0], "the account is still being funded");
  why = { key: "why.no-funds" };
  assert.deepEqual(after(), ["idle", 1]);
  assert.deepEqual(after(), ["idle", 1], "the slow parts are drawn once");
});

test("a large board is loaded once, used while it is shown, and loaded again after a failure", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const [taken, asked] = [[], []];
  const app = {
    server: {
      socket: { entries: new Map(), adopt: (match, { seq, t }, entry) => taken.push([match, seq, t, entry.board]) },
    },
    redraw: () => peeks.show(peeks.visible),
  };
  const peeks = new LobbyPreviews(app);
  let down = true;
  mock.method(globalThis, "fetch", async (path) => {
    asked.push(path);
    if (down) throw new TypeError("gone");
    return { ok: true, json: async () => ({ seq: 9, block: { height: 1 }, board: { ply: 2 } }) };
  });
  for (let i = 0; i < 3; i++) peeks.show(["sea/1"]);
  await settled();
  assert.deepEqual([asked, taken], [["api/matches/sea/1"], []]);
  down = false;
  mock.timers.tick(2000);
  await settled();
  assert.deepEqual([asked.length, taken], [2, [["sea/1", 9, "reset", { ply: 2 }]]]);
  peeks.show(["sea/2"]);
  peeks.show([]);
  await settled();
  assert.deepEqual([asked.length, taken.length], [3, 1], "the board is no longer shown");
});
