// Tests Conquest's renderer: the clicks that plan a command, the buttons that send a command, and
// the numbers in battles.
import assert from "node:assert/strict";
import { test } from "node:test";

import * as conquest from "../../../../frontend-static/games/conquest/renderer.js";
import {
  attack20,
  connection,
  damage,
  defence20,
  isStronger,
  soldiersText,
  strike,
} from "../../../../frontend-static/games/conquest/battle.js";
import { CELLS, worldOf } from "../../../../frontend-static/games/conquest/world.js";
import { t, translate } from "../../../../frontend-static/i18n/translate.js";
import { gameTexts } from "../../node/texts.mjs";
import {
  ANN,
  BOB,
  EVE,
  FIRST,
  HOME,
  SECOND,
  THIRD,
  battles,
  graph,
  open,
  player,
  playing,
  words,
} from "./conquest-boards.mjs";

await gameTexts("conquest");

const { args, autoMove, buttonText, isOffered, picture, turnText, why } = conquest;
const named = (name) => ({ name, inputs: [] });
const cellOf = (board, land) => worldOf(board).centres[land];
const strong = (more = {}) =>
  playing(
    { [HOME]: { owner: 0, soldiers: 60 }, [FIRST]: { owner: 1, soldiers: 20 }, [SECOND]: { owner: 1, soldiers: 5 } },
    more,
  );
const offered = (view) =>
  [
    "chooseCapital",
    "reinforce",
    "buildPort",
    "capture",
    "attack",
    "move",
    "pass",
    "useItem",
    "surrender",
    "settle",
  ].filter((name) => isOffered(view, named(name)));
const note = (view) => `${translate(turnText(view.board, view.me, view))} ${conquest.turnNote(view)}`;

/**
 * Convert a battle from the test vectors to the page's form: a world and a board. The lands are the
 * attacker's, the victim's, and the lands that support the victim by land and by sea.
 */
function positionOf(battle) {
  const all = battle.soldiers.length;
  const owner = (land) => (battle.attacker.includes(land) ? 0 : 1);
  const lands = battle.soldiers.map((soldiers, land) => ({
    soldiers,
    ...(battle.attacker.includes(land) || battle.victim.includes(land) ? { owner: owner(land) } : {}),
    ...(battle.ports.includes(land) ? { port: true } : {}),
  }));
  const neighbours = Array.from({ length: all }, (_, land) =>
    land === 1 ? battle.near : battle.near.includes(land) ? [1] : [],
  );
  const world = { graph: { neighbours, bodies: battle.shore.length ? [battle.shore] : [] } };
  const seats = Object.fromEntries(battle.heroes.map((hero, seat) => [seat, { alive: true, hero: hero ?? undefined }]));
  const board = { lands: { ...lands }, seats, used: battle.full ? [2] : [] };
  return { world, board };
}

test("each battle in the vectors has the attack, the defence and the damage that the rules demand", () => {
  assert.equal(battles.length, 20);
  for (const battle of battles) {
    const { world, board } = positionOf(battle);
    const { expected } = battle;
    const one = strike(world, board, 0, 1, battle.launched);
    assert.equal(one.attack20, expected.attack20);
    assert.equal(defence20(world, board, 1), expected.defence20);
    assert.equal(one.isSea, expected["by sea"]);
    if (expected.needed20 !== undefined) assert.equal(one.needed20, expected.needed20);
    assert.equal(isStronger(one), expected.allowed);
    if (expected.allowed) assert.equal(damage(one, battle.luck), expected.damage);
  }
});

test("soldiers are shown as people count them, never in twentieths", () => {
  assert.equal(soldiersText(460), "23");
  assert.equal(soldiersText(470), "23.5");
  assert.equal(soldiersText(470, 2), "11.8");
});

test("a path crosses water only if it begins at a port", () => {
  const board = playing({});
  const world = worldOf(board);
  const [a, b] = graph.bodies[0].filter((land, _, all) => !graph.neighbours[all[0]].includes(land)).slice(0, 2);
  assert.equal(connection(world, board, a, b), "");
  const with_ = playing({ [a]: { port: true } });
  assert.equal(connection(world, with_, a, b), "sea");
  assert.equal(connection(world, with_, b, a), "");
  assert.equal(connection(world, board, a, a), "");
});

