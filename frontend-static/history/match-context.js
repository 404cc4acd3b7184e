/**
 * Makes contexts from which the page draws a match for watchers, at the latest event or at an
 * earlier event. This module has no side effects.
 */

import { amountOf } from "../games/shared/amounts.js";

/** @import { Nicknames } from "../server/nicknames.js" */
/** @import { Playback } from "./playback.js" */
/** @import { Account, Block, ChainEvent, Json, Move, OrphanedEvent, Playhead, Rating, RenderContext, Renderer, UiState } from "../types.js" */

/**
 * @typedef {object} MatchContext The input for drawing a match at its latest event, at an earlier
 *   event, or from a file.
 * @property {UiState} ui
 * @property {string} me
 * @property {() => void} redraw
 * @property {Map<string, {slug: string, title: string, layout: string}>} games
 * @property {Map<string, Renderer>} renderers
 * @property {Map<string, any>} layouts
 * @property {Playback} playback
 * @property {(match: string) => Json|null} board
 * @property {(match: string) => Json|null} latestBoard returns the latest board, even while an
 * earlier event is displayed
 * @property {(match: string, me?: string, slug?: string) => RenderContext} renderContext returns
 * the input of the game's renderer. `match`: the match's name, or "" before a match is opened.
 * `me`: the viewer's account
 * @property {(match: string) => ChainEvent[]} events returns the events for the list of moves
 * @property {(match: string) => OrphanedEvent[]} orphansOf
 * @property {(address: string) => Account|undefined} account
 * @property {(account: Account) => void} use
 * @property {Nicknames} [nicknames] set if accounts on this page can have nicknames
 * @property {(address: string, slug: string) => Rating|null} [ratingOf] returns an account's rating in a game
 * @property {() => number} now returns the time in seconds since 1970
 * @property {((match: string, move: Move|null, cell: number) => boolean)|null} submitPress sends a
 * click on a cell as a move, and returns true if the click was a move. The property is null if no
 * moves are possible.
 * @property {((match: string) => Promise<void>)} [loadOlder] adds earlier events to the list of moves
 * @property {(match: string) => number} [watchers] returns the number of pages that are watching
 * the match, including this page
 * @property {(match: string) => boolean} [covers] true while the page must hide a player's secrets
 * @property {(match: string) => boolean} [isRepeating] true while the page is repeating a move by
 * itself
 * @property {() => boolean} [lacksEther] true if the viewer has too little ether for any
 * transaction
 * @property {string} [waitingText] the key of the text that describes a cell with a pending move,
 * if it isn't the default text
 * @property {boolean} hasServer true if there is a server, which has data about other matches
 * @property {(match: string, seq: number) => string} link returns the address of an event, or of the latest board if `seq` is 0
 */

/**
 * Format an amount in the token's smallest units, because the number of the token's decimals is
 * unknown here. @param {bigint} amount @param {string} [token]
 */
export const formatAmount = (amount, token) => amountOf(token, amount);

/** @param {ChainEvent} event @returns {Block} */
const blockOf = ({ block: height, hash, time }) => ({ height, hash, time });

/** Return a watcher's context, which has no selection and no pending moves. @param {string} match @param {Json} board @param {ChainEvent} event the event that led to the board @param {() => void} [change] @returns {RenderContext} */
export const onlookerContext = (match, board, event, change = () => undefined) => ({
  ...{ match, board, me: "", selected: 0, pending: [], formatAmount },
  ownAccounts: new Set(),
  head: blockOf(event),
  now: event.time,
  draft: { state: {}, change },
});

/**
 * Return the context for an earlier event, with the board, the time and the players at that event.
 * It allows no moves.
 * @param {MatchContext} matchContext @param {string} match @param {Playhead} playhead @returns {MatchContext}
 */
export function contextAt(matchContext, match, { board, event, seq }) {
  const me = board.players?.[matchContext.me] ? matchContext.me : "";
  const latestBoard = matchContext.latestBoard(match);
  const near = matchContext.playback.history?.eventsAround(seq) ?? [];
  const viewAs = latestBoard?.players?.[matchContext.me] ? matchContext.me : "";
  const earlier = {
    board,
    me,
    head: blockOf(event),
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

/**
 * Return the displayed board as a claim that the page can check against the chain. Return null if
 * the board's event is orphaned, or if the event's block may contain later events that aren't
 * loaded.
 * @param {Playback} playback
 */
export function claimOf({ playhead, last, history }) {
  const next = playhead && history?.event(playhead.seq + 1);
  if (!playhead || playhead.orphan || (!next && playhead.seq < last)) return null;
  const { seq, board, event } = playhead;
  return { seq, board, block: blockOf(event), settled: next?.hash !== event.hash, past: true };
}
