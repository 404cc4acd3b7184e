/** Touché Coulé's part of the page. It implements the Renderer type in types.js. */

export { actionId, args, isOffered, why } from "./checks.js";
export { form, hasInput } from "./captains.js";
export { sentences } from "./event-texts.js";
export { describe, legend, picture, select } from "./picture.js";
export { notices } from "./sea-view.js";
export { moveCount, seats, turnText } from "./seats.js";
export { fromBoard, fromContract } from "./contract-view.js";
export { repeats } from "./keep-firing.js";
export { rules } from "./rules.js";

export const joinAction = "register";
export const joinCount = 2;
export const hasTutorial = true;
/** The contract's functions that the page calls. */
export const functions = [
  "create(uint8 width, uint8 height, bool captains)",
  "register(uint48 matchId)",
  "register(uint48 matchId, address captain)",
  "turn(uint48 matchId, uint32 turnNo)",
  "changePosition(uint48 matchId)",
  "communicate(uint48 matchId)",
  "expire(uint48 matchId)",
];
