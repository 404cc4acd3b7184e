/** Deblockle as seen: what games/<slug>.js owes the page (types.js, Renderer). */

export {
  accountOnly,
  anyTime,
  args,
  buttonText,
  isOffered,
  joinAction,
  needsSecondPress,
  press,
  pressAction,
  secondary,
  select,
  settingsOf,
} from "./deblockle/actions.js";
export { sentences } from "./deblockle/event-texts.js";
export { inspect } from "./deblockle/net.js";
export { describe, picture } from "./deblockle/picture.js";
export { badge, notices, seats, turnNote, turnText } from "./deblockle/seats.js";
export { fromBoard, fromContract } from "./deblockle/contract-view.js";
export { whyTyped } from "./deblockle/terms.js";
export { rules } from "./deblockle/rules.js";
export { texts } from "./deblockle/texts.js";

/** games/deblockle.css */
export const styled = true;
