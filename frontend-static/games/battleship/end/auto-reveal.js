/** When the page shows a sealed fleet by itself: at an end that is final by the word of the player's own node or wallet. */

import { Interface } from "../../../lib/ethereum/abi.js";
import { getBytes, isHexString } from "../../../lib/ethereum/bytes.js";
import { plays } from "../../shared/duel.js";
import { fatalArgs, fleetOf, revealArgs } from "../answers.js";
import { commitmentOf } from "../fleet/commitment.js";
import { AFLOAT } from "../fleet/fleet.js";
import { maskOf } from "../../shared/contract-view.js";
import { hitsAt, rival } from "../shots.js";
import shots from "./shots.abi.js";

/** @import { I18nText, Json, Move, RenderContext } from "../../../types.js" */
/** @import { Sealed } from "../fleet/storage.js" */

const SHOTS = new Interface(shots);

/**
 * What the page sends by itself: the answer to a fatal shot, after which there is no shot to choose; and the reveal. A server that
 * makes shots up learns one answer in this way, no fleet.
 * @param {RenderContext} context @returns {Move|null}
 */
export function autoMove(context) {
  const { board, me } = context;
  if (board.status !== "playing" || !plays(board, me)) return null;
  const args = fatalArgs(context);
  if (args) return { action: "move", args };
  return owesReveal(context) && !whyAsked(context)
    ? { action: "reveal", args: { ...revealArgs(context), message: "" } }
    : null;
}

/** Whether a fleet that this browser keeps is to be shown. @param {RenderContext} context */
export function owesReveal({ board, me }) {
  return (
    board.status === "playing" &&
    board.phase === "reveals" &&
    plays(board, me) &&
    board.fleets?.[me]?.ships === undefined &&
    Boolean(fleetOf(board, me))
  );
}

/**
 * Why the fleet is not shown without asking; null: it is. Whoever sees a fleet while its match goes on wins, and nobody takes the sight
 * back: so the end must fit what this browser knows itself, and be final by a word that is not the server's.
 * @param {RenderContext} context @returns {I18nText|null}
 */
export function whyAsked(context) {
  const fleet = fleetOf(context.board, context.me);
  if (!fleet) return { key: "battleship.why.no-fleet" };
  if (!fleet.reveal) return { key: "battleship.ask.not-agreed" };
  const odd = oddity(context, fleet);
  if (odd) return { key: odd };
  const { state = "server", why } = context.finality?.() ?? {};
  return state === "final" ? null : { key: `battleship.ask.${state}`, args: { why } };
}

/** What speaks against the end by what this browser knows itself; "" for nothing: of a clock it knows nothing. @param {RenderContext} context @param {Sealed} fleet @returns {string} a text's key */
function oddity(context, fleet) {
  const { board, me } = context;
  if (board.cause === "won" && board.loser === me) return isSunk(board, me, fleet) ? "" : "battleship.ask.not-sunk";
  if (board.cause === "won") return haveFired(context) ? "" : "battleship.ask.not-fired";
  if (board.cause === "resigned")
    return board.loser !== me && isRevealed(board, board.loser) ? "" : "battleship.ask.not-shown";
  return board.cause === "timeout" ? "" : "battleship.ask.not-known";
}

/** The hits are the fleet, tile by tile: nobody could make that up who does not know it. @param {Json} board @param {string} me @param {Sealed} fleet */
const isSunk = (board, me, fleet) => maskOf(hitsAt(board, me)) === fleet.mask;

/** Each tile that was hit was fired at by this browser. @param {RenderContext} context */
function haveFired({ board, me, sent }) {
  const fired = new Set((sent?.() ?? []).map(({ data }) => Number(SHOTS.parseCall(data)?.args.tile ?? -1)));
  const hits = hitsAt(board, rival(board, me));
  return hits.length === AFLOAT && hits.every((tile) => fired.has(tile));
}

/** Who surrendered has shown the fleet of its commitment. @param {Json} board @param {string} account */
function isRevealed(board, account) {
  const { commitment, ships, nonce } = board.fleets?.[account] ?? {};
  if (typeof ships !== "string" || !isHexString(nonce)) return false;
  return (
    commitmentOf(ships, nonce) === commitment ||
    (isHexString(ships) && commitmentOf(getBytes(ships), nonce) === commitment)
  );
}
