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