test("two presses plan a capture, and only a button sends it", () => {
  const board = strong();
  const { view, press } = player(conquest, board);
  assert.equal(press(cellOf(board, THIRD)), null);
  assert.match(note(view), /First press one of your lands/);
  assert.equal(press(cellOf(board, HOME)), null);
  assert.equal(translate(why(view, named("capture"))), t("conquest.why.no-target"));
  assert.equal(press(cellOf(board, THIRD)), null);
  assert.equal(why(view, named("capture")), null);
  assert.deepEqual(args(view, named("capture"), {}), { ply: 7, trail: 99, from: HOME, to: THIRD });
  assert.match(translate(buttonText(view, "capture").label), /^Capture the \w+ at [A-P]\d+$/);
  press(cellOf(board, THIRD));
  assert.notEqual(why(view, named("capture")), null, "a second press has taken the plan back");
});

test("attacks are arrows with their surplus and range, and pressing an arrow or its land takes the attack back", () => {
  const board = strong();
  const { view, press } = player(conquest, board);
  press(cellOf(board, HOME));
  press(cellOf(board, FIRST));
  const arrows = picture(view).lines.filter(({ label }) => label);
  assert.equal(arrows.length, 1);
  assert.deepEqual([arrows[0].kind, arrows[0].label], ["sure", "sure to be taken"]);
  assert.equal(why(view, named("pass")).key, "conquest.why.pass-attacks");
  assert.deepEqual(offered(view), ["buildPort", "attack", "pass", "useItem", "surrender"]);
  assert.equal(translate(buttonText(view, "attack").label), "Launch 1 attack");
  assert.equal(
    args(view, named("attack"), {}).pairs,
    `0x${[HOME, FIRST].map((land) => land.toString(16).padStart(2, "0")).join("")}`,
  );
  press(arrows[0].press);
  assert.deepEqual(offered(view), ["buildPort", "capture", "pass", "useItem", "surrender"]);
  press(cellOf(board, FIRST));
  press(cellOf(board, FIRST));
  assert.equal(picture(view).lines.filter(({ label }) => label).length, 0);
});

test("an attack that is only as strong as the defence is rejected with a reason", () => {
  const equal = playing({ [HOME]: { owner: 0, soldiers: 40 }, [FIRST]: { owner: 1, soldiers: 40 } });
  const { view, press } = player(conquest, equal);
  press(cellOf(equal, HOME));
  press(cellOf(equal, FIRST));
  assert.match(note(view), /isn’t enough to take the forest at A1: 40 soldiers against 40\. You need more/);
  assert.equal(picture(view).lines.length, 0);
});

test("several attacks share their strength, and an attack that would make another too weak is not planned", () => {
  const board = playing({
    [HOME]: { owner: 0, soldiers: 60 },
    [FIRST]: { owner: 1, soldiers: 25 },
    [THIRD]: { owner: 1, soldiers: 25 },
  });
  board.seats[1].capital = FIRST;
  const { view, press } = player(conquest, board);
  press(cellOf(board, HOME));
  press(cellOf(board, FIRST));
  press(cellOf(board, THIRD));
  const share = defence20(worldOf(board), board, THIRD) / 20;
  assert.equal(picture(view).lines.filter(({ label }) => label).length, share < 30 ? 2 : 1);
  const weak = playing({
    [HOME]: { owner: 0, soldiers: 60 },
    [FIRST]: { owner: 1, soldiers: 35 },
    [THIRD]: { owner: 1, soldiers: 35 },
  });
  const other = player(conquest, weak);
  other.press(cellOf(weak, HOME));
  other.press(cellOf(weak, FIRST));
  other.press(cellOf(weak, THIRD));
  assert.match(note(other.view), /Too weak/);
});

