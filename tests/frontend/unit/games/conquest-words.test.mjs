// Tests the texts for Conquest's events and errors, and the form that opens a new match.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as conquest from "../../../../frontend-static/games/conquest/renderer.js";
import { explain } from "../../../../frontend-static/chain/tx/revert-reason.js";
import { worldOf } from "../../../../frontend-static/games/conquest/world.js";
import { t, translate } from "../../../../frontend-static/i18n/translate.js";
import { gameTexts } from "../../node/texts.mjs";
import { Interface, ZeroAddress } from "ethers";
import { ANN, BOB, FIRST, HOME, SECOND, THIRD, graph, open, player, playing, words } from "./conquest-boards.mjs";

await gameTexts("conquest");

const abi = JSON.parse(
  readFileSync(new URL("../../../../contracts/artifacts/Conquest.json", import.meta.url), "utf8"),
).abi;
const board = playing({ [HOME]: { owner: 0, soldiers: 60 }, [FIRST]: { owner: 1, soldiers: 20 } });
const hex = (...bytes) => `0x${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
const bit = (...lands) => String(lands.reduce((mask, land) => mask | (1n << BigInt(land)), 0n));
const event = (name, args) => ({ seq: 1, name, args, block: 5, hash: "0x", tx: "0x1", time: 0 });
const feedTexts = (events, me = "") =>
  events.flatMap((one) => conquest.sentences(one, board, events, me)).map(({ text }) => text);
const name = (land) =>
  `the ${t(`conquest.type.${["", "desert", "forest", "mountain", "coastal", "meadow"][graph.types[land]]}`)} at ${worldOf(board).names[land]}`;
const seed = `0x${"ab".repeat(32)}`;

/** One event of each kind that the contract emits. */
const EVENTS = [
  event("MatchCreated", { creator: ANN, opponent: ZeroAddress }),
  event("PlayerJoined", { player: BOB, seat: 1 }),
  event("Map", { seed, grain: 50, players: 2, graph: board.map.graph }),
  event("Invited", { accounts: [BOB] }),
  event("PlayerLeft", { player: BOB, seat: 1 }),
  event("MatchStarted", {}),
  event("Commanded", { ply: 1, kind: 0, seat: 1, data: hex(FIRST), trail: 3 }),
  event("Commanded", { ply: 1, kind: 1, seat: 1, data: hex(FIRST), trail: 3 }),
  ...[0, 1, 2].map((pass) => event("Commanded", { ply: 1, kind: 3, seat: 1, data: hex(pass), trail: 3 })),
  event("Commanded", { ply: 1, kind: 5, seat: 1, data: hex(FIRST, HOME), trail: 3 }),
  ...[1, 2, 3, 4].flatMap((quarters) =>
    [0, 1].map((hero) =>
      event("Commanded", { ply: 1, kind: 6, seat: 1, data: hex(FIRST, HOME, quarters, hero), trail: 3 }),
    ),
  ),
  event("Phase", { seat: 1, phase: 0, draw: 2 }),
  ...[1, 2, 3, 4].map((kind) => event("Drawn", { kind, entropyBlock: 9, seed, trail: 4 })),
  event("Drawn", { kind: 3, entropyBlock: 9, seed: `0x${"00".repeat(32)}`, trail: 4 }),
  ...[
    { luck: 110, conquered: true },
    { luck: 90, conquered: false },
    { luck: 0, conquered: false },
  ].map((more) =>
    event("BattleResolved", { from: HOME, to: FIRST, attack20: 1200, needed20: 470, damage: 20, ...more }),
  ),
  event("Soldiers", { changes: hex(FIRST, 0, 1, 2) }),
  event("LandsTaken", { lands: bit(FIRST), from: 1, to: 0 }),
  event("LandsTaken", { lands: bit(FIRST, SECOND), from: 1, to: 255 }),
  event("PortBuilt", { land: FIRST }),
  event("HeroAt", { seat: 1, land: FIRST }),
  event("HeroDied", { seat: 1, land: FIRST }),
  event("ItemAppeared", { land: FIRST, fat: false }),
  event("ItemAppeared", { land: FIRST, fat: true }),
  event("ItemExpired", { land: FIRST }),
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((item) => event("ItemCollected", { seat: 1, land: FIRST, item })),
  ...[1, 2, 3, 4].map((item) => event("ItemUsed", { seat: 1, item })),
  event("PlayerOut", { seat: 1, by: 0, reason: 1 }),
  event("PlayerOut", { seat: 1, by: 255, reason: 3 }),
  event("PlayerOut", { seat: 1, by: 255, reason: 4 }),
  ...[1, 2, 3, 4, 6].map((reason) =>
    event("MatchEnded", { winner: reason === 2 || reason === 6 ? ZeroAddress : ANN, reason }),
  ),
];

test("every event of the contract has its sentences, for onlookers and for players", () => {
  const names = abi.filter(({ type }) => type === "event").map((one) => one.name);
  const known = new Set(EVENTS.map((one) => one.name));
  assert.deepEqual(
    names.filter((one) => !known.has(one) && !/^(Seq|Session)/.test(one)),
    [],
  );
  for (const one of EVENTS)
    for (const me of ["", ANN, BOB]) {
      const texts = feedTexts([one], me);
      assert.ok(texts.length > 0, one.name);
      for (const text of texts) assert.doesNotMatch(text, /[{}]|conquest\.|undefined|NaN|  |Seat/, one.name);
    }
});

test('the fall of a capital is reported with all consequences, and the player is "you"', () => {
  const lands = [FIRST, SECOND, THIRD];
  const fall = [
    event("PlayerOut", { seat: 1, by: 0, reason: 1 }),
    event("LandsTaken", { lands: bit(...lands), from: 1, to: 0 }),
  ];
  assert.deepEqual(feedTexts(fall), [
    "Lucid Dunlin lost the capital to Able Dotterel and is out",
    "Able Dotterel took 3 lands with Lucid Dunlin’s capital",
  ]);
  assert.deepEqual(feedTexts(fall, ANN), [
    "Lucid Dunlin lost the capital to you and is out",
    "You took 3 lands with Lucid Dunlin’s capital",
  ]);
  assert.deepEqual(feedTexts(fall, BOB)[1], "Able Dotterel took 3 lands with your capital");
});

test("a capture and an attack have different texts, and lands have the same names as on the map", () => {
  const command = event("Commanded", { ply: 1, kind: 5, seat: 0, data: hex(HOME, THIRD), trail: 3 });
  const capture = [command, event("LandsTaken", { lands: bit(THIRD), from: 255, to: 0 })];
  assert.deepEqual(feedTexts(capture, ANN), [`You captured ${name(THIRD)} from ${name(HOME)}`]);
  assert.deepEqual(feedTexts([command], BOB), [`Able Dotterel attacked ${name(THIRD)} from ${name(HOME)}`]);
});

test("a battle's soldiers are not shown in twentieths", () => {
  const [text] = feedTexts([
    event("BattleResolved", {
      from: HOME,
      to: FIRST,
      attack20: 1210,
      needed20: 470,
      luck: 110,
      damage: 40,
      conquered: true,
    }),
  ]);
  assert.equal(
    text,
    `Battle for ${name(FIRST)}: attack strength 60.5, defence strength 23.5, luck 110%. All defenders fell, so the land was taken`,
  );
});

test("a battle's numbers are those of its plan: soldiers are shared out, and halved by sea", () => {
  const battle = (more) => ({ from: HOME, to: FIRST, attack20: 2220, needed20: 1960, luck: 100, ...more });
  const shared = battle({ damage: 6, conquered: false });
  const two = [event("BattleResolved", shared), event("BattleResolved", { ...shared, to: SECOND })];
  assert.match(
    feedTexts(two)[0],
    /attack strength 55\.5, defence strength 49, luck 100%\. 6 soldiers fell, but the land wasn’t taken/,
  );
  const alone = battle({ damage: 13, conquered: false });
  assert.match(
    feedTexts([event("BattleResolved", alone), event("BattleResolved", alone)])[0],
    /attack strength 111, defence strength 98/,
  );
  const far = graph.bodies[0].filter((land) => land !== HOME && !graph.neighbours[HOME].includes(land))[0];
  const [port] = graph.bodies[0].filter((land) => land !== far && !graph.neighbours[far].includes(land));
  const bySea = { ...battle({ damage: 6, conquered: false }), from: port, to: far };
  assert.match(feedTexts([event("BattleResolved", bySea)])[0], /attack strength 55\.5, defence strength 49/);
});

test("a battle never costs more soldiers than there were", () => {
  const battle = { from: HOME, to: FIRST, attack20: 1200, needed20: 0, luck: 100, damage: 60, conquered: true };
  const taken = event("LandsTaken", { lands: bit(FIRST), from: 1, to: 0 });
  const text = (events) => feedTexts([event("BattleResolved", battle), ...events])[0];
  assert.match(text([taken]), /The land itself had no soldiers, so it was taken/);
  assert.match(text([event("Soldiers", { changes: hex(FIRST, 0, 0, 0) }), taken]), /All defenders fell/);
});

test("the last command is described in a line and has its arrow on the map", () => {
  const last = (more) => ({ ...board, last: { kind: 5, seat: 1, data: hex(FIRST, HOME), ply: 6, ...more } });
  const line = (one, me = ANN) => conquest.turnNote(player(conquest, one, me).view);
  assert.match(line(last({})), /Last move: Lucid Dunlin captured/);
  assert.match(line(last({}), BOB), /Last move: You captured/);
  const battles = [{ from: FIRST, to: HOME, luck: 100, damage: 12, conquered: true }];
  assert.ok(line(last({ battles })).endsWith(`attacked from ${name(FIRST)} and took ${name(HOME)}.`));
  const held = [...battles, { from: FIRST, to: SECOND, luck: 90, damage: 7, conquered: false }];
  assert.match(line(last({ battles: held })), /7 soldiers fell on lands that weren’t taken\.$/);
  assert.match(line(last({ kind: 3, data: "0x02" })), /ran out of time/);
  const { lines } = conquest.picture(player(conquest, last({})).view);
  assert.deepEqual(
    lines.map(({ kind }) => kind),
    ["last"],
  );
});

test("another player's turn is summed up when it is over", () => {
  const command = (kind, ...data) => event("Commanded", { ply: 1, kind, seat: 1, data: hex(...data), trail: 3 });
  const battle = { luck: 100, damage: 5, attack20: 1200, needed20: 400 };
  const events = [
    event("Phase", { seat: 1, phase: 0, draw: 2 }),
    command(1, FIRST),
    event("Phase", { seat: 1, phase: 1, draw: 0 }),
    command(5, FIRST, HOME, FIRST, THIRD),
    event("BattleResolved", { from: FIRST, to: HOME, ...battle, conquered: true }),
    event("BattleResolved", { from: FIRST, to: THIRD, ...battle, conquered: false }),
    command(6, FIRST, SECOND, 2, 0),
    event("Phase", { seat: 0, phase: 0, draw: 2 }),
  ];
  const after = { ...board, last: { kind: 6, seat: 1, data: hex(FIRST, SECOND, 2, 0), ply: 6 } };
  const { names } = worldOf(board);
  const line = (me) => conquest.turnNote({ ...player(conquest, after, me).view, events });
  assert.ok(
    line(ANN).endsWith(
      `Lucid Dunlin’s last turn: reinforced ${names[FIRST]}; attacked and took ${names[HOME]}, ` +
        `attacked ${names[THIRD]} without success; moved soldiers from ${names[FIRST]} to ${names[SECOND]}.`,
    ),
  );
  assert.match(line(BOB), /Last move: You moved soldiers/);
});

test("every error has a text that a player understands", () => {
  const own = new Interface(abi);
  const errors = abi.filter(({ type }) => type === "error");
  assert.ok(errors.length > 25);
  for (const { name: error, inputs } of errors) {
    const values = inputs.map(({ type }) => (type === "address" ? ANN : type === "bool" ? true : 1));
    const text = translate(explain({ data: own.encodeErrorResult(error, values) }, abi, "conquest").sentence);
    assert.doesNotMatch(text, /[{}]|twentieth|ply|trail|refused this/, error);
    assert.match(text, /\.$/, error);
  }
  assert.match(t("conquest.error.NotStronger"), /more soldiers .* an equal number isn’t enough/);
  assert.match(t("conquest.error.OtherPosition"), /luck changed too/);
});

const OPPONENTS = [
  { game: "conquest", name: "dumb", strength: 1, accounts: [{ address: BOB, rating: null }] },
  { game: "conquest", name: "minmax", strength: 3, accounts: [{ address: ANN, rating: null }] },
];
const before = (opponents = OPPONENTS, state = {}) => ({
  ...{ match: "", board: {}, me: `0x${"77".repeat(20)}`, selected: 0, pending: [], opponents },
  draft: { state, change: () => undefined },
});

test("a new match has a map and the weakest computer in the second seat, so one press is enough", () => {
  const context = before();
  conquest.prepare(context);
  const values = conquest.args(context, { name: "create" }, {});
  assert.match(values.seed, /^0x[0-9a-f]{64}$/);
  assert.deepEqual([values.grain, values.players, values.invited, values.rematchOf], [76, 2, [BOB], 0]);
  assert.equal(worldOf({ map: values }).foreign, false);
  assert.equal(conquest.why(context, { name: "create" }, {}), null);
});

test("the computer that was pressed on the lobby card has the seat, and without computers the seat is open", () => {
  const chosen = before(OPPONENTS, { opponent: "minmax" });
  conquest.prepare(chosen);
  assert.deepEqual(conquest.args(chosen, { name: "create" }, {}).invited, [ANN]);
  const alone = before([]);
  conquest.prepare(alone);
  assert.deepEqual(conquest.args(alone, { name: "create" }, {}).invited, [ZeroAddress]);
});

test("invalid combinations are shown before anything is sent", () => {
  const context = before();
  conquest.prepare(context);
  const { state } = context.draft;
  const why = () => conquest.why(context, { name: "create" }, {})?.key ?? null;
  state.players = 3;
  state.seats[1].who = "dumb";
  assert.equal(why(), "conquest.why.few-computers");
  Object.assign(state.seats[1], { who: "address", address: "0x12" });
  assert.equal(why(), "conquest.why.seat-address");
  state.seats[1].address = BOB;
  assert.equal(why(), "conquest.why.twice");
  state.seats[1].address = context.me;
  assert.equal(why(), "conquest.why.twice");
  state.seats[1].who = "anyone";
  assert.equal(why(), null);
});

test("the choices for a new match and its map are drawn", () => {
  const context = before();
  conquest.prepare(context);
  const tree = conquest.form(context, { name: "create" }, "new");
  assert.match(words(tree), /\d+ lands, \d+ seas?/);
  assert.match(words(tree), /Computer: Easy/);
  assert.equal(conquest.form({ ...context, match: "conquest/1", board: open() }, { name: "join" }, "join"), null);
});

test("planned attacks are listed with their possible effect, and each can be taken back", () => {
  const { view, press } = player(
    conquest,
    playing({ [HOME]: { owner: 0, soldiers: 90 }, [FIRST]: { owner: 1, soldiers: 20 } }),
  );
  assert.equal(conquest.form(view, { name: "attack" }, "attack"), null);
  press(worldOf(view.board).centres[HOME]);
  press(worldOf(view.board).centres[FIRST]);
  const list = conquest.form(view, { name: "attack" }, "attack");
  assert.match(words(list), /: 90 soldiers against 20\. You’re sure to take the land\./);
  list.children[0].children[1].props.onclick();
  assert.equal(conquest.form(view, { name: "attack" }, "attack"), null);
});
