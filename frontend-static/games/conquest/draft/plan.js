/**
 * A player's plan for a command: a land, a target and attacks. A press on the map only changes the
 * plan. The page sends the plan when the player presses a button.
 */

import { t } from "../../../i18n/translate.js";
import { nameOf } from "../../../names/names.js";
import { inSeat, plays } from "../../shared/duel.js";
import {
  MAX_PAIRS,
  capitalOf,
  isStronger,
  landsOf,
  ownerOf,
  routeBetween,
  soldiersOf,
  soldiersText,
  strike,
} from "../battle.js";
import { CELLS, landAt, landName, worldOf } from "../world.js";

/** @import { I18nText, Json, RenderContext } from "../../../types.js" */
/** @import { Strike } from "../battle.js" */

/**
 * @typedef {object} Plan
 * @property {number} source the land that the player pressed first, or -1 if there is none
 * @property {number} target the target of a capture or a transfer, or -1 if there is none
 * @property {[number, number][]} attacks the planned attacks, in the order in which they will be
 * launched
 * @property {I18nText|null} note why the last press on the map did nothing
 * @property {boolean} [isSuggested] true if the page suggested the land and the player hasn't
 * pressed any land yet
 */

/**
 * To suggest a capital, the page adds up soldiers. A soldier on the land itself counts this many
 * times as much as a soldier on a neighbouring land. The strongest computer player uses the same
 * weight.
 */
const CAPITAL_WEIGHT = 4;

/** @param {Json} board @param {string} me */
export const seatOf = ({ players = {} }, me) => players[me]?.seat ?? -1;

/** Return the phase in which the player must press the map now, or "" if there is nothing to press. @param {RenderContext} context @returns {string} a phase of the board */
export function myPhase({ board, me }) {
  if (board.status !== "playing" || board.draw || !plays(board, me) || board.mover !== me) return "";
  return board.phase ?? "";
}

/**
 * Return a text that identifies the position for which a plan was made. After a command or a reorg,
 * the text is different, so the page discards the plan.
 * @param {Json} board
 */
const positionOf = ({ ply, trail, phase, draw }) => `${ply} ${trail} ${phase} ${draw ? draw.kind : ""}`;

/** @param {RenderContext} context @returns {Plan} */
export function planOf(context) {
  const { board, draft, selected } = context;
  const { plan } = draft.state;
  const source = selected - 1;
  if (plan?.position !== positionOf(board))
    return { source: suggestedCapital(context), target: -1, attacks: [], note: null, isSuggested: true };
  return { source, target: plan.source === source ? plan.target : -1, attacks: plan.attacks, note: plan.note };
}

/**
 * Return the capital that the page suggests, or -1 outside the capital phase. It is the neutral
 * land with the most soldiers on it and around it. The page avoids lands next to an opponent's
 * capital if possible. The suggestion stays chosen while the player presses no other land, so that
 * new players can begin with one press on a button.
 * @param {RenderContext} context
 */
function suggestedCapital(context) {
  if (myPhase(context) !== "capital") return -1;
  const { board } = context;
  const { neighbours } = worldOf(board).graph;
  const neutral = neighbours.map((_, land) => land).filter((land) => ownerOf(board, land) < 0);
  const apart = neutral.filter((land) => capitalBeside(board, land) < 0);
  const worth = (/** @type {number} */ land) =>
    neighbours[land]
      .filter((one) => ownerOf(board, one) < 0)
      .reduce((sum, one) => sum + soldiersOf(board, one), CAPITAL_WEIGHT * soldiersOf(board, land));
  const lands = apart.length ? apart : neutral;
  return lands.reduce((best, land) => (best < 0 || worth(land) > worth(best) ? land : best), -1);
}

/** @param {RenderContext} context @param {Plan} plan */
function storePlan({ board, draft }, plan) {
  draft.state.plan = { ...plan, position: positionOf(board) };
  draft.change();
}

/** @param {string} key @param {Json} [args] @returns {I18nText} */
const noteOf = (key, args) => ({ key: `conquest.note.${key}`, args });

/** @param {Json} board @param {number} land */
export function ownerName(board, land) {
  const address = inSeat(board, ownerOf(board, land));
  return address ? nameOf(address) : t("conquest.seat.nobody");
}

