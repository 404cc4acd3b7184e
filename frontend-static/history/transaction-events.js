/** The events that came in one transaction, among those of a match. Pure. */

/** @import { ChainEvent, HistorySource, Playhead } from "../types.js" */
/** @typedef {{seq: number}|{lack: number}} SeekResult `lack`: that event must be there first. */

/** The first or the last event of the transaction of an event. @param {HistorySource|null} history @param {number} seq @param {1|-1} way @returns {SeekResult} */
export function txEdge(history, seq, way) {
  for (let here = seq; ; here += way) {
    const now = history?.event(here);
    if (!now) return { lack: here };
    if (here === (way > 0 ? history?.last() : 1)) return { seq: here };
    const next = history?.event(here + way);
    if (!next) return { lack: here + way };
    if (now.tx !== next.tx || now.hash !== next.hash) return { seq: here };
  }
}

/** The events of the playhead's transaction up to the playhead. @param {ChainEvent[]} events @param {Playhead} playhead */
export function eventsOfTx(events, { event, seq }) {
  const same = events.filter((one) => one.tx === event.tx && one.hash === event.hash && one.seq <= seq);
  return same.length ? same : [event];
}
