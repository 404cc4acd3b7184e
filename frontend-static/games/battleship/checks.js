/** Which actions the contract would refuse now, and why: its own checks, in its own order; and what has a button. */

import { coordinate } from "../../lib/board.js";
import { plays, whyClaim, whyClose, whyJoin, whyPlaying, whyTurn, whyUnderWay } from "../shared/duel.js";
import { fleetOf, isFatal } from "./answers.js";
import { whyLayout } from "./draft.js";
import { owed } from "./stakes.js";
import { TILES, WIDTH } from "./fleet/fleet.js";

/** @import { Action, Json, Phrase, View } from "../../types.js" */

const SHORTEST_CLOCK = 60;

/** @type {Record<string, (view: View, given: Json) => Phrase|null>} */
const CHECKS = {
  invite: whyInvite, accept: whyAccept, decline: whyDecline, cancel: whyClose, move: whyMove, surrender: whySurrender, reveal: whyReveal,
  claimTimeout: whyClaim, withdraw: whyWithdraw,
};

/** @param {View} view @param {Action} action @param {Json} [given] @returns {Phrase|null} */
export const why = (view, action, given = {}) => CHECKS[action.name]?.(view, given) ?? whyUnderWay(view, action.name);

/** @param {View} view @param {Action} action */
export function shown(view, { name }) {
  const { board, me } = view;
  const open = board.status === "open";
  const seated = plays(board, me);
  const shooting = board.status === "playing" && board.phase === "shots";
  /** @type {Record<string, boolean>} */
  const cases = {
    accept: open && !seated,
    decline: open && board.opponent === me,
    cancel: open && board.creator === me,
    move: isFatal(view), // every other one is a press on the enemy's sea
    surrender: shooting && seated,
    reveal: board.status === "playing" && board.phase === "reveals" && seated && !hasRevealed(board, me),
    withdraw: owed(board, me) > 0n,
  };
  return cases[name] ?? true;
}

/** @param {Json} board @param {string} account */
export const hasRevealed = (board, account) => board.fleets?.[account]?.ships !== undefined;

/** What is typed may not be a number yet: the page tells that. @param {View} view @param {Json} typed @returns {Phrase|null} */
function whyInvite(view, { stake, clock }) {
  return Number(stake) > 0 && Number(clock) < SHORTEST_CLOCK ? { key: "battleship.why.clock", args: { n: SHORTEST_CLOCK } } : whyLayout(view);
}

/** @param {View} view @returns {Phrase|null} */
function whyAccept(view) {
  return whyJoin(view) ?? whyLayout(view);
}

/** @param {View} view @returns {Phrase|null} */
function whyDecline({ board, me }) {
  if (board.status !== "open") return { key: "why.not-open" };
  return board.opponent === me ? null : { key: "battleship.why.not-asked" };
}

/** @param {View} view @param {boolean} reveals @returns {Phrase|null} */
function whyPhase(view, reveals) {
  const { status, phase } = view.board;
  if (status !== "open" && (phase === "reveals") !== reveals) return { key: reveals ? "battleship.why.still-shooting" : "battleship.why.shooting-over" };
  return whyPlaying(view);
}

/** @param {View} view @param {Json} given @returns {Phrase|null} */
function whyMove(view, { tile }) {
  const { board, me } = view;
  const stopped = whyPhase(view, false) ?? whyTurn(view, "move");
  if (stopped) return stopped;
  if (!fleetOf(board, me)) return { key: "battleship.why.no-fleet" };
  return isFatal(view) ? null : whyTile(board, me, tile);
}

/** @param {Json} board @param {string} me @param {number|undefined} tile @returns {Phrase|null} */
function whyTile(board, me, tile) {
  if (tile === undefined || tile < 0 || tile >= TILES) return { key: "battleship.why.no-tile" };
  const fired = Object.hasOwn(board.players[me].shots ?? {}, String(tile));
  return fired ? { key: "battleship.why.fired", args: { cell: coordinate(tile, WIDTH) } } : null;
}

/** @param {View} view @returns {Phrase|null} */
function whySurrender(view) {
  return whyPhase(view, false) ?? (fleetOf(view.board, view.me) ? null : { key: "battleship.why.no-fleet" });
}

/** @param {View} view @returns {Phrase|null} */
function whyReveal(view) {
  const phase = whyPhase(view, true);
  if (phase) return phase;
  if (hasRevealed(view.board, view.me)) return { key: "battleship.why.revealed" };
  return fleetOf(view.board, view.me) ? null : { key: "battleship.why.no-fleet" };
}

/** @param {View} view @returns {Phrase|null} */
function whyWithdraw({ board, me }) {
  if (!plays(board, me)) return { key: "why.not-a-player" };
  return owed(board, me) > 0n ? null : { key: "battleship.why.nothing-due" };
}
