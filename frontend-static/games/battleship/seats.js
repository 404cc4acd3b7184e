/** Who plays, and whose turn it is. Pure. */

import { seatsOf } from "../shared/duel.js";
import { shortHex, t } from "../../i18n/translate.js";
import { AFLOAT } from "./fleet/fleet.js";
import { hitsAt } from "./shots.js";

/** @import { I18nText, Json, Seat } from "../../types.js" */

/** @param {Json} board @returns {Seat[]} */
export function seats(board) {
  return seatsOf(board).map((row) => {
    const note =
      board.status === "open" ? "" : t("battleship.seat.hit", { n: hitsAt(board, row.address).length, all: AFLOAT });
    return { ...row, alive: isIn(board, row.address), note };
  });
}

/** The declared loser may win after all, by the reveals. @param {Json} board @param {string} address */
const isIn = ({ status, winner, loser }, address) =>
  status === "finished" && winner ? winner === address : loser !== address;

/** @param {Json} board @returns {I18nText} */
export function turnText(board) {
  if (board.status === "open")
    return board.opponent
      ? { key: "battleship.game.invited", args: { name: shortHex(board.opponent) } }
      : { key: "battleship.game.open" };
  if (board.status !== "playing") return { key: "battleship.game.over", args: { n: board.ply ?? 0 } };
  if (board.phase === "reveals")
    return { key: `battleship.game.reveals-${board.cause}`, args: { name: shortHex(board.loser ?? "0x") } };
  return { key: "battleship.game.to-move", args: { name: shortHex(board.mover ?? "0x"), ply: board.ply } };
}
