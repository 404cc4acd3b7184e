/** What the page does by itself at the end of a match: it answers the fatal shot, shows a sealed fleet, and claims the win when the other stays silent. */

import { Interface } from "../../../lib/ethereum/abi.js";
import { getBytes, isHexString } from "../../../lib/ethereum/bytes.js";
import { computers } from "../../../names/computers.js";
import { maskOf } from "../../shared/contract-view.js";
import { CLAIM, plays, whyClaim } from "../../shared/duel.js";
import { fatalArgs, fleetOf, revealArgs } from "../answers.js";
import { commitmentOf } from "../fleet/commitment.js";
import { AFLOAT } from "../fleet/fleet.js";
import { hasRoom, tryRoom, updateFleet } from "../fleet/storage.js";
import { hitsAt, rival } from "../shots.js";
import shots from "./shots.abi.js";

/** @import { I18nText, Json, Move, RenderContext } from "../../../types.js" */
/** @import { Sealed } from "../fleet/storage.js" */

const SHOTS = new Interface(shots);

/**
 * The answer to a fatal shot, after which there is no shot to choose; the reveal; and the claim of who has revealed, once the time is over:
 * it tells nothing. A server that makes shots up learns one answer in this way, no fleet.
 * @param {RenderContext} context @returns {Move|null}
 */
export function autoMove(context) {
  const { board, me } = context;
  if (board.status !== "playing" || !plays(board, me)) return null;
  const args = fatalArgs(context);
  if (args) return { action: "move", args };
  if (board.phase !== "reveals") return null;
  if (board.fleets?.[me]?.ships !== undefined) return whyClaim(context) ? null : { action: CLAIM, args: {} };
  return whyAsked(context) ? null : { action: "reveal", args: { ...revealArgs(context), message: "" } };
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
 * Why the fleet is not shown without asking; null: it is. A fleet all of whose tiles this browser has answered as hit is no secret any more.
 * Whoever sees another one while its match goes on wins, and nobody takes the sight back: so the end must fit what this browser knows
 * itself, and be final by a word that is not the server's. Where a lie would gain little, it is enough that no node of the player contradicts.
 * @param {RenderContext} context @returns {I18nText|null}
 */
export function whyAsked(context) {
  const fleet = fleetOf(context.board, context.me);
  if (!fleet) return { key: "battleship.why.no-fleet" };
  if (isAnswered(context, fleet)) return null;
  if (!fleet.reveal) return { key: "battleship.ask.not-agreed" };
  const odd = isSealedHere(context, fleet) ? oddity(context, fleet) : "battleship.ask.not-sealed";
  if (odd) return { key: odd };
  const { state = "server", why } = context.finality?.() ?? {};
  const enough = isHarmless(context, fleet) ? ["server", "recent", "final"] : ["final"];
  return enough.includes(state) ? null : { key: `battleship.ask.${state}`, args: { why } };
}

/** The calls of this match that this browser has signed, as far as they are shots or answers. @param {RenderContext} context */
const signed = ({ sent }) => (sent?.() ?? []).flatMap(({ data }) => SHOTS.parseCall(data) ?? []);

/** This browser has signed the fleet's commitment for this match: no server can show the fleet of another one as this one's. @param {RenderContext} context @param {Sealed} fleet */
const isSealedHere = ({ sent }, { commitment }) =>
  (sent?.() ?? []).some(({ data }) => data.toLowerCase().includes(commitment.slice(2)));

/** Each tile of the fleet is in an answer that this browser has signed: no server's word is in this. @param {RenderContext} context @param {Sealed} fleet */
function isAnswered(context, { mask }) {
  const hits = signed(context).flatMap(({ args }) => (args.hit ? [Number(args.answeredTile)] : []));
  return (maskOf(hits) & mask) === mask;
}

/** Nothing was at stake when the fleet was sealed, and it is not rated (worthOf in draft.js), or only against a computer. A timeout is the server's word alone: for that a player is asked. @param {RenderContext} context @param {Sealed} fleet */
const isHarmless = ({ board }, { worth, computer }) =>
  board.cause !== "timeout" && (worth === "nothing" || (worth === "rating" && computer));

/** Keeps that the rival is a computer, by what the server says before the first move: later a lie would pay. @param {RenderContext} context */
export function noteComputer(context) {
  const { board, me } = context;
  const fleet = board.status === "playing" && computers.has(rival(board, me)) ? fleetOf(board, me) : undefined;
  if (!fleet || fleet.computer || signed(context).some(({ name }) => name === "move")) return;
  tryRoom();
  if (hasRoom()) updateFleet(fleet.commitment, { computer: true });
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
function haveFired(context) {
  const fired = new Set(signed(context).map(({ args }) => Number(args.tile)));
  const hits = hitsAt(context.board, rival(context.board, context.me));
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
