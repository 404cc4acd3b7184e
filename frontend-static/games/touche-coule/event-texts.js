/** Each event as sentences; those of every match are the page's (i18n/event-texts.js). Pure. */

import { coordinate } from "../../lib/board.js";
import { matchSentences } from "../../i18n/event-texts.js";
import { shortHex, t } from "../../i18n/translate.js";
import { cellOf, shipOf } from "./ships.js";

/** @import { ChainEvent, Json, Sentence } from "../../types.js" */

/** The shots of a volley: 3 bytes each, 12 bits ship, 12 bits cell. @param {string} bytes 0x hex @returns {{ship: number, cell: number}[]} */
export function shotsOf(bytes) {
  const shots = bytes.slice(2).match(/.{6}/g) ?? [];
  return shots.map((shot) => ({ ship: parseInt(shot.slice(0, 3), 16), cell: parseInt(shot.slice(3), 16) }));
}

/** The ships that the same transaction sank. @param {ChainEvent} fired @param {ChainEvent[]} events @param {Json} board @returns {Set<number>} */
function sunkBy(fired, events, board) {
  const same = events.filter((event) => event.name === "Touched" && event.tx === fired.tx && event.seq > fired.seq);
  return new Set(same.map(({ args }) => cellOf(board, /** @type {any} */ (args))));
}

/** @type {Record<string, (event: ChainEvent, board: Json, events: ChainEvent[]) => Sentence[]>} */
const TEXTS = {
  Size: ({ args }) => [quiet(args.captains ? "touche-coule.feed.Size-captains" : "touche-coule.feed.Size", args)],
  Registered: ({ args }, board) => {
    const own = BigInt(args.captain ?? 0) !== 0n;
    const words = {
      player: shortHex(args.owner),
      ship: args.ship,
      cell: at(board, args.x, args.y),
      captain: shortHex(String(args.captain)),
    };
    return [
      { text: t(own ? "touche-coule.feed.Registered-captain" : "touche-coule.feed.Registered", words), tone: "plain" },
    ];
  },
  Fired: (event, board, events) => volleySentences(event, board, events),
  Touched: ({ args }, board) => {
    const words = { ship: args.ship, owner: ownerOf(board, args.ship), cell: at(board, args.x, args.y), by: args.by };
    return [{ text: t("touche-coule.feed.Touched", words), tone: "hit" }];
  },
  Moved: ({ args }, board) => {
    const words = {
      ship: args.ship,
      owner: shortHex(args.owner),
      from: at(board, args.fromX, args.fromY),
      cell: at(board, args.x, args.y),
    };
    return [{ text: t("touche-coule.feed.Moved", words), tone: "plain" }];
  },
  Communicated: ({ args }) => [
    { text: t("touche-coule.feed.Communicated", { a: args.a, b: args.b, owner: shortHex(args.owner) }), tone: "plain" },
  ],
  TurnPlayed: ({ args }) => [quiet("touche-coule.feed.TurnPlayed", { turn: args.turnNo, player: shortHex(args.by) })],
};

/** @param {ChainEvent} event @param {Json} board @param {ChainEvent[]} events @returns {Sentence[]} */
export function sentences(event, board, events) {
  return TEXTS[event.name]?.(event, board, events) ?? matchSentences("touche-coule", event);
}

/** @param {ChainEvent} event @param {Json} board @param {ChainEvent[]} events @returns {Sentence[]} */
function volleySentences(event, board, events) {
  const sunk = sunkBy(event, events, board);
  const found = shotsOf(event.args.shots).map(({ ship, cell }) => {
    const words = { ship, owner: ownerOf(board, ship), cell: coordinate(cell, board.width) };
    const hit = sunk.has(cell);
    return {
      text: t(hit ? "touche-coule.feed.shot-hit" : "touche-coule.feed.shot-miss", words),
      tone: hit ? "hit" : "plain",
      minor: !hit,
    };
  });
  return found.length ? found : [{ text: t("touche-coule.feed.no-shots"), tone: "quiet" }];
}

/** @param {string} key @param {Json} args @returns {Sentence} */
const quiet = (key, args) => ({ text: t(key, args), tone: "quiet" });

/** @param {Json} board @param {number} x @param {number} y */
const at = (board, x, y) => coordinate(y * board.width + x, board.width);

/** @param {Json} board @param {number} number */
const ownerOf = (board, number) => shortHex(shipOf(board, number)?.owner ?? "0x");
