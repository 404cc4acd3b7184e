/**
 * The players and their fleets' states, and the headline that says whose turn it is. This module
 * has no side effects.
 */

import { plays, seatsOf } from "../shared/duel.js";
import { timeLeft } from "../shared/clock.js";
import { actText, buttonName, openText, overText, waitText } from "../shared/turn-text.js";
import { t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";
import { fleetOf, isFinalHit } from "./answers.js";
import { shipName } from "./draft.js";
import { FLEET_TILES, fits } from "./fleet/fleet.js";
import { sunkBy, sunkOf, without } from "./fleet/sunk.js";
import { seas, sunkIn } from "./picture.js";
import { hitsAt, pendingAt, revealedShips, shotsAt, viewer } from "./shots.js";

/** @import { Json, RenderContext, Seat, TurnText } from "../../types.js" */
/** @import { Sea } from "./picture.js" */

/** @param {Json} board @param {string} [me] the viewer, whose own fleet is known even while it's sealed @returns {Seat[]} */
export function seats(board, me) {
  return seatsOf(board).map((row) => {
    const note = board.status === "open" ? "" : leftText(board, row.address, row.address === me);
    return { ...row, alive: isIn(board, row.address), note };
  });
}

/** Describe how many tiles of the owner's fleet are still intact, and how many ships are sunk. @param {Json} board @param {string} owner @param {boolean} isMine */
function leftText(board, owner, isMine) {
  const hits = hitsAt(board, owner);
  const ships = revealedShips(board, owner) ?? (isMine ? fleetOf(board, owner)?.placedShips : null);
  const { minimum } = ships ? sunkOf(ships.filter(fits), hits) : sunkBy(shotsAt(board, owner));
  const args = {
    left: Math.max(0, FLEET_TILES - hits.length),
    all: FLEET_TILES,
    n: ships ? String(minimum) : `${minimum}+`,
  };
  return t(minimum ? "battleship.seat.left-sunk" : "battleship.seat.left", args);
}

/**
 * Return a sentence about the ships that the last shot sank. In a sealed fleet, the answer must
 * prove that they are sunk. @param {RenderContext} context
 */
export function turnNote(context) {
  const { board, events = [], seq = Infinity } = context;
  if (board.phase !== "shots") return "";
  const answered = events.findLast(({ name, seq: at }) => name === "Answered" && at <= seq)?.args;
  return seas(context)
    .map((sea) => {
      const pending = sea.kind === "mine" && sea.ships.length ? pendingAt(board, sea.owner) : -1;
      return sunkText(context, sea, pending < 0 && answered?.by === sea.owner ? answered.tile : pending);
    })
    .filter(Boolean)
    .join(" ");
}

/** Return a sentence about the ships that this shot sank. @param {RenderContext} context @param {Sea} sea @param {number} tile */
function sunkText(context, sea, tile) {
  const { board } = context;
  const { owner } = sea;
  if (tile < 0) return "";
  const me = viewer(context);
  const whose = owner === me ? "mine" : plays(board, me) ? "enemy" : "other";
  const say = (/** @type {string} */ what, args = {}) =>
    t(`battleship.sunk.${what}-${whose}`, { ...args, name: nameOf(owner) });
  const [before, now] = [sunkIn(board, sea, tile), sunkIn(board, sea)];
  const gone = without(now.names, before.names).map((name) => say("ship", { ship: shipName(name) }));
  const what = gone.length ? gone.join(" ") : now.minimum > before.minimum ? say("least", { n: now.minimum }) : "";
  return what && whose !== "mine" && hitsAt(board, owner).includes(tile) ? t("battleship.sunk.now", { what }) : what;
}

/**
 * Return true if the player hasn't lost. If a reveal proves that the opponent cheated, the player
 * who is the board's `loser` wins after all. @param {Json} board @param {string} address
 */
const isIn = ({ status, winner, loser }, address) =>
  status === "finished" && winner ? winner === address : loser !== address;

/** @param {Json} board @param {string} [me] the viewer @param {RenderContext} [context] @returns {TurnText} */
export function turnText(board, me = "", context) {
  if (board.status === "open") return openText("battleship", "accept", board, me, context, "battleship.game.join");
  if (board.status !== "playing") return overText(board, me, context);
  if (board.phase === "reveals") return revealsText(board, me, context);
  return board.mover === me
    ? actText(shotText(board, me, context), board, context)
    : waitText("battleship", board, me, context);
}

/** @param {Json} board @param {string} me @param {RenderContext|undefined} context @returns {TurnText} */
function shotText(board, me, context) {
  if (context && !fleetOf(board, me)) return { key: "battleship.game.no-fleet" };
  return context && isFinalHit(context)
    ? { key: "battleship.game.answer", args: { action: buttonName("battleship", "move") } }
    : { key: "battleship.game.your-shot" };
}

/**
 * Return the headline after the last shot. It explains why the shooting ended, and whether the
 * player still has to reveal the fleet. For a winner who has already revealed, it says how much
 * time the opponent has left to reveal.
 * @param {Json} board @param {string} me @param {RenderContext|undefined} context @returns {TurnText}
 */
function revealsText(board, me, context) {
  const key = board.loser === me ? `battleship.game.${board.cause}-mine` : `battleship.game.${board.cause}-other`;
  const cause = t(key, { name: nameOf(board.loser ?? "") });
  const owes = plays(board, me) && board.fleets?.[me]?.ships === undefined;
  if (context && plays(board, me) && !owes && board.loser !== me && !board.fleets[me].fault)
    return {
      key: "battleship.game.final",
      args: { left: timeLeft(board.deadline - context.now) },
      tone: "won",
      ticks: true,
    };
  return owes
    ? { key: "battleship.game.reveal", args: { cause, action: buttonName("battleship", "reveal") }, tone: "act" }
    : { key: "battleship.game.reveals", args: { cause }, tone: "wait" };
}
