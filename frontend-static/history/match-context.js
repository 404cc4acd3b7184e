/** What a match is drawn from when one looks back. Pure. */

/** @import { Moment, Stage } from "../types.js" */

/** The page as it was at the moment that is looked back at: nothing can be moved there. @param {Stage} stage @param {string} match @param {Moment} moment @returns {Stage} */
export function asItWas(stage, match, { board, event, seq }) {
  const me = board.players?.[stage.me] ? stage.me : "";
  const later = stage.latest(match);
  const head = { height: event.block, hash: event.hash, time: event.time };
  const near = stage.past.record?.near(seq) ?? [];
  const side = later?.players?.[stage.me] ? stage.me : "";
  const past = { board, me, head, now: event.time, pending: [], desk: { state: {}, change: stage.redraw }, events: near.length ? near : stage.events(match), seq, later, side };
  return Object.assign(Object.create(stage), {
    order: null, board: () => board, latest: () => stage.board(match), now: () => event.time, view: () => ({ ...stage.view(match), ...past }),
    events: () => (near.length ? near : stage.events(match)),
  });
}
