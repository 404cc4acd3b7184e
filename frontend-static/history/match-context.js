/** A match's context at an earlier event. Pure. */

/** @import { Playback } from "./playback.js" */
/** @import { MatchContext, Playhead } from "../types.js" */

/** The context at the playhead: board, time and players of then, and no move can be sent. @param {MatchContext} matchContext @param {string} match @param {Playhead} playhead @returns {MatchContext} */
export function contextAt(matchContext, match, { board, event, seq }) {
  const me = board.players?.[matchContext.me] ? matchContext.me : "";
  const latestBoard = matchContext.latestBoard(match);
  const head = { height: event.block, hash: event.hash, time: event.time };
  const near = matchContext.playback.history?.eventsAround(seq) ?? [];
  const viewAs = latestBoard?.players?.[matchContext.me] ? matchContext.me : "";
  const earlier = {
    board,
    me,
    head,
    now: event.time,
    pending: [],
    draft: { state: {}, change: matchContext.redraw },
    events: near.length ? near : matchContext.events(match),
    seq,
    latestBoard,
    viewAs,
  };
  return Object.assign(Object.create(matchContext), {
    submitPress: null,
    board: () => board,
    latestBoard: () => matchContext.board(match),
    now: () => event.time,
    renderContext: () => ({ ...matchContext.renderContext(match), ...earlier }),
    events: () => (near.length ? near : matchContext.events(match)),
  });
}

/** What is looked back at, for the contract to be asked about it; null for an orphaned event, and while it is not known whether its block goes on. @param {Playback} playback */
export function claimOf({ playhead, last, history }) {
  const next = playhead && history?.event(playhead.seq + 1);
  if (!playhead || playhead.orphan || (!next && playhead.seq < last)) return null;
  const { block: height, hash, time } = playhead.event;
  return {
    seq: playhead.seq,
    block: { height, hash, time },
    board: playhead.board,
    settled: next?.hash !== hash,
    past: true,
  };
}
