/** Who plays with which cubes, what streams, whose turn it is, and what passing or running out of time would mean. Pure. */

import { h } from "../../lib/dom.js";
import { shortHex, t } from "../../i18n/translate.js";
import { inSeat, plays, seatsOf } from "../shared/duel.js";
import { isStaked } from "../shared/terms.js";
import { MAX_PASSES, isDry } from "./actions.js";
import { square } from "./cubes.js";
import { due, isRunning, streamOf, withdrawn } from "./purses.js";

/** @import { Tree } from "../../lib/dom.js" */
/** @import { I18nText, Json, RenderContext, Seat, Stream } from "../../types.js" */

/** So many plies without a removal are a draw; of the last ones one is warned. */
const MAX_QUIET = 100;
const WARNED = 20;
const MANY_PASSES = 2;

/** Player 1 is blue, with square plates; player 2 orange, with round ones. @param {number} seat */
export const badge = (seat) => (seat === 0 ? { colour: 1, shape: 1 } : { colour: 0, shape: 0 });

/** @param {Json} board @returns {Seat[]} */
export function seats(board) {
  return seatsOf(board).map((row) => ({ ...row, note: cubesText(board, row.seat), ...purseOf(board, row.seat) }));
}

/** @param {Json} board @param {number} seat */
function cubesText({ cubes, setup }, seat) {
  const n = Object.values(cubes).filter((cube) => cube.seat === seat).length;
  return t("deblockle.seat.cubes", { n, all: setup });
}

/** While it is played what has streamed back; then what can be withdrawn, or was. @param {Json} board @param {number} seat @returns {{stream?: Stream}} */
function purseOf(board, seat) {
  if (!isStaked(board)) return {};
  if (board.status === "open") return { stream: { ...streamOf(board, seat), key: "deblockle.purse.open" } };
  if (board.status === "playing")
    return {
      stream: { ...streamOf(board, seat), key: `deblockle.purse.${isRunning(board, seat) ? "flows" : "waits"}` },
    };
  const rest = due(board, seat, 0);
  const taken = withdrawn(board, seat);
  const [amount, key] = rest > 0n ? [rest, "due"] : [taken, taken > 0n ? "taken" : "nothing"];
  return {
    stream: {
      amount,
      rate: 0n,
      since: 0,
      cap: 2n * BigInt(board.stake),
      token: board.token,
      key: `deblockle.purse.${key}`,
    },
  };
}

/** @param {Json} board @param {string} [me] who looks @returns {I18nText} */
export function turnText(board, me) {
  if (board.status === "open") return { key: "deblockle.game.open", args: { n: board.setup, rules: rulesText(board) } };
  if (board.status !== "playing") return { key: "deblockle.game.over", args: { n: board.ply } };
  if (!board.mover) return { key: "deblockle.game.begins" };
  const [side, name] = [board.mover === me ? "your" : "other", shortHex(board.mover)];
  if (board.hopper === undefined) {
    if (board.last?.by === board.mover) return { key: "deblockle.game.turn-over", args: { name } };
    const none = Object.keys(board.moves).length ? "" : "-none";
    return { key: `deblockle.game.${side}-roll${none}`, args: { name } };
  }
  const { up, cell } = board.cubes[board.hopper];
  return { key: `deblockle.game.${side}-hop`, args: { name, face: t(`deblockle.face.${up}`), cell: square(cell) } };
}

/** @param {Json} board */
const rulesText = ({ ruleset }) => t(`deblockle.rules.${ruleset}`);

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
    remaining <= WARNED && h("p", { id: "quiet-notice", key: "quiet" }, t("deblockle.notice.quiet", { n: remaining })),
  ].filter(Boolean);
  return lines.length ? h("div", { class: "notice", key: "notices" }, lines) : null;
}

/** @param {RenderContext} context */
const clockText = ({ board, me }) =>
  t(`deblockle.notice.clock-${board.mover === me ? "mine" : "other"}`, { name: shortHex(board.mover) });

/** Whose deposit flows how fast, and what comes when it has run dry, before it does. @param {RenderContext} context */
function streamText({ board, me, formatAmount }) {
  const mine = board.mover !== me;
  const other = inSeat(board, 1 - board.players[me].seat);
  const until = new Date(1000 * (board.runsDry ?? 0)).toLocaleTimeString();
  const words = { rate: formatAmount(BigInt(board.rate), board.token), name: shortHex(other), time: until };
  return t(`deblockle.notice.${mine ? "flows" : "costs"}${isDry(board) ? "-dry" : "-clock"}`, words);
}
