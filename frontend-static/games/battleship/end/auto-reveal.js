/**
 * The moves that the page makes by itself at the end of a match: it answers the shot at the last
 * tile, reveals a sealed fleet, and claims the win if the opponent doesn't reveal in time.
 */

import { Interface } from "../../../lib/ethereum/abi.js";
import { getBytes, isHexString } from "../../../lib/ethereum/bytes.js";
import { computers } from "../../../names/computers.js";
import { maskOf } from "../../shared/contract-view.js";
import { CLAIM, plays, whyClaim } from "../../shared/duel.js";
import { finalHitArgs, fleetOf, revealArgs } from "../answers.js";
import { commitmentOf } from "../fleet/commitment.js";
import { FLEET_TILES } from "../fleet/fleet.js";
import { canStoreFleet, testStorage, updateFleet } from "../fleet/storage.js";
import { hitsAt, opponentOf } from "../shots.js";
import shots from "./shots.abi.js";

/** @import { I18nText, Json, Move, RenderContext } from "../../../types.js" */
/** @import { SealedFleet } from "../fleet/storage.js" */

const SHOTS = new Interface(shots);

/**
 * Return the move that the page makes by itself now, or null if there is none. The page answers the
 * shot at the last tile, because the player chooses no shot after that answer. It reveals the
 * fleet. After the reveal, if the opponent runs out of time, the page claims the win. A claim
 * discloses nothing. If the server makes up shots, the page can disclose one answer to it, but
 * never a fleet.
 * @param {RenderContext} context @returns {Move|null}
 */
export function autoMove(context) {
  const { board, me } = context;
  if (board.status !== "playing" || !plays(board, me)) return null;
  const args = finalHitArgs(context);
  if (args) return { action: "move", args };
  if (board.phase !== "reveals") return null;
  if (board.fleets?.[me]?.ships !== undefined) return whyClaim(context) ? null : { action: CLAIM, args: {} };
  return whyConfirmReveal(context) ? null : { action: "reveal", args: { ...revealArgs(context), message: "" } };
}

/** Return true if this browser stores a fleet that the player hasn't revealed yet. @param {RenderContext} context */
export function mustReveal({ board, me }) {
  return (
    board.status === "playing" &&
    board.phase === "reveals" &&
    plays(board, me) &&
    board.fleets?.[me]?.ships === undefined &&
    Boolean(fleetOf(board, me))
  );
}

/**
 * Return the reason to ask the player before a reveal, or null if the page can reveal by itself. If
 * this browser has answered a hit on each tile of the fleet, the fleet is no longer secret.
 * Otherwise, care is needed: a reveal can't be undone, and an opponent who sees the fleet during
 * the match wins. Therefore, the end that the server reports must match what this browser itself
 * knows. A source other than the server must also confirm that the end is final. If the server
 * would gain little by lying, it is enough that the player's own node doesn't contradict the
 * server.
 * @param {RenderContext} context @returns {I18nText|null}
 */
export function whyConfirmReveal(context) {
  const fleet = fleetOf(context.board, context.me);
  if (!fleet) return { key: "battleship.why.no-fleet" };
  if (hasAnsweredAllTiles(context, fleet)) return null;
  if (!fleet.reveal) return { key: "battleship.ask.not-agreed" };
  const odd = isSealedHere(context, fleet) ? contradictionKey(context, fleet) : "battleship.ask.not-sealed";
  if (odd) return { key: odd };
  const { state = "server", why } = context.finality?.() ?? {};
  const enough = isHarmless(context, fleet) ? ["server", "recent", "final"] : ["final"];
  return enough.includes(state) ? null : { key: `battleship.ask.${state}`, args: { why } };
}

/** Return the shots and answers that this browser has signed in this match. @param {RenderContext} context */
const signedCalls = ({ sent }) => (sent?.() ?? []).flatMap(({ data }) => SHOTS.parseCall(data) ?? []);

