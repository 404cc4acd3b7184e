/**
 * The match in a replay file. Its context for drawing (MatchContext) has no account and no server.
 */

import { drawable } from "./bounds.js";
import { contextAt, onlookerContext } from "./match-context.js";
import { Playback } from "./playback.js";

/** @import { FileHistory } from "./match-history.js" */
/** @import { Replay } from "./replay-parser.js" */
/** @import { MatchContext } from "./match-context.js" */
/** @import { ChainEvent, OrphanedEvent, Renderer, UiState } from "../types.js" */
/** @typedef {ReturnType<typeof fileMatch>} FileMatch */

/** @type {OrphanedEvent[]} */
const NONE = [];

/**
 * @param {{replay: Replay, history: FileHistory}} file @param {{renderer: Renderer, layout: any}} means @param {UiState} ui @param {() => void} redraw
 * @param {(seq: number) => string} address returns the address of an event @param {(address: string) => void} setAddress sets the address bar
 */
export function fileMatch({ replay, history }, { renderer, layout }, ui, redraw, address, setAddress) {
  const { match, game } = replay;
  const event = history.events[history.events.length - 1];
  const playback = new Playback(redraw, (_, seq) => setAddress(address(seq)));
  playback.open(match, () => history);
  const events = () => history.eventsAround(history.last());
  /** @type {MatchContext} */
  const atEnd = {
    ...{ ui, redraw, playback, events, me: "", hasServer: false, submitPress: null },
    games: new Map([[game.slug, game]]),
    renderers: new Map([[game.slug, renderer]]),
    layouts: new Map([[game.layout, layout]]),
    board: () => history.end,
    latestBoard: () => history.end,
    orphansOf: () => NONE,
    account: () => undefined,
    use: () => undefined,
    now: () => event.time,
    link: (_, seq) => address(seq),
    renderContext: () => ({
      ...onlookerContext(match, history.end, event, redraw),
      selected: ui.selected,
      events: events(),
      seq: event.seq,
    }),
  };
  /**
   * Return the context for the event that is displayed. If there is no playhead, return the context
   * for the end of the match.
   */
  const current = () => (playback.playhead ? contextAt(atEnd, match, playback.playhead) : atEnd);
  /** The events that the renderer has already described without an error. @type {WeakSet<ChainEvent>} */
  const worded = new WeakSet();
  /**
   * Return true if the game's renderer can draw and describe the current event. The renderer can
   * fail, because a file can contain any values.
   */
  const isDrawable = () => {
    try {
      const context = current().renderContext(match);
      for (const one of events().filter((each) => !worded.has(each))) {
        renderer.sentences(one, context.board, [one], "");
        worded.add(one);
      }
      drawable(renderer.picture(context));
      renderer.seats(context.board);
      renderer.turnText(context.board, "");
      return true;
    } catch {
      return false;
    }
  };
  return { replay, match, playback, current, isDrawable };
}
