/**
 * The players and what they own, whose turn it is, and what the player should press next. This
 * module has no side effects.
 */

import { h } from "../../lib/dom.js";
import { t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";
import { inSeat, plays, seatsOf } from "../shared/duel.js";
import * as shared from "../shared/turn-text.js";
import { DISTANT, armyOf, hasUsed, landsOf, ownerOf, soldiersOf } from "./battle.js";
import { lastText } from "./texts/event-texts.js";
import { capitalBeside, myPhase, planOf, seatOf } from "./draft/plan.js";
import { signsLegend } from "./legend.js";
import { marksOf } from "./marks.js";
import { landName, worldOf } from "./world.js";

/** @import { Tree } from "../../lib/dom.js" */
/** @import { I18nText, Json, RenderContext, Seat, TurnText } from "../../types.js" */
/** @import { Plan } from "./draft/plan.js" */

/**
 * The colour of each seat, as the number of a colour in Okabe and Ito's colour-blind-safe palette.
 * The colour of the water is left out.
 */
const COLOURS = [1, 0, 2, 3, 6, 5];
const NOBODYS = 7;
/**
 * For each reason why a match can end with a winner: the last part of the headline's message key.
 * @type {Record<string, string>}
 */
const ENDS = { won: "won", resigned: "resigned", timeout: "timeout" };

/** @param {number} seat */
export const badge = (seat) => ({ colour: COLOURS[seat] ?? NOBODYS, shape: seat % COLOURS.length });

/** @param {Json} board @returns {Seat[]} */
export const seats = (board) => seatsOf(board).map((row) => ({ ...row, ...stateOf(board, row.seat) }));

/** @param {Json} board @param {number} seat */
function stateOf(board, seat) {
  const { alive = true, item, hero } = board.seats?.[seat] ?? {};
  if (board.status === "open") return { alive: true };
  if (!alive) return { alive: false, note: t("conquest.seat.out") };
  const n = landsOf(board, seat).length;
  const parts = [t("conquest.seat.lands", { n }), t("conquest.seat.soldiers", { n: armyOf(board, seat) })];
  if (hero !== undefined) parts.push(t("conquest.seat.hero"));
  if (item) parts.push(t("conquest.seat.item"));
  return { alive: true, note: parts.join(" · ") };
}

/**
 * Return the seats whose players hear a sound from the page: the attacked seats, and the seat whose
 * turn begins.
 * @param {Json} board @param {Json} before @returns {number[]}
 */
export function voices(board, before) {
  if (board.status !== "playing") return [];
  const targets =
    board.attacks && !before.attacks ? board.attacks.map((/** @type {number[]} */ [, to]) => ownerOf(board, to)) : [];
  const begins = board.mover && board.mover !== before.mover ? [seatOf(board, board.mover)] : [];
  return [...new Set([...targets, ...begins])].filter((seat) => seat >= 0);
}

/** @param {Json} board */
export const freeSeats = ({ seatCount = 0, players = {} }) => seatCount - Object.keys(players).length;

/** @param {Json} board @param {string} [me] the viewer @param {RenderContext} [context] @returns {TurnText} */
export function turnText(board, me = "", context) {
  if (board.status === "cancelled") return shared.overText(board, me, context);
  return context && board.status !== "finished" ? stepText(context) : stateText(board, me, context);
}

/** @param {Json} board @param {string} me @param {RenderContext|undefined} context @returns {TurnText} */
function stateText(board, me, context) {
  const { status, draw, phase, mover } = board;
  if (status === "open") return { key: "conquest.game.open", args: { n: freeSeats(board), lands: board.map?.lands } };
  if (status !== "playing") return overText(board, me, context);
  if (draw || !phase) return { key: `conquest.game.draw-${draw?.kind ?? "first"}` };
  return { key: `conquest.game.their-${phase}`, args: { name: mover ? nameOf(mover) : "" } };
}

/**
 * Return the headline of a finished match: the winner, the reason for the end, and the number of
 * moves. @param {Json} board @param {string} me @param {RenderContext|undefined} context @returns {TurnText}
 */
function overText(board, me, context) {
  const { ply: n = 0, winner, reason } = board;
  const { key, tone } = shared.overText(board, me, context);
  const end = ENDS[reason];
  if (!winner || !end) return { key, tone, args: { n } };
  const whose = tone === "won" ? "mine-" : tone === "lost" ? "lost-" : "";
  return { key: `conquest.game.over-${whose}${end}`, tone, args: { n, name: nameOf(winner) } };
}

/**
 * Return the headline that says what the player should press next. If the last press did nothing,
 * it explains why. @param {RenderContext} context @returns {TurnText}
 */
function stepText(context) {
  const plan = planOf(context);
  if (plan.note) return { ...plan.note, tone: "alarm" };
  const { board, me } = context;
  const invites = board.status === "open" && (!plays(board, me) || board.creator === me);
  return { ...whatToPress(context, plan), tone: myPhase(context) || invites ? "act" : "wait" };
}

/**
 * Return the line below the headline. It describes the result of the last command. After a
 * resignation, it explains when computer players resign.
 * @param {RenderContext} context
 */
export const turnNote = ({ board, me, events, seq }) =>
  board.status === "finished" && board.reason === "resigned"
    ? t("conquest.now.over-resigned")
    : lastText(board, me, events, seq);

/** @param {RenderContext} context @param {Plan} plan @returns {I18nText} */
function whatToPress(context, plan) {
  const { board, me } = context;
  const phase = myPhase(context);
  const instruct = (/** @type {string} */ key, /** @type {Json} */ args = {}) => ({ key: `conquest.now.${key}`, args });
  if (board.status === "open") {
    const args = { n: freeSeats(board), name: nameOf(board.creator ?? ""), action: t("conquest.action.join") };
    return instruct(plays(board, me) ? "open-mine" : "open", args);
  }
  if (board.draw) return instruct(`draw-${board.draw.kind}`);
  if (!board.phase) return instruct("draw-first");
  if (!phase) return instruct(watchKey(board, me), { name: nameOf(board.mover ?? "0x") });
  const mine = context.pending.filter(({ account }) => account === me);
  if (mine.length) return instruct(mine.every(({ action }) => action === "settle") ? "settling" : "sent");
  return STEPS[/** @type {"action"} */ (phase)](context, plan, instruct);
}

/** @param {Json} board @param {string} me */
function watchKey(board, me) {
  if (!plays(board, me)) return "watch";
  return board.seats[seatOf(board, me)]?.alive ? `wait-${board.phase}` : "out";
}

/** @typedef {(key: string, args?: Json) => I18nText} Instruct */

/** @type {Record<"capital"|"reinforcement"|"action"|"move", (context: RenderContext, plan: Plan, instruct: Instruct) => I18nText>} */
const STEPS = {
  capital: capitalStep,
  reinforcement: ({ board, me }, { source }, instruct) => {
    const n = 3 * landsOf(board, seatOf(board, me)).length;
    return source < 0
      ? instruct("reinforcement", { n })
      : instruct("reinforcement-chosen", { n, land: landName(worldOf(board), source) });
  },
  action: actionStep,
  move: moveStep,
};

/**
 * Return a text that says what to press in the capital phase. Warn the player if the capital would
 * be next to another capital, because a single early attack could take it.
 * @param {RenderContext} context @param {Plan} plan @param {Instruct} instruct @returns {I18nText}
 */
function capitalStep({ board }, { source, isSuggested }, instruct) {
  if (source < 0) return instruct("capital");
  const opponent = capitalBeside(board, source);
  const args = {
    land: landName(worldOf(board), source),
    n: soldiersOf(board, source),
    near: worldOf(board).graph.neighbours[source].length,
    name: nameOf(inSeat(board, opponent) || "0x"),
  };
  if (opponent >= 0) return instruct("capital-beside", args);
  return instruct(isSuggested ? "capital-suggested" : "capital-chosen", args);
}

/** @param {RenderContext} context @param {Plan} plan @param {Instruct} instruct @returns {I18nText} */
function actionStep(context, { source, target, attacks }, instruct) {
  const { board } = context;
  const world = worldOf(board);
  const isFar = hasUsed(board, DISTANT) && !board.attacked && !attacks.length && target < 0;
  if (isFar)
    return instruct("far", { from: source < 0 ? "" : t("conquest.now.far-from", { from: landName(world, source) }) });
  if (attacks.length) return instruct(attacks.length > 1 ? "attacks" : "attack", { n: attacks.length });
  if (board.attacked) return instruct("port-left");
  if (source < 0) return instruct(board.built ? "action-built" : "action", { outlined: outlinedText(context) });
  const words = { from: landName(world, source), n: soldiersOf(board, source) };
  if (target < 0) return instruct(fromKey(context), words);
  return instruct("capture", { ...words, land: landName(world, target), n: soldiersOf(board, target) });
}

const BEATABLE_OUTLINES = ["beatable", "chance"];

/** Return the kinds of outlines that are on the map now. @param {RenderContext} context @returns {Set<string>} */
const outlinesOf = (context) => new Set([...marksOf(context).marks.values()].flat());

/**
 * Return a sentence that explains the outlines. The page shows it before the player presses a land. @param {RenderContext} context
 */
function outlinedText(context) {
  const outlines = outlinesOf(context);
  if (BEATABLE_OUTLINES.some((one) => outlines.has(one))) return ` ${t("conquest.outlined.can-fall")}`;
  return outlines.has("weakened") ? ` ${t("conquest.outlined.weakened")}` : "";
}

/** Return the key of the text that says what to press after the first land. @param {RenderContext} context */
function fromKey(context) {
  const outlines = outlinesOf(context);
  const attacks = [...BEATABLE_OUTLINES, "weakened"].some((one) => outlines.has(one));
  if (attacks) return outlines.has("capture") ? "from-both" : "from-attack";
  if (outlines.has("capture")) return "from-capture";
  return outlines.has("strong") ? "from-strong" : "from-nothing";
}

/** @param {RenderContext} context @param {Plan} plan @param {Instruct} instruct @returns {I18nText} */
function moveStep({ board }, { source, target }, instruct) {
  const world = worldOf(board);
  if (source < 0) return instruct("move");
  const words = { from: landName(world, source), n: soldiersOf(board, source) };
  return target < 0
    ? instruct("move-source", words)
    : instruct("move-target", { ...words, land: landName(world, target) });
}

/**
 * Return the map's legend and the warnings: about a map that doesn't match its seed, about
 * neighbouring capitals, and about turns that will be skipped.
 * @param {RenderContext} context @returns {Tree|null}
 */
export function notices(context) {
  const { board, me } = context;
  if (!board.map || board.status === "cancelled") return null;
  const lines = [
    worldOf(board).foreign &&
      h("p", { id: "foreign-map", key: "foreign", role: "alert" }, t("conquest.notice.foreign")),
    board.status === "playing" && nearCapital(board, seatOf(board, me)),
    forcedText(board, me),
  ].filter(Boolean);
  return h(
    "div",
    { class: "map-notices", key: "notices" },
    lines.length > 0 && h("div", { class: "notice", key: "warnings" }, lines),
    signsLegend(),
  );
}

/** @param {Json} board @param {number} seat */
function nearCapital(board, seat) {
  const land = board.seats?.[seat]?.capital;
  const opponent = land === undefined ? -1 : capitalBeside(board, land);
  if (opponent < 0) return null;
  const name = nameOf(inSeat(board, opponent));
  return h("p", { id: "near-capital", key: "near" }, t("conquest.notice.near-capital", { name }));
}

/** @param {Json} board @param {string} me */
function forcedText(board, me) {
  const n = board.seats?.[seatOf(board, me)]?.forced ?? 0;
  if (board.status !== "playing" || !n) return null;
  return h("p", { id: "forced", key: "forced" }, t("conquest.notice.forced", { n }));
}
