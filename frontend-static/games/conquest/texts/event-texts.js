/**
 * The sentences for each event, and for the last command. games/shared/event-texts.js has the
 * sentences for the events that all games share. This module has no side effects.
 */

import { matchSentences } from "../../shared/event-texts.js";
import { t } from "../../../i18n/translate.js";
import { nameOf } from "../../../names/names.js";
import { inSeat } from "../../shared/duel.js";
import { bits } from "../../shared/contract-view.js";
import { divisorOf, soldiersText } from "../battle.js";
import { bytesOf, lastOf, pairsOf } from "./last-command.js";
import { turnParts } from "./turn-summary.js";
import { landName, worldOf } from "../world.js";

/** @import { ChainEvent, Json, Sentence } from "../../../types.js" */

const NOBODY = 255;
const [CAPITAL, REINFORCE, PASS, ATTACK, MOVE] = [0, 1, 3, 5, 6];
const DRAWS = ["none", "first", "turn", "battle", "collect"];
const PASSES = ["turn", "phase", "forced"];
const NAMED = 4;
const CHANGE = 4;
/** @type {Record<number, string>} */
const OUT = { 1: "captured", 3: "resigned", 4: "timeout" };

/** The context of a sentence: the board, the viewer, and the events in the same transaction. @typedef {{board: Json, me: string, events: ChainEvent[]}} Teller */

/** Return the name of a seat's player as the subject of a sentence. @param {Teller} teller @param {number} seat */
const who = (teller, seat) => named(teller, seat, "conquest.you.subject");

/** @param {Teller} teller @param {number} seat */
const whom = (teller, seat) => named(teller, seat, "conquest.you.object");

/** @param {Teller} teller @param {number} seat */
const whose = (teller, seat) => {
  const address = inSeat(teller.board, seat);
  return address && address === teller.me
    ? t("conquest.you.owner")
    : t("conquest.owner", { name: named(teller, seat, "conquest.you.object") });
};

/** @param {Teller} teller @param {number} seat @param {string} you */
function named({ board, me }, seat, you) {
  const address = inSeat(board, seat);
  if (address && address === me) return t(you);
  return address ? nameOf(address) : t("conquest.seat.number", { n: seat + 1 });
}

/** @param {Teller} teller @param {number} land */
const at = ({ board }, land) => landName(worldOf(board), land);

/** @param {string} key @param {Json} args @param {string} [tone] @param {boolean} [minor] @returns {Sentence} */
const say = (key, args, tone = "plain", minor = false) => ({ text: t(`conquest.feed.${key}`, args), tone, minor });

/** @param {Teller} teller @param {number[]} lands */
const listed = (teller, lands) => {
  const names = lands.slice(0, NAMED).map((land) => at(teller, land));
  const more = lands.length - names.length;
  return names.join(", ") + (more ? t("conquest.feed.and-more", { n: more }) : "");
};

