/**
 * The player's choices before the fleet is sealed: where the ships are, where the first shot goes,
 * and whether the page can reveal the fleet by itself.
 */

import { t } from "../../i18n/translate.js";
import { fleetOf, playedCommitments } from "./answers.js";
import { recordComputerOpponent } from "./end/auto-reveal.js";
import {
  FAULTS,
  TILES,
  WIDTH,
  faultsOf,
  fleetFault,
  fleetText,
  randomFleet,
  secureRandomBelow,
} from "./fleet/fleet.js";
import { plays } from "../shared/duel.js";
import { canStoreFleet, sealFleet, testStorage } from "./fleet/storage.js";
import { coordinate } from "../../lib/board.js";

/** @import { I18nText, Json, RenderContext } from "../../types.js" */
/** @import { Fault, Letter, PlacedShip } from "./fleet/fleet.js" */
/** @import { ShipName } from "./fleet/sunk.js" */

/**
 * @typedef {object} FleetDraft
 * @property {PlacedShip[]} ships
 * @property {Letter} selected the ship that the player touched last
 * @property {number} first the tile that the player chose for the first shot
 * @property {boolean} reveal
 * @property {string} [sealed] the latest commitment to these ships; missing before the first one
 * @property {{letter: Letter, ships: PlacedShip[]}} [lifted] the ship that the player is moving
 * with the keyboard, and the layout before that move
 */

/**
 * Return the player's draft. A new draft already has a complete fleet. Once a match uses this
 * fleet, the draft gets a new random fleet.
 * @param {RenderContext} context @returns {FleetDraft}
 */
export function fleetDraft({ draft }) {
  const { state } = draft;
  // In versions up to 0.7, drafts stored the ships as `boats`. A draft from before a reload can
  // still have them.
  if (state.boats) Object.assign(state, { ships: state.boats, boats: undefined, lifted: undefined });
  if (!state.ships) Object.assign(state, { selected: "C", first: secureRandomBelow(TILES), reveal: true });
  if (!state.ships || playedCommitments.has(state.sealed))
    Object.assign(state, { ships: randomFleet(), sealed: undefined });
  return /** @type {FleetDraft} */ (state);
}

/**
 * Place the ships if the player can take part in the match, and test whether the browser can store
 * a fleet. @param {RenderContext} context
 */
export function prepare(context) {
  const { match, board, me, draft } = context;
  // Another tab can add or remove the fleet. The page redraws the board when the draft changes, so
  // the draft records whether there is a fleet.
  if (match) draft.state.fleets = Number(Boolean(fleetOf(board, me)));
  if (match) recordComputerOpponent(context);
  if (match && (board.status !== "open" || plays(board, me))) return;
  fleetDraft(context);
  testStorage();
}

/** Return why the draft's ships can't be sealed. @param {RenderContext} context @returns {I18nText|null} */
export function whyLayout(context) {
  if (!canStoreFleet()) return { key: "battleship.why.storage" };
  const { ships } = fleetDraft(context);
  return fleetFault(fleetText(ships)) === FAULTS.none
    ? null
    : { key: "battleship.why.layout", args: { why: faultsOf(ships).map(faultText).join(" ") } };
}

/** @param {ShipName|undefined} letter */
export const shipName = (letter) => t(`battleship.ship.${letter}`);

/** Return a sentence that describes a fault in the layout. @param {Fault} fault */
export function faultText({ why, ship, other, tile = 0 }) {
  const args = { ship: shipName(ship), other: shipName(other), cell: coordinate(tile, WIDTH) };
  return t(`battleship.layout.${why}`, args);
}

/**
 * Return what a player can lose in a match: a stake, a rating or nothing. A match between two
 * people is rated if it has a clock, even if it has no stake (indexer/store/results.py).
 * @param {Json} terms
 */
function worthOf({ stake, clock }) {
  if (String(stake) !== "0") return "stake";
  return Number(clock) > 0 ? "rating" : "nothing";
}

/**
 * Seal the draft's fleet, and store it in the browser. Return the arguments of the action,
 * including the commitment to the fleet.
 * @param {RenderContext} context @param {string} action @param {Json} terms the stake and clock of the match @returns {Json}
 */
export function commitmentArgs(context, action, terms) {
  const draft = fleetDraft(context);
  const { reveal } = draft;
  const commitment = (draft.sealed = sealFleet(fleetText(draft.ships), context.me, { reveal, worth: worthOf(terms) }));
  return action === "accept" ? { commitment, tile: draft.first } : { commitment };
}
