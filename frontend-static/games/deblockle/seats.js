/**
 * The players and their cubes, the streams of their stakes, and whose turn it is. The texts also
 * say what happens if a player passes or runs out of time. This module has no side effects.
 */

import { h } from "../../lib/dom.js";
import { timeOfDay } from "../../i18n/quantities.js";
import { t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";
import { inSeat, plays, seatsOf } from "../shared/duel.js";
import { actText, openText, overText, waitText } from "../shared/turn-text.js";
import { isStaked } from "../shared/terms.js";
import { MAX_PASSES, endsWithDeposit, joinAction } from "./actions.js";
import { STOP, chosen, square } from "./cubes.js";
import { isStreaming, streamOf, withdrawable, withdrawn } from "./streams.js";

/** @import { Tree } from "../../lib/dom.js" */
/** @import { Json, RenderContext, Seat, Stream, TurnText } from "../../types.js" */

/**
 * If no cube is removed in this many plies, the match ends in a draw, as in the contract. The page
 * warns the players during the last WARN_BEFORE of these plies.
 */
const MAX_QUIET = 100;
const WARN_BEFORE = 20;
const MANY_PASSES = 2;

/** Return the badge of a seat: a blue square for player 1, or an orange circle for player 2. @param {number} seat */
export const badge = (seat) => (seat === 0 ? { colour: 1, shape: 1 } : { colour: 0, shape: 0 });

/** @param {Json} board @returns {Seat[]} */
export function seats(board) {
  return seatsOf(board).map((row) => ({ ...row, note: cubesText(board, row.seat), ...seatStream(board, row.seat) }));
}

/** @param {Json} board @param {number} seat */
function cubesText({ cubes, setup }, seat) {
  if (!setup) return ""; // a board between two events of a transaction can lack the setup
  const n = Object.values(cubes).filter((cube) => cube.seat === seat).length;
  return t("deblockle.seat.cubes", { n, all: setup });
}

/**
 * Return the part of a seat's deposit that has streamed back to the seat during the match. After
 * the match, return the amount that the seat can still withdraw. If that amount is zero, return the
 * amount that the seat has withdrawn.
 * @param {Json} board @param {number} seat @returns {{stream?: Stream}}
 */
function seatStream(board, seat) {
  if (!isStaked(board)) return {};
  if (board.status === "open") return { stream: { ...streamOf(board, seat), key: "deblockle.stream.open" } };
  if (board.status === "playing")
    return {
      stream: { ...streamOf(board, seat), key: `deblockle.stream.${isStreaming(board, seat) ? "flows" : "waits"}` },
    };
  const rest = withdrawable(board, seat, 0);
  const taken = withdrawn(board, seat);
  const [amount, key] = rest > 0n ? [rest, "due"] : [taken, taken > 0n ? "taken" : "nothing"];
  return {
    stream: {
      amount,
      rate: 0n,
      since: 0,
      cap: 2n * BigInt(board.stake),
      token: board.token,
      key: `deblockle.stream.${key}`,
    },
  };
}

/** @param {Json} board @param {string} [me] the viewer @param {RenderContext} [context] @returns {TurnText} */
export function turnText(board, me = "", context) {
  if (board.status === "open") return openText("deblockle", joinAction, board, me, context);
  if (board.status !== "playing") return overText(board, me, context);
  if (!board.mover) return { key: "deblockle.game.begins", tone: "wait" };
  const isOver = board.hopper === undefined && board.last?.by === board.mover;
  if (isOver) return { key: "deblockle.game.turn-over", args: { name: nameOf(board.mover) }, tone: "wait" };
  if (board.mover !== me) return waitText("deblockle", board, me, context);
  return actText(stepText(board, context), board, context);
}

/**
 * Return the line below the headline. Before the second player joins, it shows the number of cubes
 * and the rules. During the match, it explains why the last turn ended.
 * @param {RenderContext} context
 */
export function turnNote({ board, me }) {
  const { status, setup, ruleset, last, cubes } = board;
  if (status === "open")
    // a board between two events of a transaction can lack the setup
    return setup ? t("deblockle.game.cubes", { n: setup, rules: t(`deblockle.rules.${ruleset}`) }) : "";
  if (status !== "playing" || last?.kind !== "roll" || cubes[last.cube]?.up !== STOP) return "";
  return last.by === me ? t("deblockle.game.stop-mine") : t("deblockle.game.stop", { name: nameOf(last.by) });
}

/** Return the headline that says what the player to move can click. @param {Json} board @param {RenderContext|undefined} context @returns {TurnText} */
function stepText(board, context) {
  const { hopper, moves, cubes } = board;
  if (hopper !== undefined) {
    const { up, cell } = cubes[hopper];
    return { key: "deblockle.game.your-hop", args: { face: t(`deblockle.face.${up}`), cell: square(cell) } };
  }
  if (!Object.keys(moves).length)
    return { key: "deblockle.game.your-roll-none", args: { action: t("deblockle.action.pass-roll") } };
  return { key: context && chosen(context) ? "deblockle.game.your-roll-to" : "deblockle.game.your-roll" };
}

/** @param {RenderContext} context @returns {Tree|null} */
export function notices(context) {
  const { board, me } = context;
  if (board.status !== "playing" || !board.mover || !plays(board, me)) return null;
  const remaining = MAX_QUIET - board.quiet;
  const lines = [
    isStaked(board)
      ? h("p", { id: "streams-notice", key: "streams" }, streamText(context))
      : board.deadline > 0 && h("p", { id: "clock-notice", key: "clock" }, clockText(context)),
    board.passes >= MANY_PASSES &&
      h(
        "p",
        { id: "passes-notice", key: "passes" },
        t("deblockle.notice.passes", { n: board.passes, all: MAX_PASSES }),
      ),
    remaining <= WARN_BEFORE &&
      h("p", { id: "quiet-notice", key: "quiet" }, t("deblockle.notice.quiet", { n: remaining })),
  ].filter(Boolean);
  return lines.length ? h("div", { class: "notice", key: "notices" }, lines) : null;
}

/** @param {RenderContext} context */
const clockText = ({ board, me }) =>
  t(`deblockle.notice.clock-${board.mover === me ? "mine" : "other"}`, { name: nameOf(board.mover) });

/**
 * Return a text that says whose deposit is streaming back, and at what rate. The text also says
 * which limit would end the match first: the empty deposit or the clock.
 * @param {RenderContext} context
 */
function streamText({ board, me, formatAmount }) {
  const mine = board.mover !== me;
  const other = inSeat(board, 1 - board.players[me].seat);
  const until = timeOfDay(board.runsDry ?? 0);
  const words = { rate: formatAmount(BigInt(board.rate), board.token), name: nameOf(other), time: until };
  return t(`deblockle.notice.${mine ? "flows" : "costs"}${endsWithDeposit(board) ? "-dry" : "-clock"}`, words);
}