/** @type {Record<string, (args: Json, teller: Teller) => Sentence[]>} */
const TEXTS = {
  Map: ({ players }, { board }) => [say("Map", { n: board.map?.lands, players }, "quiet")],
  Invited: ({ accounts }) => {
    const names = accounts.filter((/** @type {string} */ one) => BigInt(one) > 0n).map(nameOf);
    return names.length ? [say("Invited", { names: names.join(", ") }, "quiet")] : [];
  },
  PlayerLeft: ({ player }, { me }) => [
    say("PlayerLeft", { who: player === me ? t("conquest.you.subject") : nameOf(player) }, "quiet"),
  ],
  Commanded: ({ kind, seat, data }, teller) => commandSentences(kind, seat, bytesOf(data), teller),
  Phase: ({ seat, draw }, teller) =>
    DRAWS[draw] === "turn" ? [say("Phase-turn", { whose: whose(teller, seat) }, "quiet", true)] : [],
  Drawn: ({ kind, seed }, { board, events }) => [
    ...(DRAWS[kind] === "first" && board.first !== undefined
      ? [say("Drawn-first", { who: nameOf(inSeat(board, board.first) || "0x") })]
      : []),
    ...(BigInt(seed) === 0n
      ? [say("Drawn-gone", {}, "quiet")]
      : DRAWS[kind] === "turn" && isEmptyDraw(events)
        ? []
        : [say(`Drawn-${DRAWS[kind] ?? "none"}`.replace("Drawn-first", "Drawn"), {}, "quiet", true)]),
  ],
  BattleResolved: battleSentences,
  Soldiers: ({ changes }, teller) => {
    const all = changesOf(changes);
    const names = all.slice(0, NAMED).map(({ land, n }) => t("conquest.feed.count", { land: at(teller, land), n }));
    const more = all.length - names.length;
    const list = names.join(", ") + (more ? t("conquest.feed.and-more", { n: more }) : "");
    return [say("Soldiers", { list }, "quiet", true)];
  },
  LandsTaken: takenSentences,
  PortBuilt: ({ land }, teller) => {
    const seat = teller.events.find(({ name }) => name === "Commanded")?.args.seat ?? -1;
    return [say("PortBuilt", { who: who(teller, seat), land: at(teller, land) })];
  },
  HeroAt: ({ seat, land }, teller) => [say("HeroAt", { whose: whose(teller, seat), land: at(teller, land) })],
  HeroDied: ({ seat, land }, teller) => [
    say("HeroDied", { whose: whose(teller, seat), land: at(teller, land) }, "hit"),
  ],
  ItemAppeared: ({ land, fat }, teller) => [say(`ItemAppeared-${fat ? "fat" : "plain"}`, { land: at(teller, land) })],
  ItemExpired: ({ land }, teller) => [say("ItemExpired", { land: at(teller, land) }, "quiet")],
  ItemCollected: ({ seat, land, item }, teller) => [
    say(`ItemCollected-${item}`, { who: who(teller, seat), land: at(teller, land) }, "loud"),
  ],
  ItemUsed: ({ seat, item }, teller) => [say(`ItemUsed-${item}`, { who: who(teller, seat) })],
  PlayerOut: ({ seat, by, reason }, teller) => [
    say(
      `PlayerOut-${OUT[reason] ?? "timeout"}`,
      { who: who(teller, seat), by: by === NOBODY ? "" : whom(teller, by) },
      "loud",
    ),
  ],
  MatchEnded: ({ winner, reason }, { me }) =>
    winner && winner === me && reason !== 2 ? [say("you-won", {}, "loud")] : [],
};

/** Return true if a draw that was settled together with a command produced no item. @param {ChainEvent[]} events */
const isEmptyDraw = (events) =>
  events.some(({ name }) => name === "Commanded") && !events.some(({ name }) => name === "ItemAppeared");

/** @param {string} changes @returns {{land: number, n: number}[]} */
function changesOf(changes) {
  const all = bytesOf(changes);
  return Array.from({ length: all.length / CHANGE }, (_, i) => {
    const [land, high, middle, low] = all.slice(CHANGE * i, CHANGE * (i + 1));
    return { land, n: 65_536 * high + 256 * middle + low };
  });
}

/** @param {number} kind @param {number} seat @param {number[]} data @param {Teller} teller @returns {Sentence[]} */
function commandSentences(kind, seat, data, teller) {
  const by = { who: who(teller, seat), whose: whose(teller, seat) };
  if (kind === CAPITAL) return [say("capital", { ...by, land: at(teller, data[0]) })];
  if (kind === REINFORCE) return [say("reinforce", { ...by, land: at(teller, data[0]) })];
  if (kind === PASS) return [say(`pass-${PASSES[data[0]] ?? "turn"}`, by, data[0] === 2 ? "hit" : "quiet")];
  if (kind === MOVE) return [say(`move-${data[2]}${data[3] ? "-hero" : ""}`, { ...by, ...way(teller, data) })];
  if (kind !== ATTACK) return []; // the other commands have their own events
  const pairs = pairsOf(data, "attack");
  const captured = teller.events.some(
    ({ name, args }) => name === "LandsTaken" && args.from === NOBODY && args.to === seat,
  );
  return pairs.map((pair) => say(captured ? "capture" : "attack", { ...by, ...way(teller, pair) }));
}

/** @param {Teller} teller @param {number[]} pair */
const way = (teller, [from, to]) => ({ from: at(teller, from), land: at(teller, to) });

/** @param {Json} battle @param {Teller} teller @returns {Sentence[]} */
function battleSentences(battle, teller) {
  const { from, to, attack20, needed20, luck, damage, conquered } = battle;
  if (!luck) return [say("BattleResolved-skipped", way(teller, [from, to]), "quiet")];
  const launched = teller.events.filter(({ name }) => name === "BattleResolved").length;
  const divisor = divisorOf(worldOf(teller.board), battle, Math.max(1, launched));
  const words = {
    ...way(teller, [from, to]),
    ...{ own: soldiersText(attack20, divisor), needed: soldiersText(needed20, divisor), luck, n: damage },
  };
  const end = conquered ? (wasEmpty(battle, teller) ? "empty" : "conquered") : "held";
  return [say(`BattleResolved-${end}`, words, conquered ? "hit" : "plain")];
}

