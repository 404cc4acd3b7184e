/**
 * The buttons: which ones the page shows, why some are disabled, their texts, and the arguments
 * that they send. The functions read the player's plan, but have no side effects.
 */

import { t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";
import { plays, whyClaim, whyJoin, whyPending, whyPlaying } from "../shared/duel.js";
import { heroOn, isStronger, outcomeOf, rangeOf, soldiersOf, soldiersText } from "./battle.js";
import { createArgs, whyCreate } from "./draft/new-match.js";
import { myPhase, planOf, seatOf, strikesOf, weakNote } from "./draft/plan.js";
import { landName, shoresOf, worldOf } from "./world.js";

/** @import { Action, I18nText, Json, Move, RenderContext } from "../../types.js" */

export const joinAction = "join";
export const closeAction = "leave";
export const hasNewMatchPage = true;
export const needsSecondPress = ["surrender", "leave"];
export const secondary = ["buildPort", "pass", "useItem", "settle"];
/**
 * The actions that share the main place for buttons on the page. The page shows one of them at a
 * time.
 */
const MAIN_ACTIONS = ["chooseCapital", "reinforce", "capture", "attack", "move", "settle"];
const OTHER_ACTIONS = ["buildPort", "pass", "useItem", "surrender"];
/** @type {Record<string, string>} */
const MAIN_ACTION_OF_PHASE = { capital: "chooseCapital", reinforcement: "reinforce", action: "capture", move: "move" };
/**
 * The seat of the player who opened the match. Before the first turn, this player's page settles
 * the random draw. During a turn, the page of the player to move settles each random draw.
 */
const FIRST_SEAT = 0;

/** @param {Json} board @param {string} me */
const isIn = (board, me) => plays(board, me) && board.seats?.[seatOf(board, me)]?.alive === true;

/** @param {RenderContext} context */
function mainKind(context) {
  const { board } = context;
  if (board.draw) return "settle";
  return planOf(context).attacks.length ? "attack" : (MAIN_ACTION_OF_PHASE[board.phase] ?? "reinforce");
}

/**
 * Return true if an action has a button. The buttons for a turn are shown during the whole turn,
 * each in its own place.
 * @param {RenderContext} context @param {Action} action
 */
export function isOffered(context, { name }) {
  const { board, me } = context;
  if (board.status === "open") return name === (plays(board, me) ? "leave" : "join");
  if (board.status !== "playing" || !isIn(board, me)) return false;
  return OTHER_ACTIONS.includes(name) || (MAIN_ACTIONS.includes(name) && name === mainKind(context));
}

/** @param {string} key @param {Json} [args] @returns {I18nText} */
const reason = (key, args) => ({ key: `conquest.why.${key}`, args });

/** @param {RenderContext} context @param {Action} action @returns {I18nText|null} */
export function why(context, { name }) {
  /** @type {Record<string, () => I18nText|null>} */
  const checks = {
    create: () => whyCreate(context),
    join: () => whyJoinMap(context),
    leave: () => (context.board.status === "open" ? null : { key: "why.not-open" }),
    settle: () => whySettle(context),
    claimTimeout: () => whyClaim(context),
  };
  return (checks[name] ?? (() => whyCommand(context, name)))() ?? whyPending(context, name);
}

/**
 * Return why an account can't join, or null if it can. One reason is that the match's map isn't the
 * map that the page generates from the match's seed.
 * @param {RenderContext} context @returns {I18nText|null}
 */
function whyJoinMap(context) {
  const { board, me } = context;
  const invited = Object.values(board.invited ?? {}).includes(me);
  const stopped = whyJoin(invited ? { ...context, board: { ...board, opponent: undefined } } : context);
  if (stopped) return stopped;
  return worldOf(board).foreign ? reason("foreign") : null;
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whySettle({ board, head }) {
  if (!board.draw) return reason("nothing-drawn");
  return (head?.height ?? 0) > board.draw.block ? null : reason("drawing");
}

/** @param {RenderContext} context @param {string} name @returns {I18nText|null} */
function whyCommand(context, name) {
  const { board, me, pending } = context;
  const stopped = whyPlaying(context);
  if (stopped) return stopped;
  if (!isIn(board, me)) return reason("out");
  if (board.draw) return reason("drawing");
  if (board.mover !== me) return { key: "why.not-your-turn", args: { name: nameOf(board.mover ?? "0x") } };
  if (pending.some((tx) => tx.account === me && tx.action !== "settle")) return { key: "why.on-its-way" };
  return COMMANDS[name]?.(context) ?? null;
}

/** @type {Record<string, (context: RenderContext) => I18nText|null>} */
const COMMANDS = {
  chooseCapital: (context) => (planOf(context).source < 0 ? reason("no-capital") : null),
  reinforce: (context) => (planOf(context).source < 0 ? reason("no-land") : null),
  capture: whyCapture,
  attack: whyAttack,
  buildPort: whyPort,
  move: (context) => (planOf(context).target < 0 ? reason("no-move") : null),
  pass: whyPass,
  useItem: whyItem,
};

/** @param {RenderContext} context @returns {I18nText|null} */
function whyCapture(context) {
  const { source, target } = planOf(context);
  if (context.board.attacked) return reason("attacked");
  return source < 0 || target < 0 ? reason("no-target") : null;
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyAttack(context) {
  const { board } = context;
  const { attacks } = planOf(context);
  const weak = strikesOf(board, attacks).find((one) => !isStronger(one));
  return weak ? weakNote(board, weak, attacks.length) : null;
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyPort(context) {
  const { board } = context;
  if (board.phase !== "action") return reason("port-phase");
  if (board.built) return reason("built");
  const { source, attacks } = planOf(context);
  if (attacks.length) return reason("port-attacks");
  if (source < 0) return reason("port-where");
  const land = landName(worldOf(board), source);
  if (board.lands[source].port) return reason("port-there", { land });
  return shoresOf(worldOf(board), source).length ? null : reason("port-dry", { land });
}

/** Return why the player can't skip. Skipping is forbidden while attacks are planned. @param {RenderContext} context @returns {I18nText|null} */
function whyPass(context) {
  if (context.board.phase === "capital") return reason("capital-first");
  return context.board.phase === "action" && planOf(context).attacks.length ? reason("pass-attacks") : null;
}

/** @param {RenderContext} context @returns {I18nText|null} */
function whyItem({ board, me }) {
  if (board.phase === "capital") return reason("capital-first");
  return board.seats[seatOf(board, me)]?.item ? null : reason("no-item");
}

/**
 * Return a button's texts. If `brief` is true, the button doesn't show the status of the move
 * that it sent before, because the player no longer needs that status.
 * @param {RenderContext} context @param {string} actionId @returns {{label?: I18nText, hint?: I18nText, twice?: boolean, brief?: boolean}}
 */
export function buttonText(context, actionId) {
  const { board, me } = context;
  /** @type {Record<string, () => {label?: I18nText, hint?: I18nText, twice?: boolean}>} */
  const cases = {
    ...{ chooseCapital: () => landText(context, "chooseCapital"), reinforce: () => landText(context, "reinforce") },
    ...{ buildPort: () => landText(context, "buildPort"), capture: () => targetText(context, "capture") },
    move: () => targetText(context, "move"),
    attack: () => launchText(context),
    pass: () => passText(context),
    useItem: () => itemText(board, seatOf(board, me)),
  };
  return { ...cases[actionId]?.(), brief: true };
}

/** @param {string} key @param {Json} [args] */
const label = (key, args) => ({ label: { key: `conquest.action.${key}`, args } });

/** Return a label that names the chosen land, if the player can act on that land now. @param {RenderContext} context @param {string} actionId */
function landText(context, actionId) {
  const { source } = planOf(context);
  const blocked = source < 0 || (actionId === "buildPort" && whyPort(context));
  const world = worldOf(context.board);
  return blocked ? {} : label(`${actionId}-at`, { land: landName(world, source), at: world.names[source] });
}

/** @param {RenderContext} context @param {string} actionId */
function targetText(context, actionId) {
  const { source, target } = planOf(context);
  if (target < 0) return {};
  const world = worldOf(context.board);
  return label(`${actionId}-at`, { land: landName(world, target), from: landName(world, source) });
}

/** @param {RenderContext} context */
function launchText(context) {
  const { attacks } = planOf(context);
  return label("attack-n", { n: attacks.length });
}

/**
 * Return the texts of the button that skips a phase or a turn. The button needs two presses if
 * skipping would cost the player a reinforcement or a planned command.
 * @param {RenderContext} context
 */
function passText(context) {
  const { phase } = context.board;
  const { attacks, target } = planOf(context);
  const hint = { key: `conquest.hint.pass-${phase}` };
  return {
    ...label(phase === "action" ? "pass-phase" : "pass-turn"),
    hint,
    twice: phase === "reinforcement" || attacks.length > 0 || target >= 0,
  };
}

/** @param {Json} board @param {number} seat */
function itemText(board, seat) {
  const item = board.seats?.[seat]?.item;
  if (!item) return {};
  return { ...label(`useItem-${item}`), hint: { key: `conquest.hint.useItem-${item}` } };
}

/**
 * Return true if an input is shown next to its button. The input for taking the hero along is shown
 * only if the hero is on the land that the soldiers leave.
 * @param {RenderContext} context @param {string} actionId @param {string} name
 */
export function hasInput(context, actionId, name) {
  if (actionId === "create") return name === "clock"; // the form for new matches has special controls for the other inputs
  if (actionId !== "move" || name !== "hero") return true;
  return planOf(context).source >= 0 && heroOn(context.board, planOf(context).source) >= 0;
}

/**
 * Return the label of an option. For a share of an army, the label includes the number of soldiers. @param {RenderContext} context @param {string} actionId @param {string} name @param {number} value @param {string} words the option's own text
 */
export function optionText(context, actionId, name, value, words) {
  const { source } = planOf(context);
  if (actionId !== "move" || name !== "quarters" || source < 0) return words;
  const n = Math.floor((soldiersOf(context.board, source) * value) / 4);
  return t("conquest.input.quarters-n", { share: words, n });
}

/**
 * Return the arguments of an action. `ply` and `trail` identify the position in which the player
 * acts, so that the contract can reject an action for an older position.
 * @param {RenderContext} context @param {Action} action @param {Json} typed @returns {Json}
 */
export function args(context, { name }, typed) {
  const { board } = context;
  if (name === "create") return createArgs(context);
  const { source, target, attacks } = planOf(context);
  /** @type {Record<string, Json>} */
  const own = {
    ...{ chooseCapital: { land: source }, reinforce: { land: source }, buildPort: { land: source } },
    capture: { from: source, to: target },
    attack: { pairs: pairsHex(attacks) },
    move: { from: source, to: target, hero: Boolean(typed.hero) && heroOn(board, source) >= 0 },
    pass: { phaseOnly: board.phase === "action" },
  };
  return { ply: board.ply, trail: board.trail, ...own[name] };
}

/** @param {[number, number][]} attacks */
const pairsHex = (attacks) =>
  `0x${attacks
    .flat()
    .map((land) => land.toString(16).padStart(2, "0"))
    .join("")}`;

/**
 * Return the move that settles an open random draw. During a turn, the page of the player to move
 * sends it, so that the player sees the result before the next command.
 * @param {RenderContext} context @returns {Move|null}
 */
export function autoMove(context) {
  const { board, me } = context;
  if (!board.draw || whySettle(context)) return null;
  const isNext = board.mover ? board.mover === me : seatOf(board, me) === FIRST_SEAT;
  return isNext ? { action: "settle", args: {} } : null;
}

/**
 * Return the planned attacks. Each attack has a text about its possible outcome, and a label for
 * the button that removes the attack from the plan.
 * @param {RenderContext} context @returns {{at: number, text: string, label: string}[]}
 */
export function plannedAttacks(context) {
  const { board } = context;
  if (myPhase(context) !== "action") return [];
  const world = worldOf(board);
  return strikesOf(board, planOf(context).attacks).map((one, at) => {
    const words = {
      ...{ from: world.names[one.from], land: world.names[one.to], n: soldiersOf(board, one.to) },
      ...{ own: soldiersText(one.attack20, one.divisor), needed: soldiersText(one.needed20, one.divisor) },
      range: rangeOf(one),
    };
    return { at, text: t(`conquest.plan.${outcomeOf(board, one)}`, words), label: t("conquest.plan.back", words) };
  });
}
