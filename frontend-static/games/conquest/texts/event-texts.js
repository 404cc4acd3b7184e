/**
 * The sentences for Conquest's events, and for the last command. games/shared/event-texts.js has
 * the sentences for the events that all games share. This module has no side effects.
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

/** The context of a sentence: the board, the viewer, and the events of the same transaction. @typedef {{board: Json, me: string, events: ChainEvent[]}} SentenceContext */

/** Return the name of a seat's player, for use as the subject of a sentence. @param {SentenceContext} context @param {number} seat */
const who = (context, seat) => named(context, seat, "conquest.you.subject");

/** @param {SentenceContext} context @param {number} seat */
const whom = (context, seat) => named(context, seat, "conquest.you.object");

/** @param {SentenceContext} context @param {number} seat */
const whose = (context, seat) => {
  const address = inSeat(context.board, seat);
  return address && address === context.me
    ? t("conquest.you.owner")
    : t("conquest.owner", { name: named(context, seat, "conquest.you.object") });
};

/** @param {SentenceContext} context @param {number} seat @param {string} you */
function named({ board, me }, seat, you) {
  const address = inSeat(board, seat);
  if (address && address === me) return t(you);
  return address ? nameOf(address) : t("conquest.seat.number", { n: seat + 1 });
}

/** @param {SentenceContext} context @param {number} land */
const at = ({ board }, land) => landName(worldOf(board), land);

/** @param {string} key @param {Json} args @param {string} [tone] @param {boolean} [minor] @returns {Sentence} */
const sentence = (key, args, tone = "plain", minor = false) => ({ text: t(`conquest.feed.${key}`, args), tone, minor });

/** @param {SentenceContext} context @param {number[]} lands */
const listed = (context, lands) => {
  const names = lands.slice(0, NAMED).map((land) => at(context, land));
  const more = lands.length - names.length;
  return names.join(", ") + (more ? t("conquest.feed.and-more", { n: more }) : "");
};

/** @type {Record<string, (args: Json, context: SentenceContext) => Sentence[]>} */
const TEXTS = {
  Map: ({ players }, { board }) => [sentence("Map", { n: board.map?.lands, players }, "quiet")],
  Invited: ({ accounts }) => {
    const names = accounts.filter((/** @type {string} */ one) => BigInt(one) > 0n).map(nameOf);
    return names.length ? [sentence("Invited", { names: names.join(", ") }, "quiet")] : [];
  },
  PlayerLeft: ({ player }, { me }) => [
    sentence("PlayerLeft", { who: player === me ? t("conquest.you.subject") : nameOf(player) }, "quiet"),
  ],
  Commanded: ({ kind, seat, data }, context) => commandSentences(kind, seat, bytesOf(data), context),
  Phase: ({ seat, draw }, context) =>
    DRAWS[draw] === "turn" ? [sentence("Phase-turn", { whose: whose(context, seat) }, "quiet", true)] : [],
  Drawn: ({ kind, seed }, { board, events }) => [
    ...(DRAWS[kind] === "first" && board.first !== undefined
      ? [sentence("Drawn-first", { who: nameOf(inSeat(board, board.first) || "0x") })]
      : []),
    ...(BigInt(seed) === 0n
      ? [sentence("Drawn-gone", {}, "quiet")]
      : DRAWS[kind] === "turn" && isEmptyDraw(events)
        ? []
        : [sentence(`Drawn-${DRAWS[kind] ?? "none"}`.replace("Drawn-first", "Drawn"), {}, "quiet", true)]),
  ],
  BattleResolved: battleSentences,
  Soldiers: ({ changes }, context) => {
    const all = changesOf(changes);
    const names = all.slice(0, NAMED).map(({ land, n }) => t("conquest.feed.count", { land: at(context, land), n }));
    const more = all.length - names.length;
    const list = names.join(", ") + (more ? t("conquest.feed.and-more", { n: more }) : "");
    return [sentence("Soldiers", { list }, "quiet", true)];
  },
  LandsTaken: takenSentences,
  PortBuilt: ({ land }, context) => {
    const seat = context.events.find(({ name }) => name === "Commanded")?.args.seat ?? -1;
    return [sentence("PortBuilt", { who: who(context, seat), land: at(context, land) })];
  },
  HeroAt: ({ seat, land }, context) => [sentence("HeroAt", { whose: whose(context, seat), land: at(context, land) })],
  HeroDied: ({ seat, land }, context) => [
    sentence("HeroDied", { whose: whose(context, seat), land: at(context, land) }, "hit"),
  ],
  ItemAppeared: ({ land, fat }, context) => [
    sentence(`ItemAppeared-${fat ? "fat" : "plain"}`, { land: at(context, land) }),
  ],
  ItemExpired: ({ land }, context) => [sentence("ItemExpired", { land: at(context, land) }, "quiet")],
  ItemCollected: ({ seat, land, item }, context) => [
    sentence(`ItemCollected-${item}`, { who: who(context, seat), land: at(context, land) }, "loud"),
  ],
  ItemUsed: ({ seat, item }, context) => [sentence(`ItemUsed-${item}`, { who: who(context, seat) })],
  PlayerOut: ({ seat, by, reason }, context) => [
    sentence(
      `PlayerOut-${OUT[reason] ?? "timeout"}`,
      { who: who(context, seat), by: by === NOBODY ? "" : whom(context, by) },
      "loud",
    ),
  ],
  MatchEnded: ({ winner, reason }, { me }) =>
    winner && winner === me && reason !== 2 ? [sentence("you-won", {}, "loud")] : [],
};

