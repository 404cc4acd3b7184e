/** A still of a match as plain values, for the terminal and for pictures: what the page shows an onlooker. Pure. */

import { drawable } from "./bounds.js";
import { amountOf } from "../games/shared/amounts.js";
import { flowedText } from "../games/shared/streams.js";
import { OWNERS } from "../layouts/shapes.js";
import { t, translate } from "../i18n/translate.js";

/** @import { ChainEvent, Json, Picture, RenderContext, Renderer, Seat, Sentence } from "../types.js" */

const COLOURS = 8;

/** No token's decimals are at hand. @param {bigint} amount @param {string} [token] */
const formatAmount = (amount, token) => amountOf(token, amount);

/**
 * @typedef {{match: string, title: string, board: Json, events: ChainEvent[], last: number, later?: Json, before?: ChainEvent[]}} StillInput The board after
 *   `events`, which came together; `last` is the number of the last event that is known, `later` the board after that one,
 *   `before` the events of the match up to them.
 * @typedef {{slug: string, title: string, position: string, status: string, picture: Picture, turnText: string, sentences: (Sentence & {seq: number})[],
 *   seats: (Seat & {colour: number, shape: number, wins: boolean, moves: boolean})[]}} Still
 */

/** @param {Renderer} renderer @param {StillInput} input @returns {Still} */
export function still(renderer, { match, title, board, events, last, later, before = [] }) {
  const [slug, id] = match.split("/");
  const event = events[events.length - 1];
  return {
    slug,
    title: t("match.title", { game: title, id }),
    position: t("match.at-event", { seq: event.seq, last, height: event.block }),
    status: board.status,
    picture: drawable(
      renderer.picture({
        ...contextOf(match, board, event),
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
      ...(stream && { note: [seat.note, flowedText(stream, event.time, formatAmount)].filter(Boolean).join(" · ") }),
      ...badgeOf(renderer, seat.seat),
      wins: board.winner === seat.address,
      moves: board.mover === seat.address,
    })),
  };
}

/** Nobody looks, nothing is chosen, nothing is under way. @param {string} match @param {Json} board @param {ChainEvent} event @returns {RenderContext} */
function contextOf(match, board, event) {
  const head = { height: event.block, hash: event.hash, time: event.time };
  return {
    match,
    board,
    me: "",
    ownAccounts: new Set(),
    selected: 0,
    head,
    now: event.time,
    pending: [],
    draft: { state: {}, change: () => undefined },
    formatAmount,
  };
}

/** @param {Renderer} renderer @param {number} seat */
const badgeOf = (renderer, seat) => renderer.badge?.(seat) ?? { colour: seat % COLOURS, shape: seat % OWNERS };
