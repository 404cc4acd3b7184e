/** Finds the events that belong to one transaction. This module has no side effects. */

/** @import { ChainEvent, HistorySource, Playhead } from "../types.js" */
/** @typedef {{seq: number}|{missing: number}} SeekResult `missing`: the number of an event that must be loaded first. */

/** Return the last event in the transaction of an event, or the first event if `direction` is -1. @param {HistorySource|null} history @param {number} seq @param {1|-1} direction @returns {SeekResult} */
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

/** Return the events of the displayed transaction, up to the displayed event. @param {ChainEvent[]} events @param {Playhead} playhead */
export function eventsOfTx(events, { event, seq }) {
  const same = events.filter((one) => one.tx === event.tx && one.hash === event.hash && one.seq <= seq);
  return same.length ? same : [event];
}
