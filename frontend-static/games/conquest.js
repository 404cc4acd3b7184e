/** Conquest as seen: what games/<slug>.js owes the page (types.js, Renderer). */

export {
  args,
  autoMove,
  buttonText,
  hasInput,
  hasNewMatchPage,
  isOffered,
  joinAction,
  needsSecondPress,
  optionText,
  secondary,
  why,
} from "./conquest/actions.js";
export { sentences } from "./conquest/texts/event-texts.js";
export { describe, inspect } from "./conquest/inspect.js";
export { form } from "./conquest/draft/forms.js";
export { prepare } from "./conquest/draft/new-match.js";
export { rematchDraft } from "./conquest/draft/rematch.js";
export { picture } from "./conquest/picture.js";
export { press, select } from "./conquest/draft/plan.js";
export { badge, notices, seats, turnNote, turnText, voices } from "./conquest/seats.js";
export { fromBoard, fromContract } from "./conquest/contract-view.js";
export { rules } from "./conquest/rules.js";
export { texts } from "./conquest/texts/texts.js";

/** games/conquest.css */
export const styled = true;

/** A map is generated from its seed. */
export const isSlow = true;
