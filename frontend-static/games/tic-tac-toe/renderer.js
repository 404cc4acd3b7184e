/** Tic-tac-toe's part of the page. It implements the Renderer type in types.js. */

export {
  afterEnd,
  args,
  buttonText,
  isOffered,
  closeAction,
  joinAction,
  needsSecondPress,
  opensAnother,
  press,
  pressAction,
  rematchAction,
  secondary,
} from "./actions.js";
export { sentences } from "./event-texts.js";
export { describe, picture } from "./picture.js";
export { badge, notices, seats, turnText } from "./seats.js";
export { fromBoard, fromContract } from "./contract-view.js";
export { rules } from "./rules.js";

export const hasTutorial = true;
/** The contract's functions that the page calls. */
export const functions = [
  "create(address challenger, uint24 clock)",
  "accept(uint48 matchId)",
  "move(uint48 matchId, uint32 ply, uint16 row, uint16 column)",
  "rematch(uint48 matchId)",
  "offerRestart(uint48 matchId)",
  "acceptRestart(uint48 matchId, uint32 ply)",
  "close(uint48 matchId)",
  "resign(uint48 matchId)",
  "claimTimeout(uint48 matchId)",
];
