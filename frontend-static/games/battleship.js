/** Battleship as seen: what games/<slug>.js owes the page (types.js, Renderer). */

import { fatalArgs, moveArgs, revealArgs } from "./battleship/answers.js";
import { sealing } from "./battleship/draft.js";

/** @import { Action, Json, View } from "../types.js" */

export { afterword } from "./battleship/end/verdicts.js";
export { shown, why } from "./battleship/checks.js";
export { form } from "./battleship/editor.js";
export { sentences } from "./battleship/event-texts.js";
export { notices } from "./battleship/backup-notices.js";
export { describe, picture, press, secret } from "./battleship/picture.js";
export { asks, waits } from "./battleship/end/reveal-prompt.js";
export { auto } from "./battleship/end/auto-reveal.js";
export { seats, whose } from "./battleship/seats.js";
export { told, viewed } from "./battleship/contract-view.js";
export { words } from "./battleship/texts.js";

/** The action by which an account takes part. */
export const join = "accept";
export const composes = true;
export const styled = true;
export const afterwards = ["withdraw"];
/** Who takes money out must hold the seat itself. */
export const own = ["withdraw"];
export const confirmed = ["surrender", "reveal", "decline", "cancel"];

/** @type {Record<string, (view: View, typed: Json) => Json|null>} */
const ARGS = {
  invite: (view) => sealing(view, "invite"),
  accept: (view) => sealing(view, "accept"),
  move: (view, { tile }) => (tile === undefined ? fatalArgs(view) : moveArgs(view, tile)),
  surrender: revealArgs,
  reveal: revealArgs,
};

/** What nobody types: seals are made, answers given and fleets shown here, at the moment of sending. @param {View} view @param {Action} action @param {Json} typed @returns {Json} */
export const args = (view, { name }, typed) => ARGS[name]?.(view, typed) ?? {};
