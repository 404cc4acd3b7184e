/** What a match is drawn from where nobody plays: at an earlier event, or for an onlooker. Pure. */

import { amountOf } from "../games/shared/amounts.js";

/** @import { Nicknames } from "../server/nicknames.js" */
/** @import { Playback } from "./playback.js" */
/** @import { Account, Block, ChainEvent, Json, Move, OrphanedEvent, Playhead, Rating, RenderContext, Renderer, UiState } from "../types.js" */

/**
 * @typedef {object} MatchContext What a match is drawn from: as it is now, at an earlier event, or from a file.
 * @property {UiState} ui
 * @property {string} me
 * @property {() => void} redraw
 * @property {Map<string, {slug: string, title: string, layout: string}>} games
 * @property {Map<string, Renderer>} renderers
 * @property {Map<string, any>} layouts
 * @property {Playback} playback
 * @property {(match: string) => Json|null} board
 * @property {(match: string) => Json|null} latestBoard the present board, whatever is looked at
 * @property {(match: string, me?: string, slug?: string) => RenderContext} renderContext `match`: "" before one is opened; `me`: who looks
 * @property {(match: string) => ChainEvent[]} events those that the list of moves shows
 * @property {(match: string) => OrphanedEvent[]} orphansOf
 * @property {(address: string) => Account|undefined} account
 * @property {(account: Account) => void} use
 * @property {Nicknames} [nicknames] where accounts may have them
 * @property {(address: string, slug: string) => Rating|null} [ratingOf] in a game
 * @property {() => number} now seconds since 1970
 * @property {((match: string, move: Move|null, cell: number) => boolean)|null} submitPress sends a move, if it is one; null where none can be made
 * @property {((match: string) => Promise<void>)} [loadOlder] makes earlier events part of that list
 * @property {(match: string) => number} [watchers] how many pages watch it, this one included
 * @property {(match: string) => boolean} [covers] whether what one player alone may see is not to be seen now
 * @property {(match: string) => boolean} [isRepeating] whether the page repeats a move there by itself
 * @property {() => boolean} [lacksEther] whether who looks can't pay for anything
 * @property {string} [waitingText] the key of what a cell says whose move is under way, where it is not that
 * @property {boolean} hasServer whether a server is behind it, that knows more than this match
 * @property {(match: string, seq: number) => string} link the address of an event; of the present with 0
 */

/** No token's decimals are at hand. @param {bigint} amount @param {string} [token] */
export const formatAmount = (amount, token) => amountOf(token, amount);

/** @param {ChainEvent} event @returns {Block} */
const blockOf = ({ block: height, hash, time }) => ({ height, hash, time });

/** Nobody looks, nothing is chosen, nothing is under way. @param {string} match @param {Json} board @param {ChainEvent} event that led to it @param {() => void} [change] @returns {RenderContext} */
export const onlookerContext = (match, board, event, change = () => undefined) => ({
  ...{ match, board, me: "", selected: 0, pending: [], formatAmount },
  ownAccounts: new Set(),
  head: blockOf(event),
  now: event.time,
  draft: { state: {}, change },
});

/** The context at the playhead: board, time and players of then, and no move can be sent. @param {MatchContext} matchContext @param {string} match @param {Playhead} playhead @returns {MatchContext} */
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

/** What is looked back at, for the contract to be asked about it; null for an orphaned event, and while it is not known whether its block goes on. @param {Playback} playback */
export function claimOf({ playhead, last, history }) {
  const next = playhead && history?.event(playhead.seq + 1);
  if (!playhead || playhead.orphan || (!next && playhead.seq < last)) return null;
  const { seq, board, event } = playhead;
  return { seq, board, block: blockOf(event), settled: next?.hash !== event.hash, past: true };
}