/** Handle a press on the map. It changes the plan, but sends nothing. @param {RenderContext} context @param {number} cell the pressed cell; a number beyond the last cell stands for a planned attack, and the press removes that attack @returns {null} */
export function press(context, cell) {
  const phase = myPhase(context);
  if (!phase) return null;
  const plan = { ...planOf(context), note: null, isSuggested: false };
  const world = worldOf(context.board);
  if (cell >= CELLS) storePlan(context, withoutAttack(plan, cell - CELLS));
  else storePlan(context, PRESS_HANDLERS[/** @type {"action"} */ (phase)](context, plan, landAt(world, cell)));
  return null;
}

/**
 * Return the number of the plan's first land plus 1, or 0 if the plan is for an earlier position.
 * The page keeps this land selected.
 * @param {RenderContext} context
 */
export const select = ({ board, draft }) =>
  draft.state.plan?.position === positionOf(board) ? draft.state.plan.source + 1 : 0;

/** @param {Plan} plan @param {number} at @returns {Plan} */
export const withoutAttack = (plan, at) => ({ ...plan, attacks: plan.attacks.filter((_, i) => i !== at) });

/** @param {RenderContext} context @param {number} at */
export const removeAttack = (context, at) => storePlan(context, withoutAttack({ ...planOf(context), note: null }, at));

/** @type {Record<"capital"|"reinforcement"|"action"|"move", (context: RenderContext, plan: Plan, land: number) => Plan>} */
const PRESS_HANDLERS = {
  capital: (context, plan, land) =>
    chooseLand(context, { ...plan, source: -1 }, land, ownerOf(context.board, land) < 0, "not-neutral"),
  reinforcement: (context, plan, land) => chooseLand(context, plan, land, isMine(context, land), "not-mine"),
  action: pressInAction,
  move: pressInMove,
};

/** @param {RenderContext} context @param {number} land */
const isMine = ({ board, me }, land) => land >= 0 && ownerOf(board, land) === seatOf(board, me);

/** Plan a command that needs a single land, such as a reinforcement. @param {RenderContext} context @param {Plan} plan @param {number} land @param {boolean} isFit @param {string} note @returns {Plan} */
function chooseLand({ board }, plan, land, isFit, note) {
  if (land < 0) return { ...plan, source: -1, target: -1, note: noteOf("water") };
  if (land === plan.source) return { ...plan, source: -1, target: -1 };
  if (isFit) return { ...plan, source: land, target: -1 };
  return { ...plan, note: noteOf(note, { land: landName(worldOf(board), land), owner: ownerName(board, land) }) };
}

/**
 * Plan a command that needs two lands: first one of the player's own lands, and then a neutral land
 * to capture or an enemy land to attack.
 * @param {RenderContext} context @param {Plan} plan @param {number} land @returns {Plan}
 */
function pressInAction(context, plan, land) {
  const { board } = context;
  if (land < 0) return { ...plan, source: -1, target: -1, note: noteOf("water") };
  if (isMine(context, land)) return { ...plan, source: land === plan.source ? -1 : land, target: -1 };
  const words = { land: landName(worldOf(board), land), owner: ownerName(board, land) };
  if (plan.source < 0) return { ...plan, note: sourceNote(context, land, words) };
  if (board.attacked) return { ...plan, note: noteOf("attacked") };
  return ownerOf(board, land) < 0 ? planCapture(context, plan, land, words) : planAttack(context, plan, land, words);
}

/**
 * Return a note that names the player's lands that can reach this land, because the player must
 * press one of them first.
 * @param {RenderContext} context @param {number} land @param {Json} words
 */
function sourceNote({ board, me }, land, words) {
  const world = worldOf(board);
  const near = landsOf(board, seatOf(board, me)).filter((from) => routeBetween(world, board, from, land));
  const from = near.slice(0, 4).map((one) => world.names[one]);
  return from.length ? noteOf("source-first", { ...words, from: from.join(", ") }) : noteOf("out-of-reach", words);
}

