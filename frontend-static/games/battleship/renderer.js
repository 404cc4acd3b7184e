/** Battleship's part of the page. It implements the Renderer type in types.js. */

import { finalHitArgs, moveArgs, revealArgs } from "./answers.js";
import { commitmentArgs } from "./draft.js";

/** @import { Action, Json, RenderContext } from "../../types.js" */

export { endSummary } from "./end/summary.js";
export { isOffered, why } from "./checks.js";
export { form } from "./editor.js";
export { prepare } from "./draft.js";
export { sentences } from "./event-texts.js";
export { notices } from "./fleet/backup-notices.js";
export { describe, hasSecret, picture, press } from "./picture.js";
export { awaitsPlayer, confirmationBefore } from "./end/reveal-prompt.js";
export { autoMove, mustReveal as wantsFinality } from "./end/auto-reveal.js";
export { seats, turnNote, turnText } from "./seats.js";
export { fromBoard, fromContract } from "./contract-view.js";
export { rules } from "./rules.js";

export const joinAction = "accept";
export const closeAction = "cancel";
/** The action that the page sends when the player clicks a square in the enemy's sea. */
export const pressAction = "move";
export const hasTutorial = true;
export const hasNewMatchPage = true;
/** The contract's functions that the page calls. */
export const functions = [
  "invite(address opponent, bytes32 commitment, uint24 clock, address token, uint96 stake)",
  "accept(uint48 matchId, bytes32 commitment, uint8 tile)",
  "decline(uint48 matchId)",
  "cancel(uint48 matchId)",
  "move(uint48 matchId, uint32 ply, uint8 answeredTile, bool hit, uint8 tile)",
  "surrender(uint48 matchId, string ships, bytes32 nonce, string message)",
  "reveal(uint48 matchId, string ships, bytes32 nonce, string message)",
  "claimTimeout(uint48 matchId)",
  "withdraw(uint48 matchId)",
];
export const afterEnd = ["withdraw"];
/**
 * The actions that withdraw money. Only the seat's account can send them. The account's session
 * keys can't.
 */
export const accountOnly = ["withdraw"];
export const needsSecondPress = ["surrender", "reveal", "decline", "cancel"];

/** @type {Record<string, (context: RenderContext, typed: Json) => Json|null>} */
const ARGS = {
  invite: (context, typed) => commitmentArgs(context, "invite", typed),
  accept: (context) => commitmentArgs(context, "accept", context.board),
  move: (context, { tile }) => (tile === undefined ? finalHitArgs(context) : moveArgs(context, tile)),
  surrender: revealArgs,
  reveal: revealArgs,
};

/**
 * Return the arguments that the page adds to what the player enters: commitments, answers and
 * revealed fleets. The page computes them when it sends the action.
 * @param {RenderContext} context @param {Action} action @param {Json} typed @returns {Json}
 */
export const args = (context, { name }, typed) => ARGS[name]?.(context, typed) ?? {};
