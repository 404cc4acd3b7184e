/** Who plays, and whose turn it is. Pure. */

import { afloat, fleet } from "./ships.js";

/** @import { I18nText, Json, Seat } from "../../types.js" */

/** @param {Json} board @returns {Seat[]} */
export function seats(board) {
  const known = Object.entries(board.players ?? {}).map(([address, { seat }]) => ({
    address,
    seat,
    alive: afloat(board, address).length > 0,
    units: fleet(board, address).map(([number, ship]) => ({ number, alive: ship.afloat, id: `ship-${number}` })),
  }));
  return known.sort((a, b) => a.seat - b.seat);
}

/** @param {Json} board @returns {I18nText} */
export function turnText(board) {
  const n = Object.keys(board.players ?? {}).length;
  if (board.status === "open") return { key: n < 2 ? "touche-coule.game.open" : "touche-coule.game.open-two" };
  if (board.status === "playing") return { key: "touche-coule.game.playing", args: { ply: board.ply } };
  return { key: "touche-coule.game.over", args: { n: Math.max(0, board.ply - 1) } };
}
