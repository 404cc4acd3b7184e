// Tests the search for an opponent: the page's messages to the gateway, and the page's actions
// after the gateway has found two players for a match.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { addressOf, recoverTypedData } from "../../../../../frontend-static/chain/wallet/signer.js";
import { ANN, BOB, effects, page, useBrowser } from "../page.mjs";

useBrowser();

const SLUG = "tic-tac-toe";
const OPEN = `${SLUG}/1`;
const CAROL = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
const KEY = `0x${"1".padStart(64, "0")}`;
const TYPES = {
  Seek: [
    { name: "account", type: "address" },
    { name: "game", type: "string" },
    { name: "clock", type: "uint32" },
    { name: "until", type: "uint48" },
  ],
};

beforeEach(() => mock.timers.reset());

/** Return a page, the messages that it sends to the gateway, and the transactions that it sends. */
async function lobby() {
  const app = await page();
  const messages = [];
  const sent = [];
  app.opponents.isAnswered = true;
  app.server.socket.send = (message) => messages.push(message);
  app.actions.why = () => null;
  app.actions.submit = (slug, action, match, values) => {
    const tx = { game: slug, action: action.name, match, values, account: app.accounts.me, state: "sent" };
    sent.push(tx);
    return tx;
  };
  const game = app.server.games.get(SLUG);
  game.presets = [180, 600, 3600];
  const create = app.actions.of(SLUG, "create");
  create.inputs = [
    { name: "challenger", kind: "opponent" },
    { name: "clock", kind: "clock", minimum: 0, maximum: 100_000 },
  ];
  effects.length = 0;
  return { app, game, messages, sent };
}

const seekMessage = (more) => ({ t: "seek", game: SLUG, clock: 600, ...more });
const settled = () => new Promise(setImmediate);

/** Let Ann search for an opponent, and forget the messages that the page has sent so far. */
async function searching(how) {
  const found = await lobby();
  await found.app.pairing.start(found.game, 600, how);
  found.messages.length = 0;
  return found;
}

test("the account signs a search, which is valid for a limited time", async () => {
  const { app, game, messages } = await lobby();
  await app.pairing.start(game, 600);
  const [{ signature, until, ...request }] = messages;
  assert.deepEqual(request, { t: "seek", account: ANN, game: SLUG, clock: 600, asks: false });
  assert.ok(until > Date.now() / 1000 && until < Date.now() / 1000 + 3600);
  const domain = { name: "Chainboard", version: "1", chainId: 31337 };
  const value = { domain, types: TYPES, primaryType: "Seek", message: { account: ANN, game: SLUG, clock: 600, until } };
  assert.equal(recoverTypedData(value, signature), addressOf(KEY), "in these tests, all accounts have the same key");
});

test("the opening player invites the opponent with this clock and no stake, and reports the match to the gateway", async () => {
  const { app, messages, sent } = await searching();
  for (let i = 0; i < 2; i++) {
    app.pairing.onMessage(seekMessage({ state: "opening", rival: BOB, opens: true }));
    app.pairing.advance(undefined);
    app.pairing.advance(undefined);
    await settled();
  }
  assert.deepEqual(
    sent.map(({ action, values }) => [action, values]),
    [["create", { challenger: BOB, clock: 600 }]],
  );
  app.pairing.onOpened(sent[0]);
  assert.deepEqual(messages, [], "the match does not exist yet");
  sent[0].opened = `${SLUG}/9`;
  app.pairing.onOpened(sent[0]);
  assert.deepEqual(messages, [{ t: "opened", match: `${SLUG}/9` }]);
  app.server.socket.entries.set(`${SLUG}/9`, { board: { status: "playing", players: { [ANN]: {}, [BOB]: {} } } });
  app.pairing.advance(`${SLUG}/9`);
  assert.deepEqual(messages.at(-1), { t: "unseek", joined: true });
  assert.equal(app.pairing.search, null);
});

for (const [why, goesOn] of [
  ["why.no-server", true],
  ["why.no-node", true],
  ["why.no-funds", false],
])
  test(`a player who can't open the match now (${why}) ${goesOn ? "keeps trying" : "ends the search"}`, async () => {
    const { app, sent } = await searching();
    app.actions.why = () => ({ key: why });
    app.pairing.onMessage(seekMessage({ state: "opening", rival: CAROL, opens: true }));
    app.pairing.advance(undefined);
    await settled();
    assert.deepEqual([app.pairing.search !== null, app.pairing.why?.key], [goesOn, goesOn ? undefined : why]);
    app.actions.why = () => null;
    app.pairing.advance(undefined);
    await settled();
    assert.equal(sent.length, goesOn ? 1 : 0);
  });

