/** Each event as sentences. Pure. */

import { coordinate } from "../../lib/board.js";
import { matchSentences } from "../../i18n/event-texts.js";
import { shortHex, t } from "../../i18n/translate.js";
import { getBytes } from "../../vendor/ethers.min.js";
import { amountOf } from "../shared/amounts.js";
import { TILES, WIDTH } from "./fleet/fleet.js";
import { isAnswered, rival } from "./shots.js";

/** @import { ChainEvent, Json, Sentence } from "../../types.js" */

const REASONS = ["none", "won", "draw", "resigned", "timeout", "cheating-proved", "cancelled"];
/** Control characters, and those that turn the direction of writing: a message must not write over what is beside it. */
const UNSEEN = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** @type {Record<string, (event: ChainEvent, board: Json) => Sentence[]>} */
const TEXTS = {
  Staked: ({ args }) => [quiet("Staked", { amount: amountOf(args.token, BigInt(args.amount)) })],
  Sealed: ({ args }) => [quiet("Sealed", { player: shortHex(args.player) })],
  Shot: shot,
  Answered: ({ args }, board) => [
    {
      ...feedText(args.hit ? "Answered-hit" : "Answered-miss", {
        player: shortHex(rival(board, args.by)),
        cell: at(args.tile),
      }),
      tone: args.hit ? "hit" : "plain",
    },
  ],
  GameOver: ({ args }) => [
    { ...feedText(`GameOver-${REASONS[args.cause]}`, { player: shortHex(args.loser) }), tone: "loud" },
  ],
  Revealed: revealed,
  Withdrawn: ({ args }) => [
    quiet("Withdrawn", { player: shortHex(args.account), amount: amountOf(args.token, BigInt(args.amount)) }),
  ],
};

/** @param {ChainEvent} event @param {Json} board @returns {Sentence[]} */
export function sentences(event, board) {
  return TEXTS[event.name]?.(event, board) ?? matchSentences("battleship", event);
}

/** A shot has a text while it is pending or when it never was answered; else its answer has one. @param {ChainEvent} event @param {Json} board @returns {Sentence[]} */
function shot({ args }, board) {
  const values = { player: shortHex(args.by), cell: at(args.tile) };
  if (isPending(args, board)) return [quiet("Shot", values)];
  return board.cause !== undefined && !isAnswered(board, args) ? [quiet("Shot-unanswered", values)] : [];
}

/** @param {ChainEvent} event @returns {Sentence[]} */
function revealed({ args }) {
  const player = shortHex(args.by);
  const found = [{ ...feedText(`Revealed-${args.fault}`, { player }), tone: args.fault ? "hit" : "plain" }];
  const message = clean(textOf(args.message));
  return message ? [...found, { ...feedText("message", { player, message }), tone: "plain" }] : found;
}

/** A message as it may be shown. @param {string} text */
export const clean = (text) => text.replace(UNSEEN, " ").trim();

/** What is no UTF-8 is shown as such. @param {string} hex */
const textOf = (hex) => new TextDecoder().decode(getBytes(hex));

/** @param {Json} args @param {Json} board */
const isPending = (args, board) => board.pending?.by === args.by && board.pending?.tile === args.tile;

/** @param {number} tile */
const at = (tile) => (tile < TILES ? coordinate(tile, WIDTH) : String(tile));

/** @param {string} key @param {Json} args @returns {{text: string}} */
const feedText = (key, args) => ({ text: t(`battleship.feed.${key}`, args) });

/** @param {string} key @param {Json} args @returns {Sentence} */
const quiet = (key, args) => ({ ...feedText(key, args), tone: "quiet" });
