/**
 * The sentences for Touché Coulé's own events. games/shared/event-texts.js has the sentences for
 * the events that all games share. This module has no side effects.
 */

import { coordinate } from "../../lib/board.js";
import { matchSentences } from "../shared/event-texts.js";
import { nameOf } from "../../names/names.js";
import { sentenceMaker } from "../shared/feed.js";
import { cellOf, shipOf } from "./ships.js";

/** @import { ChainEvent, Json, Sentence } from "../../types.js" */

const sentence = sentenceMaker("touche-coule");

/**
 * Return the shots in a volley: all shots of a turn, packed into bytes. Each shot has 3 bytes: 12
 * bits for the ship, and 12 bits for the cell.
 * @param {string} bytes in hexadecimal, with 0x @returns {{ship: number, cell: number}[]}
 */
export function shotsOf(bytes) {
  const shots = bytes.slice(2).match(/.{6}/g) ?? [];
  return shots.map((shot) => ({ ship: parseInt(shot.slice(0, 3), 16), cell: parseInt(shot.slice(3), 16) }));
}

/** Return the cells of the ships that a volley sank, according to the transaction's events. @param {ChainEvent} fired @param {ChainEvent[]} events @param {Json} board @returns {Set<number>} */
function sunkBy(fired, events, board) {
  const same = events.filter((event) => event.name === "Touched" && event.tx === fired.tx && event.seq > fired.seq);
  return new Set(same.map(({ args }) => cellOf(board, /** @type {any} */ (args))));
}

/** @type {Record<string, (event: ChainEvent, board: Json, events: ChainEvent[], me?: string) => Sentence[]>} */
const TEXTS = {
  Size: ({ args }) => [sentence(args.captains ? "Size-captains" : "Size", args, "quiet")],
  Registered: ({ args: { owner, ship, x, y, captain } }, board) => {
    const words = { player: nameOf(owner), ship, cell: at(board, x, y) };
    const hasCaptain = BigInt(captain ?? 0) !== 0n;
    return [
      hasCaptain
        ? sentence("Registered-captain", { ...words, captain: nameOf(captain) })
        : sentence("Registered", words),
    ];
  },
  Fired: volleySentences,
  Touched: ({ args: { ship, x, y, by } }, board) => [
    sentence("Touched", { ship, owner: ownerOf(board, ship), cell: at(board, x, y), by }, "hit"),
  ],
  Moved: ({ args: { ship, owner, fromX, fromY, x, y } }, board) => [
    sentence("Moved", { ship, owner: nameOf(owner), from: at(board, fromX, fromY), cell: at(board, x, y) }),
  ],
  Communicated: ({ args: { a, b, owner } }) => [sentence("Communicated", { a, b, owner: nameOf(owner) })],
  TurnPlayed: ({ args: { turnNo, by } }) => [sentence("TurnPlayed", { turn: turnNo, player: nameOf(by) }, "quiet")],
};

/** @param {ChainEvent} event @param {Json} board @param {ChainEvent[]} events @param {string} [me] the viewer @returns {Sentence[]} */
export function sentences(event, board, events, me) {
  return TEXTS[event.name]?.(event, board, events, me) ?? matchSentences("touche-coule", event);
}

/**
 * Return the sentences for a volley. The list of moves folds minor sentences, but never the shots
 * that the viewer's own captains aimed.
 * @param {ChainEvent} event @param {Json} board @param {ChainEvent[]} events @param {string} [me] @returns {Sentence[]}
 */
function volleySentences(event, board, events, me) {
  const sunk = sunkBy(event, events, board);
  const found = shotsOf(event.args.shots).map(({ ship, cell }) => {
    const { owner, captain } = shipOf(board, ship) ?? {};
    const by = captain ? { captain: nameOf(captain) } : {};
    const words = { ship, owner: ownerOf(board, ship), cell: coordinate(cell, board.width), ...by };
    const [hit, miss] = captain ? ["shot-hit-captain", "shot-miss-captain"] : ["shot-hit", "shot-miss"];
    return sunk.has(cell)
      ? { ...sentence(hit, words, "hit"), minor: false }
      : { ...sentence(miss, words), minor: !captain || owner !== me };
  });
  return found.length ? found : [sentence("no-shots", {}, "quiet")];
}

/** @param {Json} board @param {number} x @param {number} y */
const at = (board, x, y) => coordinate(y * board.width + x, board.width);

/** @param {Json} board @param {number} number */
const ownerOf = (board, number) => nameOf(shipOf(board, number)?.owner ?? "0x");
