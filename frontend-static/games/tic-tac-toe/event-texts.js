/** Each event as sentences; those of every match are the page's (i18n/event-texts.js). Pure. */

import { coordinate } from "../../lib/board.js";
import { matchSentences } from "../../i18n/event-texts.js";
import { shortHex, t } from "../../i18n/translate.js";
import { SIDE, markOf } from "./marks.js";

/** @import { ChainEvent, Json, Sentence } from "../../types.js" */

const mark = (/** @type {number} */ number) => t(`tic-tac-toe.mark.${number}`);

/** @param {number} mask bit = cell */
const cellsOf = (mask) => Array.from({ length: SIDE * SIDE }, (_, cell) => cell).filter((cell) => (mask >> cell) & 1);

/** @param {ChainEvent[]} events of one transaction @param {string} name */
const has = (events, name) => events.some((event) => event.name === name);

/** @type {Record<string, (event: ChainEvent, events: ChainEvent[]) => Sentence|null>} */
const TEXTS = {
  PlayerJoined: ({ args }) => ({
    text: t("tic-tac-toe.feed.joined", { player: shortHex(args.player), mark: mark(markOf(args.seat)) }),
    tone: "quiet",
  }),
  Moved: ({ args }) => ({
    text: t("tic-tac-toe.feed.Moved", {
      player: shortHex(args.by),
      mark: mark(args.mark),
      cell: coordinate(args.row * SIDE + args.column, SIDE),
    }),
    tone: "plain",
  }),
  GameWon: ({ args }) => ({
    text: t("tic-tac-toe.feed.GameWon", {
      cells: cellsOf(args.line)
        .map((cell) => coordinate(cell, SIDE))
        .join(", "),
    }),
    tone: "plain",
  }),
  RestartOffered: ({ args }) => ({
    text: t("tic-tac-toe.feed.RestartOffered", { player: shortHex(args.by) }),
    tone: "plain",
  }),
  RematchOpened: ({ args }, events) => {
    const restarted = has(events, "MatchEnded");
    return {
      text: t(restarted ? "tic-tac-toe.feed.restarted" : "tic-tac-toe.feed.RematchOpened", {
        player: shortHex(args.by),
        rematch: args.rematch,
      }),
      tone: "loud",
    };
  },
  MatchEnded: (_, events) =>
    has(events, "RematchOpened") ? { text: t("tic-tac-toe.feed.agreed"), tone: "quiet" } : null,
};

/** @param {ChainEvent} event @param {Json} _board @param {ChainEvent[]} events @returns {Sentence[]} */
export function sentences(event, _board, events) {
  const sentence = TEXTS[event.name]?.(event, events);
  return sentence ? [sentence] : matchSentences("tic-tac-toe", event);
}
