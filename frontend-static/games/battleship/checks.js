/**
 * Repeats the contract's checks in the contract's order, to explain why the contract would reject
 * an action now. This module also decides which actions have a button.
 */

import { coordinate } from "../../lib/board.js";
import { plays, whyClaim, whyClose, whyJoin, whyPending, whyPlaying, whyTurn } from "../shared/duel.js";
import { fleetOf, isFinalHit } from "./answers.js";
import { whyLayout } from "./draft.js";
import { withdrawableStake } from "./stakes.js";
import { TILES, WIDTH } from "./fleet/fleet.js";

/** @import { Action, I18nText, Json, RenderContext } from "../../types.js" */

const MIN_CLOCK = 60;

/** @type {Record<string, (context: RenderContext, given: Json) => I18nText|null>} */
const CHECKS = {
  invite: whyInvite,
  accept: whyAccept,
  decline: whyDecline,
  cancel: whyClose,
  move: whyMove,
  surrender: whySurrender,
  reveal: whyReveal,
  claimTimeout: whyClaim,
  withdraw: whyWithdraw,
};

/** @param {RenderContext} context @param {Action} action @param {Json} [values] @returns {I18nText|null} */
export const why = (context, action, values = {}) =>
  CHECKS[action.name]?.(context, values) ?? whyPending(context, action.name);

/** @param {RenderContext} context @param {Action} action */
export function isOffered(context, { name }) {
  const { board, me } = context;
  const open = board.status === "open";
  const seated = plays(board, me);
  const shooting = board.status === "playing" && board.phase === "shots";
  /** @type {Record<string, boolean>} */
  const cases = {
    accept: open && !seated,
    decline: open && board.opponent === me,
    cancel: open && board.creator === me,
    move: isFinalHit(context), // before the final hit, a click on the enemy's sea sends `move`, so `move` has no button
    surrender: shooting && seated,
    reveal: board.status === "playing" && board.phase === "reveals" && seated && !hasRevealed(board, me),
    withdraw: withdrawableStake(board, me) > 0n,
  };
  return cases[name] ?? true;
}

/** @param {Json} board @param {string} account */
export const hasRevealed = (board, account) => board.fleets?.[account]?.ships !== undefined;

/**
 * Return why the contract would reject the terms that the player typed. This function ignores
 * values that are not numbers, because the page checks them elsewhere.
 * @param {RenderContext} context @param {Json} typed @returns {I18nText|null}
 */
function whyInvite(context, { stake, clock }) {
  return Number(stake) > 0 && Number(clock) < MIN_CLOCK
    ? { key: "battleship.why.clock", args: { n: MIN_CLOCK } }
    : whyLayout(context);
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyAccept(context) {
  return whyJoin(context) ?? whyLayout(context);
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyDecline({ board, me }) {
  if (board.status !== "open") return { key: "why.not-open" };
  return board.opponent === me ? null : { key: "battleship.why.not-asked" };
}

/** @param {RenderContext} context @param {boolean} reveals @returns {I18nText|null} */
function whyPhase(context, reveals) {
  const { status, phase } = context.board;
  if (status !== "open" && (phase === "reveals") !== reveals)
    return { key: reveals ? "battleship.why.still-shooting" : "battleship.why.shooting-over" };
  return whyPlaying(context);
}

/** @param {RenderContext} context @param {Json} values @returns {I18nText|null} */
function whyMove(context, { tile }) {
  const { board, me } = context;
  const stopped = whyPhase(context, false) ?? whyTurn(context, "move");
  if (stopped) return stopped;
  if (!fleetOf(board, me)) return { key: "battleship.why.no-fleet" };
  return isFinalHit(context) ? null : whyTile(board, me, tile);
}

/** @param {Json} board @param {string} me @param {number|undefined} tile @returns {I18nText|null} */
function whyTile(board, me, tile) {
  if (tile === undefined || tile < 0 || tile >= TILES) return { key: "battleship.why.no-tile" };
  const fired = Object.hasOwn(board.players[me].shots ?? {}, String(tile));
  return fired ? { key: "battleship.why.fired", args: { cell: coordinate(tile, WIDTH) } } : null;
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whySurrender(context) {
  return whyPhase(context, false) ?? (fleetOf(context.board, context.me) ? null : { key: "battleship.why.no-fleet" });
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyReveal(context) {
  const phase = whyPhase(context, true);
  if (phase) return phase;
  if (hasRevealed(context.board, context.me)) return { key: "battleship.why.revealed" };
  return fleetOf(context.board, context.me) ? null : { key: "battleship.why.no-fleet" };
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyWithdraw({ board, me }) {
  if (!plays(board, me)) return { key: "why.not-a-player" };
  return withdrawableStake(board, me) > 0n ? null : { key: "battleship.why.nothing-due" };
}