/**
 * Return true if a transaction settled a random draw and carried out a command, but no item
 * appeared.
 * @param {ChainEvent[]} events
 */
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

/** @param {number} kind @param {number} seat @param {number[]} data @param {SentenceContext} context @returns {Sentence[]} */
function commandSentences(kind, seat, data, context) {
  const by = { who: who(context, seat), whose: whose(context, seat) };
  if (kind === CAPITAL) return [sentence("capital", { ...by, land: at(context, data[0]) })];
  if (kind === REINFORCE) return [sentence("reinforce", { ...by, land: at(context, data[0]) })];
  if (kind === PASS) return [sentence(`pass-${PASSES[data[0]] ?? "turn"}`, by, data[0] === 2 ? "hit" : "quiet")];
  if (kind === MOVE) return [sentence(`move-${data[2]}${data[3] ? "-hero" : ""}`, { ...by, ...way(context, data) })];
  if (kind !== ATTACK) return []; // commands of all other kinds have their own events
  const pairs = pairsOf(data, "attack");
  const captured = context.events.some(
    ({ name, args }) => name === "LandsTaken" && args.from === NOBODY && args.to === seat,
  );
  return pairs.map((pair) => sentence(captured ? "capture" : "attack", { ...by, ...way(context, pair) }));
}

/** @param {SentenceContext} context @param {number[]} pair */
const way = (context, [from, to]) => ({ from: at(context, from), land: at(context, to) });

/** @param {Json} battle @param {SentenceContext} context @returns {Sentence[]} */
function battleSentences(battle, context) {
  const { from, to, attack20, needed20, luck, damage, conquered } = battle;
  if (!luck) return [sentence("BattleResolved-skipped", way(context, [from, to]), "quiet")];
  const launched = context.events.filter(({ name }) => name === "BattleResolved").length;
  const divisor = divisorOf(worldOf(context.board), battle, Math.max(1, launched));
  const words = {
    ...way(context, [from, to]),
    ...{ own: soldiersText(attack20, divisor), needed: soldiersText(needed20, divisor), luck, n: damage },
  };
  const end = conquered ? (wasEmpty(battle, context) ? "empty" : "conquered") : "held";
  return [sentence(`BattleResolved-${end}`, words, conquered ? "hit" : "plain")];
}

/**
 * Return true if the land had no soldiers when it fell. If it had soldiers, an event sets their
 * number to 0.
 * @param {Json} battle @param {SentenceContext} context
 */
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
 * Return the sentence for lands that changed owners. A capture has no sentence here, because the
 * sentence for its command mentions the land. If a capital fell, one sentence covers all the lands
 * that fell with it.
 * @param {Json} args @param {SentenceContext} context @returns {Sentence[]}
 */
function takenSentences({ lands, from, to }, context) {
  const all = bits(String(lands));
  const words = {
    n: all.length,
    list: listed(context, all),
    who: who(context, to),
    whom: whom(context, from),
    whose: whose(context, from),
  };
  if (to === NOBODY) return [sentence("LandsTaken-freed", words)];
  if (from === NOBODY) return [];
  const withCapital = context.events.some(({ name, args }) => name === "PlayerOut" && args.seat === from);
  return [sentence(withCapital ? "LandsTaken-capital" : "LandsTaken", words, "loud")];
}

/** @param {ChainEvent} event @param {Json} board @param {ChainEvent[]} [events] the events of the same transaction @param {string} [me] the viewer @returns {Sentence[]} */
export function sentences(event, board, events = [event], me = "") {
  const own = TEXTS[event.name]?.(event.args, { board, me, events }) ?? [];
  return own.length || (TEXTS[event.name] && event.name !== "MatchEnded") ? own : matchSentences("conquest", event);
}

/**
 * Return a line about the last command. If that command ended a turn, the line is about the whole
 * turn. Return "" before the first command.
 * @param {Json} board @param {string} me @param {ChainEvent[]} [events] the known events @param {number} [seq] the board's event number
 */
export function lastText(board, me, events = [], seq = undefined) {
  const last = lastOf(board);
  if (!last) return "";
  const context = { board, me, events: [] };
  const parts = last.seat === seatNumber(board, me) ? [] : turnParts(board, events, seq);
  if (parts.length) return t("conquest.last.turn", { whose: whose(context, last.seat), parts: parts.join("; ") });
  const [from, to] = last.data;
  const words = { who: who(context, last.seat), land: "", from: "" };
  if (["capital", "reinforce", "port"].includes(last.kind)) words.land = at(context, from);
  if (["attack", "move"].includes(last.kind)) Object.assign(words, way(context, [from, to]));
  return t(`conquest.last.${lastKey(board, last)}`, { ...words, ...tally(board, context) });
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
 * Return texts about the attacks that were launched together: one about the lands that fell, and
 * one about the losses on the other attacked lands.
 * @param {Json} board @param {SentenceContext} context
 */
function tally({ last }, context) {
  const battles = last.battles ?? [];
  const taken = battles.filter((/** @type {Json} */ one) => one.conquered).map((/** @type {Json} */ one) => one.to);
  const held = battles.filter((/** @type {Json} */ one) => !one.conquered);
  const n = held.reduce((/** @type {number} */ sum, /** @type {Json} */ one) => sum + one.damage, 0);
  const list = taken.length ? listed(context, taken) : t("conquest.last.nothing");
  return { taken: list, weakened: n ? t("conquest.last.weakened", { n }) : "" };
}