test("a press on water is explained, and a long-range attack may choose any land once", () => {
  const board = strong({ used: [1] });
  const { view, press } = player(conquest, board);
  assert.match(note(view), /Your distant attack: press one land that isn’t yours/);
  press(worldOf(board).cells.findIndex((land) => land >= 128));
  assert.match(note(view), /That’s water/);
  press(cellOf(board, HOME));
  assert.match(note(view), /Your distant attack: from the/);
  const moving = player(conquest, strong({ phase: "move" }));
  moving.press(cellOf(board, HOME));
  assert.equal(conquest.optionText(moving.view, "move", "quarters", 2, "half"), "half (30)");
});

test("lands that can be beaten are distinguished from others and show their defence", () => {
  const board = strong();
  const { view, press } = player(conquest, board);
  press(cellOf(board, HOME));
  const { regions } = picture(view).map;
  assert.deepEqual(regions[FIRST].marks, ["beatable"]);
  assert.equal(regions[FIRST].note, String(Math.round(defence20(worldOf(board), board, FIRST) / 20)));
  assert.deepEqual(regions[HOME].marks, ["selected"]);
  assert.deepEqual(regions[THIRD].marks, ["capture"]);
  board.lands[FIRST].soldiers = 500;
  assert.deepEqual(picture(view).map.regions[FIRST].marks, ["strong"]);
});

test("before the press, the page and the arrow show if a land falls for sure, with luck or not at all", () => {
  const at = (soldiers) => {
    const board = playing({ [HOME]: { owner: 0, soldiers }, [FIRST]: { owner: 1, soldiers: 40 } });
    const { view, press } = player(conquest, board);
    const before = note(view);
    press(cellOf(board, HOME));
    const [mark] = picture(view).map.regions[FIRST].marks;
    press(cellOf(board, FIRST));
    const [arrow] = picture(view).lines.filter(({ label }) => label);
    const card = words(conquest.inspect(view, cellOf(board, FIRST)));
    return { before, mark, kind: arrow.kind, label: arrow.label, card };
  };
  const [sure, maybe, hurts] = [at(95), at(80), at(70)];
  assert.deepEqual([sure.mark, sure.kind], ["beatable", "sure"]);
  assert.match(sure.card, /is sure to take this land/);
  assert.deepEqual(
    [maybe.mark, maybe.kind, maybe.label],
    ["chance", "attack", "taken with luck; loses 32–48 of its 40 soldiers"],
  );
  assert.match(maybe.before, /Thick or double outline: you can take the land/);
  assert.deepEqual([hurts.mark, hurts.kind], ["weakened", "hurts"]);
  assert.equal(hurts.label, "can’t be taken; loses 24–36 of its 40 soldiers");
  assert.match(hurts.card, /can’t take this land, but 24–36 of its 40 soldiers would fall/);
  assert.match(hurts.before, /Thin outline: you can only weaken the land/);
});

test("a plan belongs to its position, so a command or a reorg removes it", () => {
  const board = strong();
  const { view, press } = player(conquest, board);
  press(cellOf(board, HOME));
  press(cellOf(board, FIRST));
  view.board = { ...board, trail: 100 };
  assert.equal(picture(view).lines.length, 0);
  assert.equal(isOffered(view, named("attack")), false);
});

test("a move sets headquarters and takes the hero only from where he stands", () => {
  const board = playing({ [HOME]: { owner: 0, soldiers: 9 }, [FIRST]: { owner: 0 } }, { phase: "move" });
  const { view, press } = player(conquest, board);
  press(cellOf(board, HOME));
  press(cellOf(board, FIRST));
  assert.deepEqual(args(view, named("move"), { hero: true }), {
    ply: 7,
    trail: 99,
    from: HOME,
    to: FIRST,
    hero: false,
  });
  assert.equal(conquest.hasInput(view, "move", "hero"), false);
  board.seats[0].hero = HOME;
  assert.equal(args(view, named("move"), { hero: true }).hero, true);
  assert.equal(conquest.hasInput(view, "move", "hero"), true);
  assert.equal(t("conquest.input.quarters.2"), "half");
});

