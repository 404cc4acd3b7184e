/** Deblockle's part of the page. It implements the Renderer type in types.js. */

export {
  accountOnly,
  anyTime,
  args,
  buttonText,
  isOffered,
  closeAction,
  joinAction,
  needsSecondPress,
  press,
  pressAction,
  secondary,
  select,
  settingsOf,
} from "./actions.js";
export { sentences } from "./event-texts.js";
export { inspect } from "./net.js";
export { describe, picture } from "./picture.js";
export { badge, notices, seats, turnNote, turnText } from "./seats.js";
export { fromBoard, fromContract } from "./contract-view.js";
export { whyTyped } from "./terms.js";
export { rules } from "./rules.js";

export const hasTutorial = true;
/** The contract's functions that the page calls. */
export const functions = [
  "create(address opponent, uint8 cubes, uint8 ruleset, address token, uint96 stake, uint96 rate, uint24 clock, uint48 rematchOf)",
  "join(uint48 matchId, uint8 cubes, uint8 ruleset, address token, uint96 stake, uint96 rate, uint24 clock)",
  "cancel(uint48 matchId)",
  "makeMove(uint48 matchId, uint32 ply, uint8 fromX, uint8 fromY, uint8 toX, uint8 toY)",
  "passMove(uint48 matchId, uint32 ply)",
  "resign(uint48 matchId)",
  "claimTimeout(uint48 matchId)",
  "withdraw(uint48 matchId)",
];