/** Return true if the land had no soldiers when it fell. If so, no event sets its soldiers to 0. @param {Json} battle @param {Teller} teller */
function wasEmpty(battle, { events }) {
  const at = events.findIndex(({ args }) => args === battle);
  const rest = events.slice(at + 1);
  const next = rest.findIndex(({ name }) => name === "BattleResolved");
  const own = next < 0 ? rest : rest.slice(0, next);
  const fell = (/** @type {ChainEvent} */ { name, args }) =>
    name === "Soldiers" && changesOf(args.changes).some(({ land, n }) => land === battle.to && n === 0);
  return own.length > 0 && !own.some(fell);
}

/**
 * Return the sentence for lands that were taken. A capture has no sentence here, because its
 * command already has a sentence. If a capital fell, the sentence covers all the lands that fell
 * with it.
 * @param {Json} args @param {Teller} teller @returns {Sentence[]}
 */
function takenSentences({ lands, from, to }, teller) {
  const all = bits(String(lands));
  const words = {
    n: all.length,
    list: listed(teller, all),
    who: who(teller, to),
    whom: whom(teller, from),
    whose: whose(teller, from),
  };
  if (to === NOBODY) return [say("LandsTaken-freed", words)];
  if (from === NOBODY) return [];
  const withCapital = teller.events.some(({ name, args }) => name === "PlayerOut" && args.seat === from);
  return [say(withCapital ? "LandsTaken-capital" : "LandsTaken", words, "loud")];
}

/** @param {ChainEvent} event @param {Json} board @param {ChainEvent[]} [events] the events of the same transaction @param {string} [me] the viewer @returns {Sentence[]} */
export function sentences(event, board, events = [event], me = "") {
  const own = TEXTS[event.name]?.(event.args, { board, me, events }) ?? [];
  return own.length || (TEXTS[event.name] && event.name !== "MatchEnded") ? own : matchSentences("conquest", event);
}

/**
 * Return a line about the last command or about the turn that it ended, or "" before the first
 * command.
 * @param {Json} board @param {string} me @param {ChainEvent[]} [events] the known events @param {number} [seq] the board's event number
 */
export function lastText(board, me, events = [], seq = undefined) {
  const last = lastOf(board);
  if (!last) return "";
  const teller = { board, me, events: [] };
  const parts = last.seat === seatNumber(board, me) ? [] : turnParts(board, events, seq);
  if (parts.length) return t("conquest.last.turn", { whose: whose(teller, last.seat), parts: parts.join("; ") });
  const [from, to] = last.data;
  const words = { who: who(teller, last.seat), land: "", from: "" };
  if (["capital", "reinforce", "port"].includes(last.kind)) words.land = at(teller, from);
  if (["attack", "move"].includes(last.kind)) Object.assign(words, way(teller, [from, to]));
  return t(`conquest.last.${lastKey(board, last)}`, { ...words, ...tally(board, teller) });
}

/** @param {Json} board @param {string} me */
const seatNumber = ({ players = {} }, me) => players[me]?.seat;

/** @param {Json} board @param {{kind: string, data: number[]}} last */
function lastKey({ last, draw }, { kind, data }) {
  if (kind === "pass") return `pass-${PASSES[data[0]] ?? "turn"}`;
  if (kind !== "attack") return kind;
  if (draw?.kind === "battle") return "attack-open";
  return last.battles ? "attack" : "capture";
}

/**
 * Return texts about the lands that a launch took and about the losses on the other attacked lands.
 * @param {Json} board @param {Teller} teller
 */
function tally({ last }, teller) {
  const battles = last.battles ?? [];
  const taken = battles.filter((/** @type {Json} */ one) => one.conquered).map((/** @type {Json} */ one) => one.to);
  const held = battles.filter((/** @type {Json} */ one) => !one.conquered);
  const n = held.reduce((/** @type {number} */ sum, /** @type {Json} */ one) => sum + one.damage, 0);
  const list = taken.length ? listed(teller, taken) : t("conquest.last.nothing");
  return { taken: list, weakened: n ? t("conquest.last.weakened", { n }) : "" };
}
