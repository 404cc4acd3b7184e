/** Each event as sentences. Pure. */

import { coordinate } from "../../board.js";
import { short, t } from "../../words.js";
import { cellOf, shipOf } from "./ships.js";

/** @import { ChainEvent, Json, Sentence } from "../../types.js" */

/** The shots of a volley: 3 bytes each, 12 bits ship, 12 bits cell. @param {string} bytes 0x hex @returns {{ship: number, cell: number}[]} */
export function shotsOf(bytes) {
  const shots = bytes.slice(2).match(/.{6}/g) ?? [];
  return shots.map((shot) => ({ ship: parseInt(shot.slice(0, 3), 16), cell: parseInt(shot.slice(3), 16) }));
}

/** What the same transaction sank. @param {ChainEvent} fired @param {ChainEvent[]} events @param {Json} board @returns {Set<number>} */
function sunkBy(fired, events, board) {
  const same = events.filter((event) => event.name === "Touched" && event.tx === fired.tx && event.seq > fired.seq);
  return new Set(same.map(({ args }) => cellOf(board, /** @type {any} */ (args))));
}

/** @type {Record<string, (event: ChainEvent, board: Json, events: ChainEvent[]) => Sentence[]>} */
const TELL = {
  MatchCreated: ({ args }) => [quiet("feed.MatchCreated", { player: short(args.creator) })],
  Size: ({ args }) => [quiet(args.captains ? "feed.Size-captains" : "feed.Size", args)],
  PlayerJoined: ({ args }) => [quiet("feed.PlayerJoined", { player: short(args.player) })],
  Registered: ({ args }, board) => {
    const own = BigInt(args.captain ?? 0) !== 0n;
    const words = { player: short(args.owner), ship: args.ship, cell: at(board, args.x, args.y), captain: short(String(args.captain)) };
    return [{ text: t(own ? "feed.Registered-captain" : "feed.Registered", words), tone: "plain" }];
  },
  MatchStarted: () => [{ text: t("feed.MatchStarted"), tone: "loud" }],
  Fired: (event, board, events) => volleySentences(event, board, events),
  Touched: ({ args }, board) => {
    const words = { ship: args.ship, owner: ownerOf(board, args.ship), cell: at(board, args.x, args.y), by: args.by };
    return [{ text: t("feed.Touched", words), tone: "hit" }];
  },
  Moved: ({ args }, board) => {
    const words = { ship: args.ship, owner: short(args.owner), from: at(board, args.fromX, args.fromY), cell: at(board, args.x, args.y) };
    return [{ text: t("feed.Moved", words), tone: "plain" }];
  },
  Communicated: ({ args }) => [{ text: t("feed.Communicated", { a: args.a, b: args.b, owner: short(args.owner) }), tone: "plain" }],
  TurnPlayed: ({ args }) => [quiet("feed.TurnPlayed", { turn: args.turnNo, player: short(args.by) })],
  MatchEnded: ({ args }) => [{ text: t(endKey(args.reason), { player: short(args.winner) }), tone: "loud" }],
};

/** @param {ChainEvent} event @param {Json} board @param {ChainEvent[]} events @returns {Sentence[]} */
export function sentences(event, board, events) {
  return TELL[event.name]?.(event, board, events) ?? [{ text: t("feed.other", { name: event.name }), tone: "quiet" }];
}

/** @param {ChainEvent} event @param {Json} board @param {ChainEvent[]} events @returns {Sentence[]} */
function volleySentences(event, board, events) {
  const sunk = sunkBy(event, events, board);
  const told = shotsOf(event.args.shots).map(({ ship, cell }) => {
    const words = { ship, owner: ownerOf(board, ship), cell: coordinate(cell, board.width) };
    const hit = sunk.has(cell);
    return { text: t(hit ? "feed.shot-hit" : "feed.shot-miss", words), tone: hit ? "hit" : "plain" };
  });
  return told.length ? told : [{ text: t("feed.no-shots"), tone: "quiet" }];
}

/** @param {string} key @param {Json} args @returns {Sentence} */
const quiet = (key, args) => ({ text: t(key, args), tone: "quiet" });

/** @param {Json} board @param {number} x @param {number} y */
const at = (board, x, y) => coordinate(y * board.width + x, board.width);

/** @param {Json} board @param {number} number */
const ownerOf = (board, number) => short(shipOf(board, number)?.owner ?? "0x");

const WON = 1;
const DRAW = 2;
const CANCELLED = 6;

/** @param {number} reason */
function endKey(reason) {
  return { [WON]: "feed.MatchEnded-won", [DRAW]: "feed.MatchEnded-draw", [CANCELLED]: "feed.MatchEnded-cancelled" }[reason] ?? "feed.MatchEnded";
}