test("after the opponent has left, the page does not open a match that no node has accepted yet", async () => {
  const { app, sent } = await searching();
  const cancelled = [];
  app.transactions.cancel = (tx) => cancelled.push(tx);
  for (const state of ["waiting", "sent"]) {
    app.pairing.onMessage(seekMessage({ state: "opening", rival: BOB, opens: true }));
    app.pairing.advance(undefined);
    await settled();
    sent.at(-1).state = state;
    app.pairing.onMessage(seekMessage({ state: "waiting", why: "left" }));
  }
  assert.deepEqual(cancelled, [sent[0]]);
});

/**
 * Return Ann's page just before it joins Bob's match. `board` replaces parts of the match's board.
 */
async function joining(board) {
  const found = await searching();
  const entry = found.app.server.socket.entries.get(OPEN);
  entry.board = { status: "open", players: { [BOB]: { seat: 0 } }, clock: 600, opponent: ANN, ...board };
  found.app.pairing.onMessage(seekMessage({ state: "opened", rival: BOB, opens: false, match: OPEN }));
  found.app.pairing.advance(undefined);
  return { ...found, entry };
}

test("the opponent joins the match once, and the search ends when both are seated", async () => {
  const { app, entry, messages, sent } = await joining({});
  assert.deepEqual(
    effects.filter((one) => one.startsWith("go to")),
    [`go to #/match/${OPEN}`],
  );
  app.quickPlay.advance(OPEN);
  app.pairing.advance(OPEN);
  app.quickPlay.advance(OPEN);
  assert.deepEqual(
    sent.map(({ action, match }) => [action, match]),
    [["accept", OPEN]],
  );
  entry.board = { ...entry.board, status: "playing", players: { [BOB]: { seat: 0 }, [ANN]: { seat: 1 } } };
  app.pairing.advance(OPEN);
  assert.deepEqual([messages, app.pairing.search], [[{ t: "unseek", joined: true }], null]);
});

const OTHERS = {
  "with a stake": { stake: "1" },
  "with less time": { clock: 60 },
  "without a clock": { clock: 0 },
  "that somebody else has opened": { players: { [CAROL]: { seat: 0 } } },
  "for somebody else": { opponent: CAROL },
  "for three": { seatCount: 3 },
};
for (const [what, board] of Object.entries(OTHERS))
  test(`the page does not join a match ${what}`, async () => {
    const { app, messages } = await joining(board);
    assert.deepEqual([app.quickPlay.joining, app.pairing.search], [null, null]);
    assert.equal(app.pairing.why.key, "pairing.why.terms");
    assert.deepEqual(messages, [{ t: "unseek" }]);
  });

test("a player who leaves the match being joined stops searching", async () => {
  const { app, messages } = await joining({});
  app.quickPlay.advance(undefined);
  app.pairing.advance(undefined);
  assert.deepEqual([messages, app.pairing.search], [[{ t: "unseek" }], null]);
});

test("the page closes a match whose opponent has left, and continues the search", async () => {
  const { app, sent } = await searching();
  app.pairing.onMessage(seekMessage({ state: "opening", rival: BOB, opens: true }));
  app.pairing.advance(undefined);
  await settled();
  const [opening] = sent;
  app.pairing.onMessage(seekMessage({ state: "waiting", why: "left" }));
  assert.equal(app.ui.openingTx, null, "the page does not go to the match");
  assert.deepEqual([app.pairing.search.state, app.pairing.search.departures], ["waiting", 1]);
  opening.opened = OPEN;
  app.server.socket.entries.get(OPEN).board = { status: "open", players: { [ANN]: { seat: 0 } } };
  assert.deepEqual(app.pairing.matches(), [OPEN]);
  app.pairing.advance(undefined);
  app.pairing.advance(undefined);
  assert.deepEqual(
    sent.map(({ action, match }) => [action, match]),
    [
      ["create", ""],
      ["close", OPEN],
    ],
  );
});

