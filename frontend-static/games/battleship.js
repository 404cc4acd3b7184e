/** Battleship as seen: what games/<slug>.js owes the page (types.js, Renderer). */

import { fatalArgs, moveArgs, revealArgs } from "./battleship/answers.js";
import { commitmentArgs } from "./battleship/draft.js";

/** @import { Action, Json, RenderContext } from "../types.js" */

export { endSummary } from "./battleship/end/verdicts.js";
export { isOffered, why } from "./battleship/checks.js";
export { form } from "./battleship/editor.js";
export { prepare } from "./battleship/draft.js";
export { sentences } from "./battleship/event-texts.js";
export { notices } from "./battleship/fleet/backup-notices.js";
export { describe, hasSecret, picture, press } from "./battleship/picture.js";
export { awaitsPlayer, questionBefore } from "./battleship/end/reveal-prompt.js";
export { autoMove, owesReveal as wantsFinality } from "./battleship/end/auto-reveal.js";
export { seats, turnText } from "./battleship/seats.js";
export { fromBoard, fromContract } from "./battleship/contract-view.js";
export { rules } from "./battleship/rules.js";
export { texts } from "./battleship/texts.js";

/** The action by which an account takes part. */
export const joinAction = "accept";
/** The action that a press on the enemy's sea sends. */
export const pressAction = "move";
export const hasNewMatchPage = true;
export const styled = true;
export const afterEnd = ["withdraw"];
/** Who takes money out must hold the seat itself. */
export const accountOnly = ["withdraw"];
export const needsSecondPress = ["surrender", "reveal", "decline", "cancel"];

/** @type {Record<string, (context: RenderContext, typed: Json) => Json|null>} */
const ARGS = {
  invite: (context) => commitmentArgs(context, "invite"),
  accept: (context) => commitmentArgs(context, "accept"),
  move: (context, { tile }) => (tile === undefined ? fatalArgs(context) : moveArgs(context, tile)),
  surrender: revealArgs,
  reveal: revealArgs,
};

/** Arguments that nobody types: commitments, answers and revealed fleets, made when the action is sent. @param {RenderContext} context @param {Action} action @param {Json} typed @returns {Json} */
export const args = (context, { name }, typed) => ARGS[name]?.(context, typed) ?? {};