test("the page warns of a capital next to another capital before it is chosen, and afterwards", () => {
  const board = playing(
    { [FIRST]: { owner: 1 } },
    { phase: "capital", seats: { 0: { alive: true }, 1: { alive: true, capital: FIRST } } },
  );
  const { view, press } = player(conquest, board);
  press(cellOf(board, HOME));
  assert.match(note(view), /Careful: .* is next to Lucid Dunlin’s capital/);
  assert.equal(why(view, named("chooseCapital")), null);
  press(cellOf(board, FIRST));
  assert.match(note(view), /it’s .+’s capital/);
  assert.match(words(conquest.notices({ ...view, board: strong() })), /is next to yours/);
});

test("all buttons of a turn are offered in each phase, and one of them is the main button", () => {
  for (const [phase, main] of Object.entries({
    capital: "chooseCapital",
    reinforcement: "reinforce",
    action: "capture",
    move: "move",
  })) {
    const { view } = player(conquest, strong({ phase }));
    assert.deepEqual(offered(view).sort(), ["buildPort", main, "pass", "surrender", "useItem"].sort(), phase);
    assert.deepEqual(offered({ ...view, board: strong({ phase, mover: BOB }) }).sort(), offered(view).sort());
  }
  assert.deepEqual(offered(player(conquest, strong(), EVE).view), []);
  const out = strong({ seats: { 0: { alive: false }, 1: { alive: true, capital: FIRST } } });
  assert.deepEqual(offered(player(conquest, out).view), []);
  assert.ok(conquest.needsSecondPress.includes("surrender"));
  assert.equal(buttonText(player(conquest, strong({ phase: "reinforcement" })).view, "pass").twice, true);
});

test("nothing else is sent while luck is drawn, and the mover's page settles once the block exists", () => {
  const board = strong({ draw: { kind: "battle", block: 20 } });
  const { view } = player(conquest, board);
  assert.equal(why(view, named("attack")).key, "conquest.why.drawing");
  assert.equal(why(view, named("settle")).key, "conquest.why.drawing");
  assert.equal(autoMove(view), null);
  const later = { ...view, head: { height: 21 } };
  assert.deepEqual(autoMove(later), { action: "settle", args: {} });
  assert.equal(why(later, named("settle")), null);
  assert.equal(autoMove({ ...later, me: BOB }), null);
  const first = { ...later, board: { ...board, mover: undefined, draw: { kind: "first", block: 20 } } };
  assert.deepEqual([autoMove(first), autoMove({ ...first, me: BOB })], [{ action: "settle", args: {} }, null]);
  assert.match(note(later), /Rolling for luck in the attack/);
});

test("only one command is pending at a time", () => {
  const { view } = player(conquest, strong(), ANN, {
    pending: [{ account: ANN, action: "reinforce", id: "1", state: "sent" }],
  });
  assert.equal(why(view, named("pass")).key, "why.on-its-way");
});

test("a port needs an own land at the water that has no port yet", () => {
  const dry = graph.neighbours.findIndex((_, land) => !graph.bodies.some((lands) => lands.includes(land)));
  const [shore] = graph.bodies[0];
  const board = playing({ [shore]: { owner: 0 }, [dry]: { owner: 0 } });
  const { view, press } = player(conquest, board);
  assert.equal(why(view, named("buildPort")).key, "conquest.why.port-where");
  press(cellOf(board, dry));
  assert.equal(why(view, named("buildPort")).key, "conquest.why.port-dry");
  press(cellOf(board, shore));
  assert.equal(why(view, named("buildPort")), null);
  assert.deepEqual(args(view, named("buildPort"), {}), { ply: 7, trail: 99, land: shore });
  board.lands[shore].port = true;
  assert.equal(why(view, named("buildPort")).key, "conquest.why.port-there");
});

test("a player may join if a seat is free and the map fits its seed", () => {
  const join = (board, me = EVE) => why(player(conquest, board, me).view, named("join"))?.key ?? null;
  assert.equal(join(open()), null);
  assert.equal(join(open(), ANN), "why.own-match");
  assert.equal(join(open({ opponent: BOB, invited: { 1: BOB } })), "why.not-invited");
  assert.equal(join(open({ opponent: BOB, invited: { 1: BOB, 2: EVE } })), null);
  const foreign = open({ map: { ...open().map, seed: `0x${"22".repeat(32)}` } });
  assert.equal(join(foreign), "conquest.why.foreign");
  assert.equal(picture(player(conquest, foreign, EVE).view).map.regions.length, graph.types.length);
  assert.match(words(conquest.notices(player(conquest, foreign, EVE).view)), /isn’t rated/);
});

