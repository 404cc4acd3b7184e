/**
 * The sentences that describe Battleship's events in the list of moves. This module has no side
 * effects.
 */

import { coordinate } from "../../lib/board.js";
import { clean } from "../../lib/patterns.js";
import { matchSentences } from "../shared/event-texts.js";
import { nameOf } from "../../names/names.js";
import { getBytes } from "../../lib/ethereum/bytes.js";
import { amountOf } from "../shared/amounts.js";
import { REASONS } from "../shared/contract-view.js";
import { sentenceMaker } from "../shared/feed.js";
import { TILES, WIDTH } from "./fleet/fleet.js";
import { isAnswered, opponentOf } from "./shots.js";

/** @import { ChainEvent, Json, Sentence } from "../../types.js" */

const sentence = sentenceMaker("battleship");

/** @type {Record<string, (event: ChainEvent, board: Json) => Sentence[]>} */
const TEXTS = {
  Staked: ({ args }) => [sentence("Staked", { amount: amountOf(args.token, BigInt(args.amount)) }, "quiet")],
  Sealed: ({ args }) => [sentence("Sealed", { player: nameOf(args.player) }, "quiet")],
  Shot: shot,
  Answered: ({ args: { hit, by, tile } }, board) => {
    const words = { player: nameOf(opponentOf(board, by)), cell: at(tile) };
    return [hit ? sentence("Answered-hit", words, "hit") : sentence("Answered-miss", words)];
  },
  GameOver: ({ args }) => [sentence(`GameOver-${REASONS[args.cause]}`, { player: nameOf(args.loser) }, "loud")],
  Revealed: revealed,
  Withdrawn: ({ args: { account, token, amount } }) => [
    sentence("Withdrawn", { player: nameOf(account), amount: amountOf(token, BigInt(amount)) }, "quiet"),
  ],
};

/** @param {ChainEvent} event @param {Json} board @returns {Sentence[]} */
export function sentences(event, board) {
  return TEXTS[event.name]?.(event, board) ?? matchSentences("battleship", event);
}

/**
 * Return the sentence for a shot that is pending or was never answered. For an answered shot,
 * return no sentence, because the answer has a sentence that mentions the shot.
 * @param {ChainEvent} event @param {Json} board @returns {Sentence[]}
 */
function shot({ args }, board) {
  const values = { player: nameOf(args.by), cell: at(args.tile) };
  if (isPending(args, board)) return [sentence("Shot", values, "quiet")];
  return board.cause !== undefined && !isAnswered(board, args) ? [sentence("Shot-unanswered", values, "quiet")] : [];
}

/** @param {ChainEvent} event @returns {Sentence[]} */
function revealed({ args }) {
  const player = nameOf(args.by);
  const found = [sentence(`Revealed-${args.fault}`, { player }, args.fault ? "hit" : "plain")];
  const message = clean(textOf(args.message));
  return message ? [...found, sentence("message", { player, message })] : found;
}

/** Decode UTF-8 text. Replace each invalid byte with a replacement character. @param {string} hex */
const textOf = (hex) => new TextDecoder().decode(getBytes(hex));

/** @param {Json} args @param {Json} board */
const isPending = (args, board) => board.pending?.by === args.by && board.pending?.tile === args.tile;

/** @param {number} tile */
const at = (tile) => (tile < TILES ? coordinate(tile, WIDTH) : String(tile));
