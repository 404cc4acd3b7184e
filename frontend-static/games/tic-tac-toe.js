/** Tic-tac-toe as seen: what games/<slug>.js owes the page (types.js, Renderer). */

export { afterwards, args, calm, confirmed, join, press, shown, why } from "./tic-tac-toe/checks.js";
export { sentences } from "./tic-tac-toe/event-texts.js";
export { describe, picture } from "./tic-tac-toe/picture.js";
export { badge, notices, seats, whose } from "./tic-tac-toe/seats.js";
export { told, viewed } from "./tic-tac-toe/contract-view.js";
export { words } from "./tic-tac-toe/texts.js";

/** games/tic-tac-toe.css */
export const styled = true;