test("the end of a match shows why computers gave up", () => {
  const ended = strong({ status: "finished", reason: "resigned", winner: ANN });
  assert.match(note(player(conquest, ended).view), /The computer resigns when no human players are left/);
});

test("a land's description includes what is needed to take it", () => {
  const board = strong();
  board.lands[SECOND].item = { fat: false, turns: 3 };
  const { view } = player(conquest, board);
  const description = (land, me = ANN) => conquest.describe({ ...view, me }, cellOf(board, land));
  assert.match(description(HOME), /yours, 60 soldiers, defends with 60 soldiers, capital/);
  assert.match(description(FIRST), /Lucid Dunlin’s land, 20 soldiers, defends with \d+ soldiers, capital/);
  assert.match(description(SECOND), /item here for 3 more turns/);
  assert.match(description(THIRD), /neutral, 10 soldiers/);
  assert.equal(conquest.describe(view, CELLS + 3), "the sea");
  const card = (land, me = ANN) => words(conquest.inspect({ ...view, me }, cellOf(board, land)));
  assert.match(card(HOME), /attacks with 60 soldiers/);
  assert.match(card(FIRST), /your best attack \(60 soldiers from [A-P]\d+\)/);
  assert.match(card(THIRD), /without a fight/);
  assert.doesNotMatch(card(THIRD, EVE), /you/);
  assert.equal(attack20(board, HOME), 1200);
});

test("each land has its own name on the map", () => {
  const { names } = worldOf(strong());
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.every((name) => /^[A-P]([1-9]|1[0-6])$/.test(name)));
});

test("a map is shown before a match", () => {
  const { view } = player(conquest, { status: "none", players: {}, seats: {}, lands: {} }, "");
  assert.ok(picture(view).map.regions.length > 20);
});

test("the land of a pending command is marked until the board changes", () => {
  const pending = (action, account = ANN) => ({ id: "1", state: "sent", match: "conquest/1", account, action });
  const { view, press } = player(conquest, playing({ [HOME]: { owner: 0, soldiers: 60 } }));
  const waiting = () => picture(view).waiting;
  press(cellOf(view.board, HOME));
  press(cellOf(view.board, SECOND));
  assert.deepEqual(waiting(), [], "planned only");
  view.pending = [pending("capture")];
  assert.deepEqual(waiting(), [cellOf(view.board, SECOND)]);
  view.pending = [pending("pass")];
  assert.deepEqual(waiting(), [], "the command has no land");
  view.pending = [pending("capture", BOB)];
  assert.deepEqual(waiting(), [], "another seat's");
  view.pending = [pending("capture")];
  view.board = { ...view.board, ply: 8 };
  assert.deepEqual(waiting(), []);
  const attack = player(conquest, strong());
  attack.press(cellOf(attack.view.board, HOME));
  attack.press(cellOf(attack.view.board, FIRST));
  attack.press(cellOf(attack.view.board, SECOND));
  attack.view.pending = [pending("attack")];
  assert.deepEqual(
    picture(attack.view).waiting,
    [FIRST, SECOND].map((land) => cellOf(attack.view.board, land)),
  );
});

test("the attacked player is notified first, then the player whose turn begins", () => {
  const { voices } = conquest;
  const before = strong();
  const mover = (address) => ({ ...before, mover: address });
  assert.deepEqual(voices(mover(BOB), mover(ANN)), [1]);
  assert.deepEqual(voices(mover(ANN), mover(ANN)), []);
  const attacks = [
    [HOME, FIRST],
    [HOME, SECOND],
  ];
  assert.deepEqual(voices({ ...mover(ANN), attacks }, mover(ANN)), [1]);
  assert.deepEqual(voices({ ...mover(ANN), attacks }, { ...mover(ANN), attacks }), []);
  assert.deepEqual(voices({ ...mover(ANN), attacks }, mover(BOB)), [1, 0]);
  assert.deepEqual(voices({ ...mover(BOB), status: "finished" }, mover(ANN)), []);
});
