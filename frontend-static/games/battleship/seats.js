/** Who plays, and whose turn it is. Pure. */

import { plays, seatsOf } from "../shared/duel.js";
import { actText, buttonName, openText, overText, waitText } from "../shared/turn-text.js";
import { t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";
import { fleetOf, isFatal } from "./answers.js";
import { AFLOAT } from "./fleet/fleet.js";
import { hitsAt } from "./shots.js";

/** @import { Json, RenderContext, Seat, TurnText } from "../../types.js" */

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

/** @param {Json} board @param {string} [me] who looks @param {RenderContext} [context] @returns {TurnText} */
export function turnText(board, me = "", context) {
  if (board.status === "open") return openText("battleship", "accept", board, me, context, "battleship.game.join");
  if (board.status !== "playing") return overText(board, me, context);
  if (board.phase === "reveals") return revealsText(board, me);
  return board.mover === me
    ? actText(shotText(board, me, context), board, context)
    : waitText("battleship", board, me, context);
}

/** @param {Json} board @param {string} me @param {RenderContext|undefined} context @returns {TurnText} */
function shotText(board, me, context) {
  if (context && !fleetOf(board, me)) return { key: "battleship.game.no-fleet" };
  return context && isFatal(context)
    ? { key: "battleship.game.answer", args: { action: buttonName("battleship", "move") } }
    : { key: "battleship.game.your-shot" };
}

/** The shooting is over: how, and who has to show a fleet still. @param {Json} board @param {string} me @returns {TurnText} */
function revealsText(board, me) {
  const key = board.loser === me ? `battleship.game.${board.cause}-mine` : `battleship.game.${board.cause}-other`;
  const cause = t(key, { name: nameOf(board.loser ?? "") });
  const owes = plays(board, me) && board.fleets?.[me]?.ships === undefined;
  return owes
    ? { key: "battleship.game.reveal", args: { cause, action: buttonName("battleship", "reveal") }, tone: "act" }
    : { key: "battleship.game.reveals", args: { cause }, tone: "wait" };
}
