/** Finds the events that belong to the same transaction. This module has no side effects. */

/** @import { ChainEvent, HistorySource, Playhead } from "../types.js" */
/** @typedef {{seq: number}|{missing: number}} SeekResult `seq`: the number of the event that was found. `missing`: the number of an event that must be loaded before the search can continue. */

/** Return the last event in the transaction of event `seq`. If `direction` is -1, return the first. @param {HistorySource|null} history @param {number} seq @param {1|-1} direction @returns {SeekResult} */
export function txEdge(history, seq, direction) {
  for (let at = seq; ; at += direction) {
    const now = history?.event(at);
    if (!now) return { missing: at };
    if (at === (direction > 0 ? history?.last() : 1)) return { seq: at };
    const next = history?.event(at + direction);
    if (!next) return { missing: at + direction };
    if (now.tx !== next.tx || now.hash !== next.hash) return { seq: at };
  }
}

/** Return the events of the displayed event's transaction, up to the displayed event. @param {ChainEvent[]} events @param {Playhead} playhead */
export function eventsOfTx(events, { event, seq }) {
  const same = events.filter((one) => one.tx === event.tx && one.hash === event.hash && one.seq <= seq);
  return same.length ? same : [event];
}
