/**
 * The outlines of lands on the map. They show what the player can do with each land. This module
 * has no side effects.
 */

import {
  UNIT,
  bestStrike,
  defence20,
  isStronger,
  landsOf,
  outcomeOf,
  ownerOf,
  routeBetween,
  strike,
} from "./battle.js";
import { myPhase, planOf, seatOf } from "./draft/plan.js";
import { worldOf } from "./world.js";

/** @import { Json, RenderContext } from "../../types.js" */
/** @import { Plan } from "./draft/plan.js" */
/** @import { World } from "./world.js" */

/** @typedef {{marks: Map<number, string[]>, notes: Map<number, string>}} LandMarks */

/** For each possible outcome of an attack on an enemy land, the outline of that land. */
const OUTLINES = { sure: "beatable", maybe: "chance", hurts: "weakened" };

/**
 * Return the outlines that show what the player can do with each land now, and notes with the
 * strength that each attack must exceed.
 * @param {RenderContext} context @returns {LandMarks}
 */
export function marksOf(context) {
  const world = worldOf(context.board);
  const plan = planOf(context);
  /** @type {Map<number, string[]>} */
  const marks = new Map();
  /** @type {Map<number, string>} */
  const notes = new Map();
  const add = (/** @type {number} */ land, /** @type {string} */ mark) =>
    marks.set(land, [...(marks.get(land) ?? []), mark]);
  const phase = myPhase(context);
  const { board, me } = context;
  const seat = seatOf(board, me);
  if (phase === "action" && !board.attacked) markTargets(board, world, plan, seat, add, notes);
  if (phase === "move" && plan.source >= 0)
    for (const land of landsOf(board, seat))
      if (routeBetween(world, board, plan.source, land, false)) add(land, "reach");
  if (plan.source >= 0) add(plan.source, "selected");
  if (plan.target >= 0) add(plan.target, "chosen");
  return { marks, notes };
}

/**
 * Mark three kinds of lands: lands that the army on the pressed land can capture, enemy lands that
 * it can beat, and enemy lands that are too strong. If no land is pressed, mark each enemy land
 * according to the player's strongest attack on it.
 * @param {Json} board @param {World} world @param {Plan} plan @param {number} seat @param {(land: number, mark: string) => void} add @param {Map<number, string>} notes
 */
function markTargets(board, world, { source, attacks }, seat, add, notes) {
  const launched = attacks.length + 1;
  world.centres.forEach((_, land) => {
    const owner = ownerOf(board, land);
    if (owner === seat) return;
    if (owner < 0) {
      if (source >= 0 && !attacks.length && routeBetween(world, board, source, land)) add(land, "capture");
      return;
    }
    const planned = attacks.some(([, to]) => to === land);
    const one = source < 0 ? bestStrike(world, board, seat, land) : strikeFrom(board, world, source, land, launched);
    if (planned || !one) return;
    const isWeaker = !isStronger(one);
    add(land, isWeaker ? "strong" : OUTLINES[outcomeOf(board, one)]);
    if (source >= 0 && !isWeaker) notes.set(land, String(Math.round(defence20(world, board, land) / UNIT)));
  });
}

/** @param {Json} board @param {World} world @param {number} source @param {number} land @param {number} launched */
const strikeFrom = (board, world, source, land, launched) =>
  routeBetween(world, board, source, land) ? strike(world, board, source, land, launched) : null;
