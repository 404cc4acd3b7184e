/**
 * The buttons and their texts, the moves that a click on the board sends, and the arguments that
 * the page adds. This module has no side effects.
 */

import { ZERO_ADDRESS } from "../../lib/ethereum/address.js";
import { CLAIM, plays, seatOf } from "../shared/duel.js";
import { isStaked } from "../shared/terms.js";
import { RULESETS } from "./contract-view.js";
import { chosen, cubeOn, pointOf } from "./cubes.js";
import { withdrawable } from "./streams.js";

/** @import { Action, I18nText, Json, Move, RenderContext } from "../../types.js" */

export const joinAction = "join";
export const closeAction = "cancel";
export const pressAction = "makeMove";
/**
 * The actions that are possible at any time. They only withdraw the part of the stake that has
 * streamed back, so they don't change the game.
 */
export const anyTime = ["withdraw"];
export const accountOnly = ["withdraw"];
export const needsSecondPress = ["cancel", "resign"];
export const secondary = ["passMove", "withdraw"];
/** The number of consecutive passes after which the match ends in a draw. */
export const MAX_PASSES = 6;

/**
 * Return true if an action has a button. A move has no button, because the player clicks the board
 * instead. Every other action has a button when it makes sense.
 * @param {RenderContext} context @param {Action} action
 */
export function isOffered(context, { name }) {
  const { board, me, now } = context;
  const seated = plays(board, me);
  const moves = board.status === "playing" && board.mover === me;
  const cases = {
    join: board.status === "open" && !seated,
    cancel: board.status === "open" && board.creator === me,
    passMove: moves && (board.ruleset === "near" || Object.keys(board.moves).length === 0),
    resign: board.status === "playing" && seated,
    withdraw: seated && isStaked(board) && withdrawable(board, seatOf(board, me), now) > 0n,
  };
  return cases[/** @type {"join"} */ (name)] ?? false;
}

/** @param {RenderContext} context @param {string} actionId @returns {{label?: I18nText, hint?: I18nText}} */
export function buttonText({ board, me, now, formatAmount }, actionId) {
  const amount = () => formatAmount(withdrawable(board, seatOf(board, me), now), board.token);
  const n = (board.passes ?? 0) + 1;
  const draw = { key: `deblockle.hint.pass${n === MAX_PASSES ? "-draw" : ""}`, args: { n, all: MAX_PASSES } };
  /** @type {Record<string, () => {label?: I18nText, hint?: I18nText}>} */
  const cases = {
    passMove: () => ({ label: { key: `deblockle.action.pass-${board.phase}` }, hint: draw }),
    withdraw: () => ({ label: { key: "deblockle.action.withdraw-amount", args: { amount: amount() } } }),
    [CLAIM]: () => ({ hint: { key: `deblockle.hint.claim-${endsWithDeposit(board) ? "dry" : "clock"}` } }),
  };
  return cases[actionId]?.() ?? {};
}

/** Return the settings of a match in the form in which a player enters them for a new match. @param {Json} board @returns {Json} */
export const settingsOf = ({ setup, ruleset }) => ({ cubes: setup, ruleset: RULESETS.indexOf(ruleset) });

/**
 * Return true if the streaming deposit is used up before the clock runs out. In that case, the
 * deposit sets the deadline.
 * @param {Json} board
 */
export const endsWithDeposit = ({ deadline, runsDry }) => runsDry !== undefined && runsDry === deadline;

/**
 * Return the ID of the only cube that can move to a square. Return "" if no cube, or more than one
 * cube, can move there.
 * @param {RenderContext} context @param {number} cell
 */
function onlyCubeTo({ board, me }, cell) {
  if (board.mover !== me || board.status !== "playing") return "";
  const able = Object.keys(board.moves ?? {}).filter((id) => board.moves[id].includes(cell));
  return able.length === 1 ? able[0] : "";
}

/**
 * Return the move of the chosen cube to the clicked square. Return null if another of the player's
 * cubes is on the square, because the click chooses that cube instead.
 * @param {RenderContext} context @param {number} cell @returns {Move|null}
 */
export function press(context, cell) {
  const { board } = context;
  const id = chosen(context) || onlyCubeTo(context, cell);
  if (!id || board.cubes[id].cell === cell) return null;
  const isOwn = board.cubes[cubeOn(board, cell)]?.seat === board.cubes[id].seat;
  if (isOwn && board.hopper === undefined) return null;
  const [[fromX, fromY], [toX, toY]] = [pointOf(board.cubes[id].cell), pointOf(cell)];
  return { action: pressAction, args: { fromX, fromY, toX, toY } };
}

/** @param {RenderContext} context @param {number} cell */
export function select({ board, me }, cell) {
  const id = cubeOn(board, cell);
  return id && board.cubes[id].seat === seatOf(board, me) ? Number(id) + 1 : 0;
}

/**
 * Return the arguments that the player doesn't enter: for a move or a pass, the current ply, and
 * for joining, the terms on the page. The contract rejects an action if they have changed.
 * @param {RenderContext} context @param {Action} action @param {Json} [typed] @returns {Json}
 */
export function args({ board }, { name }, typed = {}) {
  /** @type {Record<string, Json>} */
  const cases = {
    create: { rematchOf: typed.rematchOf ?? 0 },
    join: {
      ...{ cubes: board.setup, ruleset: RULESETS.indexOf(board.ruleset), token: board.token ?? ZERO_ADDRESS },
      ...{ stake: board.stake, rate: board.rate, clock: board.clock },
    },
    makeMove: { ply: board.ply },
    passMove: { ply: board.ply },
  };
  return cases[name] ?? {};
}
