/** Conquest's part of the page. It implements the Renderer type in types.js. */

export {
  args,
  autoMove,
  buttonText,
  hasInput,
  hasNewMatchPage,
  isOffered,
  closeAction,
  joinAction,
  needsSecondPress,
  optionText,
  secondary,
  why,
} from "./actions.js";
export { sentences } from "./texts/event-texts.js";
export { describe, inspect } from "./inspect.js";
export { form } from "./draft/forms.js";
export { prepare } from "./draft/new-match.js";
export { rematchDraft } from "./draft/rematch.js";
export { picture } from "./picture.js";
export { press, select } from "./draft/plan.js";
export { badge, notices, seats, turnNote, turnText, voices } from "./seats.js";
export { fromBoard, fromContract } from "./contract-view.js";
export { rules } from "./rules.js";

/** True because drawing a board takes a long time: the map is generated from its seed. */
export const isSlow = true;
export const hasTutorial = true;
/** The contract's functions that the page calls. */
export const functions = [
  "create(bytes32 seed, uint8 grain, uint8 players, address[] invited, uint24 clock, uint48 rematchOf, bytes graph)",
  "join(uint48 matchId)",
  "leave(uint48 matchId)",
  "chooseCapital(uint48 matchId, uint32 ply, uint32 trail, uint8 land)",
  "reinforce(uint48 matchId, uint32 ply, uint32 trail, uint8 land)",
  "buildPort(uint48 matchId, uint32 ply, uint32 trail, uint8 land)",
  "capture(uint48 matchId, uint32 ply, uint32 trail, uint8 from, uint8 to)",
  "attack(uint48 matchId, uint32 ply, uint32 trail, bytes pairs)",
  "move(uint48 matchId, uint32 ply, uint32 trail, uint8 from, uint8 to, uint8 quarters, bool hero)",
  "pass(uint48 matchId, uint32 ply, uint32 trail, bool phaseOnly)",
  "useItem(uint48 matchId, uint32 ply, uint32 trail)",
  "surrender(uint48 matchId, uint32 ply, uint32 trail)",
  "settle(uint48 matchId)",
  "claimTimeout(uint48 matchId)",
];
