/** The sentences for Battleship's events. This module has no side effects. */

import { coordinate } from "../../lib/board.js";
import { clean } from "../../lib/patterns.js";
import { matchSentences } from "../shared/event-texts.js";
import { nameOf } from "../../names/names.js";
import { getBytes } from "../../lib/ethereum/bytes.js";
import { amountOf } from "../shared/amounts.js";
import { REASONS } from "../shared/contract-view.js";
import { feedOf } from "../shared/feed.js";
import { TILES, WIDTH } from "./fleet/fleet.js";
import { isAnswered, rival } from "./shots.js";

/** @import { ChainEvent, Json, Sentence } from "../../types.js" */

const say = feedOf("battleship");

/** @type {Record<string, (event: ChainEvent, board: Json) => Sentence[]>} */
const TEXTS = {
  Staked: ({ args }) => [say("Staked", { amount: amountOf(args.token, BigInt(args.amount)) }, "quiet")],
  Sealed: ({ args }) => [say("Sealed", { player: nameOf(args.player) }, "quiet")],
  Shot: shot,
  Answered: ({ args: { hit, by, tile } }, board) => {
    const words = { player: nameOf(rival(board, by)), cell: at(tile) };
    return [hit ? say("Answered-hit", words, "hit") : say("Answered-miss", words)];
  },
  GameOver: ({ args }) => [say(`GameOver-${REASONS[args.cause]}`, { player: nameOf(args.loser) }, "loud")],
  Revealed: revealed,
  Withdrawn: ({ args: { account, token, amount } }) => [
    say("Withdrawn", { player: nameOf(account), amount: amountOf(token, BigInt(amount)) }, "quiet"),
  ],
};

/** @param {ChainEvent} event @param {Json} board @returns {Sentence[]} */
export function sentences(event, board) {
  return TEXTS[event.name]?.(event, board) ?? matchSentences("battleship", event);
}

/**
 * Return the sentence for a shot that is pending or was never answered. Other shots have none,
 * because the sentence for the answer mentions them.
 * @param {ChainEvent} event @param {Json} board @returns {Sentence[]}
 */
function shot({ args }, board) {
  const values = { player: nameOf(args.by), cell: at(args.tile) };
  if (isPending(args, board)) return [say("Shot", values, "quiet")];
  return board.cause !== undefined && !isAnswered(board, args) ? [say("Shot-unanswered", values, "quiet")] : [];
}

/** @param {ChainEvent} event @returns {Sentence[]} */
function revealed({ args }) {
  const player = nameOf(args.by);
  const found = [say(`Revealed-${args.fault}`, { player }, args.fault ? "hit" : "plain")];
  const message = clean(textOf(args.message));
  return message ? [...found, say("message", { player, message })] : found;
}

/** Decode a text. Bytes that are not valid UTF-8 become replacement characters. @param {string} hex */
const textOf = (hex) => new TextDecoder().decode(getBytes(hex));

/** @param {Json} args @param {Json} board */
const isPending = (args, board) => board.pending?.by === args.by && board.pending?.tile === args.tile;

/** @param {number} tile */
const at = (tile) => (tile < TILES ? coordinate(tile, WIDTH) : String(tile));