test("after a reconnect, the page repeats the search with the same signature, and a pair continues", async () => {
  const { app, game, messages, sent } = await lobby();
  await app.pairing.start(game, 600);
  const opening = seekMessage({ state: "opening", rival: BOB, opens: true });
  app.pairing.onMessage(opening);
  app.pairing.advance(undefined);
  await settled();
  app.pairing.renew();
  await settled();
  assert.deepEqual(messages[1], messages[0]);
  app.pairing.onMessage(opening);
  app.pairing.advance(undefined);
  await settled();
  assert.equal(sent.length, 1, "opened once");
  messages.length = 0;
  app.pairing.setMatch(app.pairing.search, OPEN);
  app.pairing.onMessage(opening);
  assert.deepEqual(
    messages,
    [1, 2].map(() => ({ t: "opened", match: OPEN })),
    "the message is repeated after it was lost",
  );
});

test("after three opponents have left, the page waits for a press", async () => {
  const { app, sent } = await searching();
  for (let i = 1; i <= 3; i++) {
    assert.equal(app.pairing.search.departures, i - 1);
    app.pairing.onMessage(seekMessage({ state: "opening", rival: i % 2 ? BOB : CAROL, opens: true }));
    app.pairing.advance(undefined);
    await settled();
    app.pairing.onMessage(seekMessage({ state: "waiting", why: "left" }));
  }
  assert.deepEqual([app.pairing.search, app.pairing.why.key, sent.length], [null, "pairing.why.lost", 3]);
});

test("an opponent who replaces one who left gets a new match", async () => {
  const { app, sent } = await searching();
  for (const rival of [BOB, CAROL]) {
    app.pairing.onMessage(seekMessage({ state: "opening", rival, opens: true }));
    app.pairing.advance(undefined);
    await settled();
  }
  assert.deepEqual(
    sent.map(({ values }) => values.challenger),
    [BOB, CAROL],
  );
  assert.deepEqual(
    app.pairing.unjoined.list.map(({ tx }) => tx),
    [sent[0]],
  );
});

test("the page goes to a match that an opponent joins while the match is being closed", async () => {
  const { app } = await searching();
  const entry = app.server.socket.entries.get(OPEN);
  app.pairing.unjoined.add({ opened: OPEN, game: SLUG, account: ANN, state: "mined" }, ANN);
  entry.board = { status: "playing", players: { [ANN]: {}, [BOB]: {} } };
  app.pairing.advance(undefined);
  assert.equal(app.pairing.search, null);
  assert.ok(effects.includes(`go to #/match/${OPEN}`));
});

test("the page waits half a minute for an opponent who falsely reports that both are seated", async () => {
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const { app } = await joining({ players: {} });
  app.pairing.onMessage(seekMessage({ state: "ended", why: "joined" }));
  app.pairing.advance(OPEN);
  assert.ok(app.pairing.search);
  mock.timers.tick(30_000);
  app.pairing.advance(OPEN);
  assert.deepEqual([app.pairing.search, app.pairing.why.key], [null, "pairing.why.gone"]);
});

test("a finished match between the two players does not count", async () => {
  const { app } = await joining({ status: "finished", players: { [ANN]: {}, [BOB]: {} } });
  assert.deepEqual([app.pairing.search, app.pairing.why.key], [null, "pairing.why.terms"]);
});

test("a player whose transaction to join is sent may look elsewhere", async () => {
  const { app, messages } = await joining({});
  app.transactions.list = [{ match: OPEN, account: ANN, state: "sent" }];
  app.quickPlay.advance(undefined);
  app.pairing.advance(undefined);
  assert.deepEqual([messages, Boolean(app.pairing.search)], [[], true]);
});

test("while an opponent opens no match, the page waits and offers the computer", async () => {
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const { app } = await searching();
  app.pairing.onMessage(seekMessage({ state: "opening", rival: BOB, opens: false }));
  mock.timers.tick(10_000);
  assert.equal(app.pairing.offersComputer(), true);
});

test("the page offers the computer after ten seconds, and asks a player who accepts before pairing", async () => {
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const { app, messages, sent } = await searching();
  assert.equal(app.pairing.offersComputer(), false);
  const { startedAt } = app.pairing.search;
  app.pairing.search.startedAt = 0;
  assert.equal(app.pairing.offersComputer(), false, "the wallet is still asking its user");
  app.pairing.search.startedAt = startedAt;
  mock.timers.tick(10_000);
  assert.equal(app.pairing.offersComputer(), true);
  await app.pairing.playMeanwhile();
  assert.deepEqual([messages[0].t, messages[0].asks, app.pairing.offersComputer()], ["seek", true, false]);
  assert.deepEqual([sent[0].action, sent[0].values.challenger], ["create", CAROL], "the match is against the computer");
  app.pairing.onMessage(seekMessage({ state: "asked", rival: BOB }));
  app.pairing.accept();
  assert.deepEqual(messages.at(-1), { t: "accept" });
});

