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