/**
 * Return true if this browser signed the fleet's commitment for this match. This prevents a server
 * from tricking the player into revealing a fleet that belongs to a different match.
 * @param {RenderContext} context @param {SealedFleet} fleet
 */
const isSealedHere = ({ sent }, { commitment }) =>
  (sent?.() ?? []).some(({ data }) => data.toLowerCase().includes(commitment.slice(2)));

/**
 * Return true if this browser has signed a "hit" answer for each tile of the fleet. The server
 * can't make up these answers.
 * @param {RenderContext} context @param {SealedFleet} fleet
 */
function hasAnsweredAllTiles(context, { mask }) {
  const hits = signedCalls(context).flatMap(({ args }) => (args.hit ? [Number(args.answeredTile)] : []));
  return (maskOf(hits) & mask) === mask;
}

/**
 * Return true if the server would gain little by lying about the end of the match. It gains little
 * if nothing was at stake when the fleet was sealed (worthOf in draft.js). It also gains little if
 * only a rating was at stake and the opponent is a computer player. If the reported end is a
 * timeout, return false, because only the server reports it.
 * @param {RenderContext} context @param {SealedFleet} fleet
 */
const isHarmless = ({ board }, { worth, computer }) =>
  board.cause !== "timeout" && (worth === "nothing" || (worth === "rating" && computer));

/**
 * Record that the opponent is a computer player, but only if the server reports it before this
 * browser's first move. After that move, the server could gain by lying about the opponent.
 * @param {RenderContext} context
 */
export function recordComputerOpponent(context) {
  const { board, me } = context;
  const fleet = board.status === "playing" && computers.has(opponentOf(board, me)) ? fleetOf(board, me) : undefined;
  if (!fleet || fleet.computer || signedCalls(context).some(({ name }) => name === "move")) return;
  testStorage();
  if (canStoreFleet()) updateFleet(fleet.commitment, { computer: true });
}

/**
 * Return the key of a text that explains how the reported end contradicts what this browser knows.
 * Return "" if there is no contradiction. The browser knows nothing about the clock, so a reported
 * timeout never contradicts what it knows.
 * @param {RenderContext} context @param {SealedFleet} fleet @returns {string}
 */
function contradictionKey(context, fleet) {
  const { board, me } = context;
  if (board.cause === "won" && board.loser === me)
    return isFleetSunk(board, me, fleet) ? "" : "battleship.ask.not-sunk";
  if (board.cause === "won") return hasFiredAllHits(context) ? "" : "battleship.ask.not-fired";
  if (board.cause === "resigned")
    return board.loser !== me && isRevealed(board, board.loser) ? "" : "battleship.ask.not-shown";
  return board.cause === "timeout" ? "" : "battleship.ask.not-known";
}

/**
 * Return true if the hits that the server reports are exactly the fleet's tiles. The server can't
 * make them up without knowing the fleet.
 * @param {Json} board @param {string} me @param {SealedFleet} fleet
 */
const isFleetSunk = (board, me, fleet) => maskOf(hitsAt(board, me)) === fleet.mask;

/**
 * Return true if all tiles of the opponent's fleet are hit, and this browser fired all the shots
 * that hit them.
 * @param {RenderContext} context
 */
function hasFiredAllHits(context) {
  const fired = new Set(signedCalls(context).map(({ args }) => Number(args.tile)));
  const hits = hitsAt(context.board, opponentOf(context.board, context.me));
  return hits.length === FLEET_TILES && hits.every((tile) => fired.has(tile));
}

/** Return true if the player who surrendered has revealed the same fleet as in the commitment. @param {Json} board @param {string} account */
function isRevealed(board, account) {
  const { commitment, ships, nonce } = board.fleets?.[account] ?? {};
  if (typeof ships !== "string" || !isHexString(nonce)) return false;
  return (
    commitmentOf(ships, nonce) === commitment ||
    (isHexString(ships) && commitmentOf(getBytes(ships), nonce) === commitment)
  );
}