/** @param {RenderContext} context @param {Plan} plan @param {number} land @param {Json} words @returns {Plan} */
function planCapture({ board }, plan, land, words) {
  if (plan.attacks.length) return { ...plan, note: noteOf("attacks-planned", words) };
  if (plan.target === land) return { ...plan, target: -1 };
  if (!routeBetween(worldOf(board), board, plan.source, land))
    return { ...plan, note: outOfReachNote(board, plan.source, words) };
  return { ...plan, target: land };
}

/** @param {Json} board @param {number} source @param {Json} words */
const outOfReachNote = (board, source, words) =>
  noteOf(board.lands[source]?.port ? "no-way" : "no-way-no-port", {
    ...words,
    source: landName(worldOf(board), source),
  });

/**
 * Add an attack to the plan. If the plan already has this attack, remove it. Attacks that are
 * launched together share the soldiers' strength, so each of them must remain strong enough.
 * @param {RenderContext} context @param {Plan} plan @param {number} land @param {Json} words @returns {Plan}
 */
function planAttack({ board }, plan, land, words) {
  const world = worldOf(board);
  const at = plan.attacks.findIndex(([from, to]) => from === plan.source && to === land);
  if (at >= 0) return withoutAttack(plan, at);
  if (plan.attacks.length === MAX_PAIRS) return { ...plan, note: noteOf("enough", { n: MAX_PAIRS }) };
  const free = !plan.attacks.some(([from, to]) => routeBetween(world, board, from, to) === "distant");
  if (!routeBetween(world, board, plan.source, land, free))
    return { ...plan, note: outOfReachNote(board, plan.source, words) };
  const attacks = /** @type {[number, number][]} */ ([...plan.attacks, [plan.source, land]]);
  const weak = strikesOf(board, attacks).find((one) => !isStronger(one));
  if (!weak) return { ...plan, target: -1, attacks };
  return { ...plan, note: weakNote(board, weak, attacks.length) };
}

/** @param {Json} board @param {Strike} weak @param {number} n the number of attacks @returns {I18nText} */
export function weakNote(board, { from, to, attack20, needed20, divisor, isSea }, n) {
  const world = worldOf(board);
  const words = { land: landName(world, to), from: landName(world, from), n, own: soldiersText(attack20, divisor) };
  const key = n > 1 ? "weak-shared" : isSea ? "weak-sea" : attack20 === needed20 ? "weak-equal" : "weak";
  return noteOf(key, { ...words, needed: soldiersText(needed20, divisor) });
}

/** @param {Json} board @param {[number, number][]} attacks @returns {Strike[]} */
export const strikesOf = (board, attacks) =>
  attacks.map(([from, to]) => strike(worldOf(board), board, from, to, attacks.length));

/** @param {RenderContext} context @param {Plan} plan @param {number} land @returns {Plan} */
function pressInMove(context, plan, land) {
  const { board } = context;
  if (land < 0) return { ...plan, source: -1, target: -1, note: noteOf("water") };
  const words = { land: landName(worldOf(board), land), owner: ownerName(board, land) };
  if (!isMine(context, land)) return { ...plan, note: noteOf("not-mine", words) };
  if (land === plan.source) return { ...plan, source: -1, target: -1 };
  if (land === plan.target) return { ...plan, target: -1 };
  if (plan.source < 0 || !routeBetween(worldOf(board), board, plan.source, land, false))
    return startMove(board, plan, land, words);
  return { ...plan, target: land };
}

/** @param {Json} board @param {Plan} plan @param {number} land @param {Json} words @returns {Plan} */
const startMove = (board, plan, land, words) =>
  soldiersOf(board, land) > 0
    ? { ...plan, source: land, target: -1, note: plan.source >= 0 ? noteOf("other-source", words) : null }
    : { ...plan, note: noteOf("no-soldiers", words) };

/**
 * Return the seat that has its capital next to this land, or -1 if there is none. A player who
 * starts on this land can lose the match to a single early attack.
 * @param {Json} board @param {number} land @returns {number}
 */
export function capitalBeside(board, land) {
  const near = worldOf(board).graph.neighbours[land] ?? [];
  return near.map((other) => capitalOf(board, other)).find((seat) => seat >= 0) ?? -1;
}
