/**
 * The sentences for Tic-tac-toe's own events. games/shared/event-texts.js has the sentences for the
 * events that all games share. This module has no side effects.
 */

import { coordinate } from "../../lib/board.js";
import { matchSentences } from "../shared/event-texts.js";
import { t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";
import { bits } from "../shared/contract-view.js";
import { sentenceMaker } from "../shared/feed.js";
import { SIDE, markOf } from "./marks.js";

/** @import { ChainEvent, Json, Sentence } from "../../types.js" */

const sentence = sentenceMaker("tic-tac-toe");

const mark = (/** @type {number} */ number) => t(`tic-tac-toe.mark.${number}`);

/** @param {ChainEvent[]} events the events of one transaction @param {string} name */
const hasEvent = (events, name) => events.some((event) => event.name === name);

/** @type {Record<string, (args: Json, events: ChainEvent[]) => Sentence|null>} */
const TEXTS = {
  PlayerJoined: ({ player, seat }) => sentence("joined", { player: nameOf(player), mark: mark(markOf(seat)) }, "quiet"),
  Moved: ({ by, mark: own, row, column }) =>
    sentence("Moved", { player: nameOf(by), mark: mark(own), cell: coordinate(row * SIDE + column, SIDE) }),
  GameWon: ({ line }) => {
    const cells = bits(line).map((cell) => coordinate(cell, SIDE));
    return sentence("GameWon", { cells: cells.join(", ") });
  },
  RestartOffered: ({ by }) => sentence("RestartOffered", { player: nameOf(by) }),
  RematchOpened: ({ by, rematch }, events) =>
    sentence(hasEvent(events, "MatchEnded") ? "restarted" : "RematchOpened", { player: nameOf(by), rematch }, "loud"),
  MatchEnded: (_, events) => (hasEvent(events, "RematchOpened") ? sentence("agreed", {}, "quiet") : null),
};

/** @param {ChainEvent} event @param {Json} _board @param {ChainEvent[]} events @returns {Sentence[]} */
export function sentences(event, _board, events) {
  const own = TEXTS[event.name]?.(event.args, events);
  return own ? [own] : matchSentences("tic-tac-toe", event);
}
