/** Which actions the contract would refuse now, and why: its own checks, in its own order. Pure. */

import { age } from "../../i18n/translate.js";
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

/** Distinguishes `register(uint48,address)` from `register(uint48)`. @param {Action} action */
export const kindOf = (action) =>
  action.name === "register" && action.signature.includes("address") ? "register-captain" : action.name;

/** @param {RenderContext} context @param {Action} action @returns {I18nText|null} */
export function why(context, action) {
  return CHECKS[kindOf(action)]?.(context) ?? null;
}

/** @param {RenderContext} context @param {Action} action */
export function isOffered({ board, now }, action) {
  const kind = kindOf(action);
  if (kind === "register-captain") return board.captains === true && board.status === "open";
  if (kind === "expire") return board.status === "playing" && now >= board.deadline;
  return true;
}

/** A turn names the one that it answers. @param {RenderContext} context @param {Action} action @returns {Json} */
export const args = ({ board }, action) => (action.name === "turn" ? { turnNo: board.ply } : {});

/** @param {RenderContext} context @returns {I18nText|null} */
function whyRegister({ board, me, pending }) {
  if (board.status !== "open") return { key: "touche-coule.why.registration-closed" };
  const coming = pending.filter((tx) => tx.action.startsWith("register") && tx.account === me).length;
  if (fleet(board, me).length + coming >= SHIP_LIMIT)
    return { key: coming ? "why.on-its-way" : "touche-coule.why.ship-limit", args: { limit: SHIP_LIMIT } };
  if (Object.keys(board.ships).length >= MATCH_LIMIT)
    return { key: "touche-coule.why.match-full", args: { n: MATCH_LIMIT } };
  return board.afloat >= board.width * board.height ? { key: "touche-coule.why.no-free-cell" } : null;
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyNotAfloat({ board, me }) {
  if (afloat(board, me).length) return null;
  if (fleet(board, me).length) return { key: "touche-coule.why.all-sunk" };
  return { key: board.status === "open" ? "touche-coule.why.no-ship" : "touche-coule.why.only-looking" };
}

/** Turns and moves draw from a block after the anchor; the next block must be past it. @param {RenderContext} context @returns {I18nText|null} */
function whyTooSoon({ board, head }) {
  const from = board.anchor + 2;
  const height = head?.height ?? 0;
  return board.anchor && height + 1 < from
    ? { key: "touche-coule.why.too-soon", args: { block: from - 1, head: height } }
    : null;
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
  const { board, me, pending } = context;
  const stopped = whyNotAfloat(context);
  if (stopped) return stopped;
  if (board.status !== "playing") return { key: "touche-coule.why.not-started" };
  if (pending.some((tx) => tx.action === "changePosition" && tx.account === me)) return { key: "why.on-its-way" };
  const ready = Math.min(...afloat(board, me).map(([, ship]) => ship.ready));
  if (ready > board.ply) return { key: "touche-coule.why.move-again", args: { n: ready - board.ply } };
  return (
    whyTooSoon(context) ??
    (board.afloat >= board.width * board.height ? { key: "touche-coule.why.no-free-cell" } : null)
  );
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyCommunicate(context) {
  const { board, me, pending } = context;
  const stopped = whyNotAfloat(context);
  if (stopped) return stopped;
  if (board.status !== "playing") return { key: "touche-coule.why.not-started" };
  const [one, two] = afloat(board, me)
    .filter(([, ship]) => !ship.captain)
    .map(([, ship]) => ship);
  if (!two) return { key: "touche-coule.why.two-ships" };
  if (pending.some((tx) => tx.action === "communicate" && tx.account === me)) return { key: "why.on-its-way" };
  return learns(board, one, two) || learns(board, two, one) ? null : { key: "touche-coule.why.nothing-to-tell" };
}

/** Whether `pupil`'s map would change; its own cell is never marked. @param {Json} board @param {Ship} pupil @param {Ship} teacher */
function learns(board, pupil, teacher) {
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