test("Play pairs with a waiting player; if that fails, the computer plays after two seconds", async () => {
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const { app, game, messages, sent } = await lobby();
  game.presets = [180, 600];
  app.server.board("lobby").games[SLUG].seeking = { 600: 1 };
  for (const row of Object.values(app.server.board("lobby").matches)) row.attended = false;
  assert.equal(app.quickPlay.whyNot(game), null);
  await app.quickPlay.press(game);
  assert.deepEqual([messages[0].t, messages[0].clock, messages[0].asks], ["seek", 600, false]);
  app.pairing.advance(undefined);
  assert.deepEqual(sent, []);
  mock.timers.tick(2000);
  app.pairing.advance(undefined);
  await settled();
  assert.deepEqual(messages[1], { t: "unseek" });
  assert.deepEqual(
    sent.map(({ action, values }) => [action, values.challenger]),
    [["create", CAROL]],
  );
});

test("while a player who pressed Play plays the computer, the page searches silently and asks before switching", async () => {
  const { app, game, messages } = await lobby();
  for (const row of Object.values(app.server.board("lobby").matches)) row.attended = false;
  await app.quickPlay.press(game);
  assert.deepEqual([messages[0].asks, messages[0].clock, app.pairing.search.hidden], [true, 3600, true]);
});

test("the background search of Play ends in a match with a person, and asks a player who is playing first", async () => {
  const { app, messages } = await searching({ confirmsFirst: true, hidden: true });
  app.pairing.advance(`${SLUG}/2`);
  assert.deepEqual([messages, app.pairing.search], [[{ t: "unseek" }], null]);
  const other = await searching();
  other.app.pairing.advance(undefined);
  assert.deepEqual(other.messages, []);
  other.app.pairing.advance(`${SLUG}/2`);
  other.app.pairing.advance(`${SLUG}/2`);
  await settled();
  assert.deepEqual(
    other.messages.map(({ t, asks }) => [t, asks]),
    [["seek", true]],
    "the page takes nobody out of a match",
  );
});

test("the page does not leave a match that has begun when the opponent's connection is lost", async () => {
  const { app, entry } = await joining({});
  entry.board = { ...entry.board, status: "playing", players: { [BOB]: { seat: 0 }, [ANN]: { seat: 1 } } };
  app.pairing.onMessage(seekMessage({ state: "waiting", why: "left" }));
  assert.equal(app.pairing.search, null);
});

test("a player who is paired with somebody who plays the computer sees for whom the page waits", async () => {
  const { app } = await searching();
  app.pairing.onMessage(seekMessage({ state: "waiting", asked: BOB }));
  assert.equal(app.pairing.search.asked, BOB);
  app.pairing.onMessage(seekMessage({ state: "waiting", why: "left" }));
  assert.equal(app.pairing.search.asked, "");
});

test("another account has its own search", async () => {
  const { app, messages } = await searching();
  app.accounts.me = BOB;
  app.pairing.advance(undefined);
  assert.deepEqual([messages, app.pairing.search], [[{ t: "unseek" }], null]);
});

test("a rejection by the gateway ends the search with a reason, and so does a search in another tab", async () => {
  const { app, game } = await searching();
  app.pairing.onError({ key: "unknown-match.yet", detail: "no" });
  assert.ok(app.pairing.search, "the error is not about the search");
  app.pairing.onError({ key: "seek.until", args: { until: 1, n: 3600 }, detail: "no" });
  assert.deepEqual([app.pairing.search, app.pairing.why.key], [null, "problem.seek.until"]);
  await app.pairing.start(game, 600);
  assert.equal(app.pairing.why, null);
  app.pairing.onMessage(seekMessage({ state: "ended", why: "elsewhere" }));
  assert.deepEqual([app.pairing.search, app.pairing.why.key], [null, "pairing.why.elsewhere"]);
});

test("a player's search is not paired with itself", async () => {
  const { app } = await searching();
  app.server.board("lobby").games[SLUG].seeking = { 600: 1, 180: 2 };
  assert.deepEqual(
    [app.pairing.otherSeekers(SLUG, 600), app.pairing.otherSeekers(SLUG, 180), app.pairing.otherSeekers(SLUG, 9)],
    [0, 2, 0],
  );
});
