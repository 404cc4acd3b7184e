/** Touché Coulé as seen: what games/<slug>.js owes the page (types.js, Renderer). */

export { args, kindOf, shown, why } from "./touche-coule/checks.js";
export { sentences } from "./touche-coule/event-texts.js";
export { describe, legend, picture, select } from "./touche-coule/picture.js";
export { seats, whose } from "./touche-coule/seats.js";
export { told, viewed } from "./touche-coule/contract-view.js";
export { words } from "./touche-coule/texts.js";

/** games/touche-coule.css */
export const styled = true;

/** The action by which an account takes part. */
export const join = "register";

/** The first turn only closes the registration. @param {number} ply */
export const moves = (ply) => Math.max(0, ply - 1);
