/** What a player prepares before a fleet is sealed: where the boats lie, the first shot, whether the page may reveal by itself. */

import { t } from "../../i18n/translate.js";
import { met } from "./answers.js";
import { FAULTS, TILES, WIDTH, faultsOf, judge, randomFleet, secureDice, shipsOf } from "./fleet/fleet.js";
import { keeps, seal } from "./fleet/storage.js";
import { coordinate } from "../../lib/board.js";

/** @import { Json, Phrase, View } from "../../types.js" */
/** @import { Boat, Fault, Letter } from "./fleet/fleet.js" */

/**
 * @typedef {object} Draft
 * @property {Boat[]} boats
 * @property {Letter} held the boat that was touched last
 * @property {number} first the tile of the first shot
 * @property {boolean} reveal
 * @property {string} [sealed] the commitment that these boats were sealed with last
 * @property {{letter: Letter, boats: Boat[]}} [lifted] the boat that the keyboard moves, and how all lay before
 */

/** The draft of this desk; a new one lies ready to be sent. Boats that are in a match by now are not offered again. @param {View} view @returns {Draft} */
export function draft({ desk }) {
  const { state } = desk;
  if (!state.boats) Object.assign(state, { held: "C", first: secureDice(TILES), reveal: true });
  if (!state.boats || met.has(state.sealed)) Object.assign(state, { boats: randomFleet(), sealed: undefined });
  return /** @type {Draft} */ (state);
}

/** Seals the draft: from here on this browser keeps it. @param {View} view @returns {string} the commitment */
export function sealDraft(view) {
  const made = draft(view);
  made.sealed = seal(shipsOf(made.boats), view.me, made.reveal);
  return made.sealed;
}

/** Why these boats can't be sealed. @param {View} view @returns {Phrase|null} */
export function whyLayout(view) {
  if (!keeps()) return { key: "battleship.why.storage" };
  const { boats } = draft(view);
  return judge(shipsOf(boats)) === FAULTS.none ? null : { key: "battleship.why.layout", args: { why: faultsOf(boats).map(told).join(" ") } };
}

/** @param {Letter|undefined} letter */
export const boatName = (letter) => t(`battleship.boat.${letter}`);

/** A fault as a sentence. @param {Fault} fault */
export function told({ why, boat, other, tile = 0 }) {
  const args = { boat: boatName(boat), other: boatName(other), cell: coordinate(tile, WIDTH) };
  return t(`battleship.layout.${why}`, args);
}

/** What an action is told that nobody types. @param {View} view @param {string} action @returns {Json} */
export function sealing(view, action) {
  const { first } = draft(view);
  const commitment = sealDraft(view);
  return action === "accept" ? { commitment, tile: first } : { commitment };
}
