/**
 * Makes a still of a match: plain values that describe the match as a watcher sees it. Terminals
 * and image files show stills. This module has no side effects.
 */

import { drawable } from "./bounds.js";
import { formatAmount, onlookerContext } from "./match-context.js";
import { streamedText } from "../games/shared/streams.js";
import { OWNER_SHAPES } from "../layouts/shapes.js";
import { t, translate } from "../i18n/translate.js";
import { flagOf } from "../names/flag.js";
import { drawUntilStable, nameOf } from "../names/names.js";

/** @import { Flag } from "../names/flag.js" */
/** @import { ChainEvent, Json, Picture, Renderer, Seat, Sentence } from "../types.js" */

const COLOURS = 8;

/**
 * @typedef {{match: string, title: string, board: Json, events: ChainEvent[], last: number, later?:
 *   Json, before?: ChainEvent[], site?: string}} StillInput `board`: the board after `events`,
 *   which arrived together. `last`: the number of the last known event. `later`: the board after
 *   the last known event. `before`: the events before `events`. `site`: the site's address, which
 *   appears in the picture.
 * @typedef {{slug: string, title: string, site: string, position: string, status: string, picture: Picture, turnText: string, sentences: (Sentence & {seq: number})[],
 *   seats: (Seat & {colour: number, shape: number, name: string, flag: Flag, wins: boolean, moves: boolean})[]}} Still
 */

/** @param {Renderer} renderer @param {StillInput} input @returns {Still} */
export const still = (renderer, input) => drawUntilStable(() => made(renderer, input));

/** @param {Renderer} renderer @param {StillInput} input @returns {Still} */
function made(renderer, { match, title, board, events, last, later, before = [], site = "" }) {
  const [slug, id] = match.split("/");
  const event = events[events.length - 1];
  return {
    slug,
    title: t("match.title", { game: title, id }),
    site,
    position: t("match.at-event", { seq: event.seq, last, height: event.block }),
    status: board.status,
    picture: drawable(
      renderer.picture({
        ...onlookerContext(match, board, event),
        events: [...before, ...events],
        seq: event.seq,
        latestBoard: later,
      }),
    ),
    turnText: translate(renderer.turnText(board, "")),
    sentences: events.flatMap((one) =>
      renderer.sentences(one, board, events).map((sentence) => ({ ...sentence, seq: one.seq })),
    ),
    seats: renderer.seats(board).map(({ stream, ...seat }) => ({
      ...seat,
      ...(stream && { note: [seat.note, streamedText(stream, event.time, formatAmount)].filter(Boolean).join(" · ") }),
      ...badgeOf(renderer, seat.seat),
      name: nameOf(seat.address),
      flag: flagOf(seat.address),
      wins: board.winner === seat.address,
      moves: board.mover === seat.address,
    })),
  };
}

/** @param {Renderer} renderer @param {number} seat */
const badgeOf = (renderer, seat) => renderer.badge?.(seat) ?? { colour: seat % COLOURS, shape: seat % OWNER_SHAPES };
