/** Touché Coulé as seen: what games/<slug>.js owes the page (types.js, Renderer). */

export { args, isOffered, kindOf, why } from "./touche-coule/checks.js";
export { form, hasInput } from "./touche-coule/captains.js";
export { sentences } from "./touche-coule/event-texts.js";
export { describe, legend, picture, select } from "./touche-coule/picture.js";
export { notices } from "./touche-coule/sea-view.js";
export { moveCount, seats, turnText } from "./touche-coule/seats.js";
export { fromBoard, fromContract } from "./touche-coule/contract-view.js";
export { repeats } from "./touche-coule/keep-firing.js";
export { rules } from "./touche-coule/rules.js";
export { texts } from "./touche-coule/texts.js";

/** games/touche-coule.css */
export const styled = true;

/** The action by which an account takes part. */
export const joinAction = "register";
