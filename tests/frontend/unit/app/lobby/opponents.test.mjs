// Tests matches against computer players: the settings of new matches, the computer players' names,
// and matches that the player resumes.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ANN, BOB, at, effects, page, useBrowser } from "../page.mjs";
import { invites, termsAgainst } from "../../../../../frontend-static/app/lobby/opponents.js";
import { computers, levelsOf, setComputers } from "../../../../../frontend-static/names/computers.js";
import { lobbyPage } from "../../../../../frontend-static/views/lobby/page.js";
import { matchPage } from "../../../../../frontend-static/views/match/page.js";

useBrowser();

const CAROL = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const opponent = (game, name, ...addresses) => ({
  game,
  name,
  strength: 1,
  accounts: addresses.map((address) => ({ address, rating: null })),
});
const clock = (minimum, maximum, preset = null) => ({
  name: "clock",
  kind: "clock",
  minimum,
  maximum,
  default: preset,
});
const text = (tree) => JSON.stringify(tree);

test("a match has an hour per move if the game allows it, and no stake", () => {
  const clockOf = (...bounds) => termsAgainst({ inputs: [clock(...bounds)] }, opponent("a", "b", BOB)).clock;
  assert.equal(clockOf(0, 604_800, 0), 3600);
  assert.equal(clockOf(0, 300), 300);
  assert.equal(clockOf(86_400, 259_200), 86_400);
  const inputs = ["opponent", "amount", "token", "int"].map((kind) => ({ name: `the-${kind}`, kind }));
  assert.deepEqual(termsAgainst({ inputs }, opponent("a", "b", BOB)), {
    "the-opponent": BOB,
    "the-amount": "0",
    "the-token": `0x${"0".repeat(40)}`,
  });
  assert.deepEqual([invites({ inputs }), invites({ inputs: [clock(0, 1)] })], [true, false]);
});

test("a press opens a match against a computer, or leads to the page that shows why it can't", async () => {
  const app = await page();
  const [duel, sea] = ["tic-tac-toe", "battleship"].map((slug) => opponent(slug, "perfect", CAROL));
  const [create, invite] = [app.actions.of("tic-tac-toe", "create"), app.actions.of("battleship", "invite")];
  const submitted = [];
  app.actions.submit = (...order) => ({ game: order[0], order: submitted.push(order) });
  create.inputs = [{ name: "challenger", kind: "opponent", label: "Opponent" }, clock(0, 604_800, 0)];
  await app.opponents.play(app.server.games.get("tic-tac-toe"), create, duel);
  assert.deepEqual(submitted, [["tic-tac-toe", create, "", { challenger: CAROL, clock: 3600 }]]);
  assert.deepEqual(app.ui.typed, {}, "the opponent isn't kept for the next match");
  app.ui.typed["battleship.stake"] = "5";
  app.ui.openingTx = null;
  effects.length = 0;
  app.actions.why = () => null;
  await app.opponents.play(app.server.games.get("battleship"), invite, sea);
  assert.deepEqual(submitted[1]?.slice(0, 3), ["battleship", invite, ""], "the match is opened with a random fleet");
  app.ui.openingTx = null;
  app.actions.why = () => ({ key: "battleship.why.storage" });
  await app.opponents.play(app.server.games.get("battleship"), invite, sea);
  assert.ok(
    effects.includes("go to #/new/battleship"),
    "the fleet could not be stored, and the game's page shows that",
  );
  assert.equal(submitted.length, 2);
  assert.deepEqual([app.ui.typed["battleship.opponent"], app.ui.typed["battleship.stake"]], [CAROL, "0"]);
});

test("an unfinished match is resumed if it names its second player", async () => {
  const app = await page();
  const create = { inputs: [{ name: "challenger", kind: "opponent" }] };
  const against = (address) => app.opponents.unfinished(create, opponent("tic-tac-toe", "perfect", address))?.match;
  assert.equal(against(BOB), "tic-tac-toe/2");
  assert.equal(against(CAROL), undefined);
  app.server.board("lobby").matches["tic-tac-toe/1"].opponent = CAROL;
  assert.equal(against(CAROL), "tic-tac-toe/1", "the computer may not have come yet");
  assert.equal(app.opponents.unfinished({ inputs: [] }, opponent("tic-tac-toe", "perfect", BOB)), undefined);
});

