/** What a player prepares before a fleet is sealed: where the boats lie, the first shot, whether the page may reveal by itself. */

import { t } from "../../i18n/translate.js";
import { fleetOf, playedCommitments } from "./answers.js";
import { noteComputer } from "./end/auto-reveal.js";
import { FAULTS, TILES, WIDTH, faultsOf, judge, randomFleet, secureDice, shipsOf } from "./fleet/fleet.js";
import { plays } from "../shared/duel.js";
import { hasRoom, sealFleet, tryRoom } from "./fleet/storage.js";
import { coordinate } from "../../lib/board.js";

/** @import { I18nText, Json, RenderContext } from "../../types.js" */
/** @import { Boat, Fault, Letter } from "./fleet/fleet.js" */
/** @import { BoatName } from "./fleet/sunk.js" */

/**
 * @typedef {object} FleetDraft
 * @property {Boat[]} boats
 * @property {Letter} selected the boat that was touched last
 * @property {number} first the tile of the first shot
 * @property {boolean} reveal
 * @property {string} [sealed] the commitment that these boats were sealed with last
 * @property {{letter: Letter, boats: Boat[]}} [lifted] the boat that the keyboard moves, and how all lay before
 */

/** The player's draft; a new one lies ready to be sent. Boats that are in a match by now are not offered again. @param {RenderContext} context @returns {FleetDraft} */
export function fleetDraft({ draft }) {
  const { state } = draft;
  if (!state.boats) Object.assign(state, { selected: "C", first: secureDice(TILES), reveal: true });
  if (!state.boats || playedCommitments.has(state.sealed))
    Object.assign(state, { boats: randomFleet(), sealed: undefined });
  return /** @type {FleetDraft} */ (state);
}

/** Lays the boats of a player who may take part, and tries whether a fleet could be kept. @param {RenderContext} context */
export function prepare(context) {
  const { match, board, me, draft } = context;
  // A changed draft makes the picture be drawn again: another tab can add or remove a fleet, too.
  if (match) draft.state.fleets = Number(Boolean(fleetOf(board, me)));
  if (match) noteComputer(context);
  if (match && (board.status !== "open" || plays(board, me))) return;
  fleetDraft(context);
  tryRoom();
}

/** Why these boats can't be sealed. @param {RenderContext} context @returns {I18nText|null} */
export function whyLayout(context) {
  if (!hasRoom()) return { key: "battleship.why.storage" };
  const { boats } = fleetDraft(context);
  return judge(shipsOf(boats)) === FAULTS.none
    ? null
    : { key: "battleship.why.layout", args: { why: faultsOf(boats).map(faultText).join(" ") } };
}

/** @param {BoatName|undefined} letter */
export const boatName = (letter) => t(`battleship.boat.${letter}`);

/** A fault as a sentence. @param {Fault} fault */
export function faultText({ why, boat, other, tile = 0 }) {
  const args = { boat: boatName(boat), other: boatName(other), cell: coordinate(tile, WIDTH) };
  return t(`battleship.layout.${why}`, args);
}

/** A clock alone makes a match of two count for the ratings, whatever is at stake (indexer/store/results.py). @param {Json} terms */
function worthOf({ stake, clock }) {
  if (String(stake) !== "0") return "stake";
  return Number(clock) > 0 ? "rating" : "nothing";
}

/** Seals the draft, which this browser keeps from here on: the arguments of an action. @param {RenderContext} context @param {string} action @param {Json} terms of the match: its stake and clock @returns {Json} */
export function commitmentArgs(context, action, terms) {
  const draft = fleetDraft(context);
  const { reveal } = draft;
  const commitment = (draft.sealed = sealFleet(shipsOf(draft.boats), context.me, { reveal, worth: worthOf(terms) }));
  return action === "accept" ? { commitment, tile: draft.first } : { commitment };
}
