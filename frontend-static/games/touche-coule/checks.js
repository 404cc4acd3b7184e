/**
 * Repeats the contract's checks in the contract's order, to explain why the contract would reject
 * an action now. This module has no side effects.
 */

import { age } from "../../i18n/translate.js";
import { whyPending } from "../shared/duel.js";
import { captainArgs, chosen } from "./captains.js";
import { afloat, cellOf, firedBits, fleet } from "./ships.js";

/** @import { Action, I18nText, Json, RenderContext } from "../../types.js" */
/** @import { Ship } from "./ships.js" */

const SHIP_LIMIT = 2;
const MATCH_LIMIT = 256;
const OWNERS_NEEDED = 2;

/** @type {Record<string, (context: RenderContext) => I18nText|null>} */
const CHECKS = {
  register: whyRegister,
  "register-captain": whyRegister,
  turn: whyTurn,
  changePosition: whyMove,
  communicate: whyCommunicate,
  expire: whyExpire,
};

/**
 * Return an ID that is unique among the actions. The overloads `register(uint48,address)` and
 * `register(uint48)` have the same name but different IDs.
 * @param {Action} action
 */
export const actionId = (action) =>
  action.name === "register" && action.signature.includes("address") ? "register-captain" : action.name;

/** @param {RenderContext} context @param {Action} action @returns {I18nText|null} */
export function why(context, action) {
  return CHECKS[actionId(action)]?.(context) ?? null;
}

/**
 * Return true if an action has a button. If an action can't become possible again, it has no
 * button.
 * @param {RenderContext} context @param {Action} action
 */
export function isOffered(context, action) {
  const { board, me, now } = context;
  const own = afloat(board, me);
  const [open, playing] = ["open", "playing"].map((status) => board.status === status);
  const free = open && fleet(board, me).length < SHIP_LIMIT;
  /** @type {Record<string, boolean>} */
  const cases = {
    register: free && !chosen(context),
    "register-captain": free && chosen(context) !== "",
    turn: own.length > 0,
    changePosition: playing && own.length > 0,
    communicate: playing && own.filter(([, ship]) => !ship.captain).length > 1,
    expire: playing && now >= board.deadline,
  };
  return cases[actionId(action)] ?? true;
}

/**
 * Return the arguments that the player doesn't enter: the number of the turn, or the address of a
 * ready-made captain.
 * @param {RenderContext} context @param {Action} action @returns {Json}
 */
export function args(context, action) {
  if (actionId(action) === "register-captain") return captainArgs(context);
  return action.name === "turn" ? { turnNo: context.board.ply } : {};
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyRegister({ board, me, pending }) {
  if (board.status !== "open") return { key: "touche-coule.why.registration-closed" };
  const coming = pending.filter((tx) => tx.action.startsWith("register") && tx.account === me).length;
  if (fleet(board, me).length + coming >= SHIP_LIMIT)
    return { key: coming ? "why.on-its-way" : "touche-coule.why.ship-limit", args: { limit: SHIP_LIMIT } };
  if (Object.keys(board.ships).length >= MATCH_LIMIT)
    return { key: "touche-coule.why.match-full", args: { n: MATCH_LIMIT } };
  return whyFull(board);
}

/** @param {Json} board @returns {I18nText|null} */
const whyFull = ({ afloat: ships, width, height }) =>
  ships >= width * height ? { key: "touche-coule.why.no-free-cell" } : null;

/** @param {RenderContext} context @returns {I18nText|null} */
const whyNotPlaying = (context) =>
  whyNotAfloat(context) ?? (context.board.status === "playing" ? null : { key: "touche-coule.why.not-started" });

/** @param {RenderContext} context @returns {I18nText|null} */
function whyNotAfloat({ board, me }) {
  if (afloat(board, me).length) return null;
  if (fleet(board, me).length) return { key: "touche-coule.why.all-sunk" };
  return { key: board.status === "open" ? "touche-coule.why.no-ship" : "touche-coule.why.only-looking" };
}

/**
 * Return a reason if it's too soon to play a turn or to change a ship's position. Otherwise, return
 * null. Both actions need randomness from the block after the board's anchor block. Therefore, the
 * block after the anchor block must exist first.
 * @param {RenderContext} context @returns {I18nText|null}
 */
function whyTooSoon({ board, head }) {
  const from = board.anchor + 2;
  const height = head?.height ?? 0;
  return board.anchor && height + 1 < from ? { key: "touche-coule.why.too-soon" } : null;
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyTurn(context) {
  const { board, pending } = context;
  const stopped = whyNotAfloat(context);
  if (stopped) return stopped;
  if (pending.some((tx) => tx.action === "turn")) return { key: "why.on-its-way" };
  const owners = Object.keys(board.players).length;
  if (board.ply === 0)
    return owners < OWNERS_NEEDED ? { key: "touche-coule.why.two-owners", args: { n: owners } } : null;
  return whyTooSoon(context);
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyMove(context) {
  const { board, me } = context;
  const stopped = whyNotPlaying(context) ?? whyPending(context, "changePosition");
  if (stopped) return stopped;
  const ready = Math.min(...afloat(board, me).map(([, ship]) => ship.ready));
  if (ready > board.ply) return { key: "touche-coule.why.move-again", args: { n: ready - board.ply } };
  return whyTooSoon(context) ?? whyFull(board);
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyCommunicate(context) {
  const { board, me } = context;
  const [one, two] = afloat(board, me)
    .map(([, ship]) => ship)
    .filter(({ captain }) => !captain);
  const lacksTwo = two ? null : { key: "touche-coule.why.two-ships" };
  const stopped = whyNotPlaying(context) ?? lacksTwo ?? whyPending(context, "communicate");
  if (stopped) return stopped;
  return wouldLearn(board, one, two) || wouldLearn(board, two, one)
    ? null
    : { key: "touche-coule.why.nothing-to-tell" };
}

/**
 * Return true if the ship `pupil` would learn about a new cell from the ship `teacher`. The cell of
 * the pupil itself is never marked, so it doesn't count as new.
 * @param {Json} board @param {Ship} pupil @param {Ship} teacher
 */
function wouldLearn(board, pupil, teacher) {
  const known = firedBits(pupil) | (1n << BigInt(cellOf(board, pupil)));
  return (firedBits(teacher) | known) !== known;
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyExpire({ board, now }) {
  if (board.status !== "playing") return { key: "touche-coule.why.not-started" };
  return now < board.deadline
    ? { key: "touche-coule.why.not-expired", args: { age: age(board.deadline - now) } }
    : null;
}