test("a requested computer player is shown as coming until it has come, or as unable to come", async () => {
  const app = await page();
  const match = "tic-tac-toe/1";
  app.opponents.list = [opponent("tic-tac-toe", "perfect", CAROL)];
  const board = { ...app.server.board(match), creator: ANN, opponent: undefined };
  app.server.socket.entries.get(match).board = board;
  const drawn = () => {
    at(app, `#/match/${match}`);
    return text(matchPage(app, match));
  };
  assert.match(drawn(), /"id":"ask-computer"/);
  const asked = { name: "perfect", at: Date.now(), account: CAROL };
  app.opponents.requests.set(match, asked);
  assert.match(drawn(), /The computer is joining/);
  assert.equal(app.opponents.joiningComputer(match, { players: { [CAROL]: {} } }), "");
  app.opponents.requests.set(match, { ...asked, at: Date.now() - 60_000 });
  assert.equal(app.opponents.joiningComputer(match, board), "", "the computer can be asked again");
  app.opponents.requests.set(match, { ...asked, why: { key: "problem.opponents-busy", args: { limit: 50 } } });
  assert.match(drawn(), /more games right now \(limit: 50\)/);
  app.server.socket.entries.get(match).board = { ...board, opponent: BOB };
  assert.doesNotMatch(drawn(), /ask-computer/);
  app.server.socket.entries.get(match).board = { ...board, creator: BOB, players: { [BOB]: { seat: 0 } } };
  assert.doesNotMatch(drawn(), /ask-computer/, "other players play this match");
});

test("an absent computer player keeps its name and its place in the list, and its buttons show that it is away", async () => {
  const app = await page();
  const list = [opponent("tic-tac-toe", "perfect", CAROL)];
  app.opponents.setList({ opponents: list, why: "" });
  app.opponents.setList({ opponents: [], why: "" });
  assert.deepEqual([app.opponents.list, app.opponents.why], [list, { key: "opponents.away" }]);
  assert.equal(computers.get(CAROL), "level.easy");
  app.opponents.setList({ opponents: list, why: "" });
  assert.equal(app.opponents.why, null);
  app.opponents.reset();
  app.opponents.setList({ opponents: [], why: "" });
  assert.deepEqual([app.opponents.list, app.opponents.why, computers.size], [[], null, 0]);
});

test("if no computer accepts a match, the card shows why, and Play opens a match that waits", async () => {
  const app = await page();
  app.opponents.list = [opponent("tic-tac-toe", "perfect", CAROL)];
  app.opponents.setList({ opponents: app.opponents.list, why: "…", key: "opponents-busy", args: { limit: 50 } });
  at(app, "#/");
  assert.match(text(lobbyPage(app)), /more games right now \(limit: 50\)/);
  assert.equal(app.quickPlay.easiest(app.server.games.get("tic-tac-toe")), undefined);
  app.opponents.setList({
    opponents: app.opponents.list,
    why: "A newer server’s sentence.",
    key: "some-day",
    args: {},
  });
  assert.match(text(lobbyPage(app)), /A newer server’s sentence\./);
});

test("the page requests no computer that already plays, and none in a game where a computer can't take a seat", async () => {
  const app = await page({ own: [CAROL] });
  const match = "touche-coule/1";
  const [sailor] = Object.keys(app.server.board(match).players);
  delete app.server.board(match).creator; // if a match has no creator, any account may request a computer player
  const seen = (...accounts) => {
    app.opponents.list = [opponent("touche-coule", "lookout", ...accounts)];
    setComputers(levelsOf(app.opponents.list));
    at(app, `#/match/${match}`);
    return text(matchPage(app, match));
  };
  assert.match(seen(sailor, `0x${"1".repeat(40)}`), /ask-computer/);
  const alone = seen(sailor);
  assert.doesNotMatch(alone, /ask-computer/);
  assert.match(alone, /Use the button below to put a ship to sea/);
  assert.doesNotMatch(alone, /Take a seat/);
  setComputers(new Map());
});
