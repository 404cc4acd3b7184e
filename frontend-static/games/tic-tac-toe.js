/** Tic-tac-toe as seen: what games/<slug>.js owes the page (types.js, Renderer). */

export {
  afterEnd,
  args,
  buttonText,
  isOffered,
  joinAction,
  needsSecondPress,
  opensAnother,
  press,
  pressAction,
  rematchAction,
  secondary,
} from "./tic-tac-toe/actions.js";
export { sentences } from "./tic-tac-toe/event-texts.js";
export { describe, picture } from "./tic-tac-toe/picture.js";
export { badge, notices, seats, turnText } from "./tic-tac-toe/seats.js";
export { fromBoard, fromContract } from "./tic-tac-toe/contract-view.js";
export { rules } from "./tic-tac-toe/rules.js";
export { texts } from "./tic-tac-toe/texts.js";

/** games/tic-tac-toe.css */
export const styled = true;
