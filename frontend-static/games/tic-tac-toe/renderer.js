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
