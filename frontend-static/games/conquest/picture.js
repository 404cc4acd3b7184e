/**
 * Draws a board's map with the lands' owners, the things on each land, the possible actions, and
 * the arrows of commands. This module has no side effects.
 */

import { WATER } from "../../layouts/map/outline.js";
import { t } from "../../i18n/translate.js";
import { SIDE } from "./map/generator.js";
import { capitalOf, heroOn, outcomeOf, ownerOf, rangeOf, soldiersOf } from "./battle.js";
import { lastArrows } from "./texts/last-command.js";
import { planOf, strikesOf } from "./draft/plan.js";
import { marksOf } from "./marks.js";
import { badge } from "./seats.js";
import { CELLS, SECTOR, quaysOf, typeOf, worldOf } from "./world.js";

/** @import { Json, Line, Mark, Picture, Piece, Region, RenderContext } from "../../types.js" */
/** @import { Plan } from "./draft/plan.js" */
/** @import { LandMarks } from "./marks.js" */
/** @import { World } from "./world.js" */

/** For each possible outcome of an attack, the kind of the attack's arrow. */
const ARROWS = { sure: "sure", maybe: "attack", hurts: "hurts" };

/** The texture of each type of land, as the name of a sign in layouts/map/signs.js. @type {Record<string, string>} */
const TEXTURES = { desert: "dune", forest: "tree", mountain: "peak", coastal: "wave", meadow: "grass" };

/** @param {RenderContext} context @returns {Picture} */
export function picture(context) {
  const { board } = context;
  const world = worldOf(board);
  const plan = planOf(context);
  const marks = marksOf(context);
  const regions = world.centres.map((cell, land) => region(board, world, land, cell, marks));
  return {
    width: SIDE,
    height: SIDE,
    pieces: regions.map((one, land) => piece(one, land, plan)),
    fields: context.me || context.match === "" ? [] : fieldsOf(board, world),
    marks: [],
    lines: [...lastArrows(context, world), ...plannedArrows(context, plan), ...borderLines(world)],
    stamp: String(board.ply ?? 0),
    waiting: waitingLands(context, plan).map((land) => world.centres[land]),
    map: { id: world.id, cells: world.cells, sector: SECTOR, regions },
  };
}

/**
 * Return the lands on which a pending command acts, so that the picture can mark them. Commands
 * come from buttons, so there is no pressed cell that the page could mark.
 * @param {RenderContext} context @param {Plan} plan @returns {number[]}
 */
function waitingLands({ pending, me }, { source, target, attacks }) {
  /** @type {Record<string, number[]>} */
  const lands = {
    ...{ chooseCapital: [source], reinforce: [source], buildPort: [source], capture: [target], move: [target] },
    attack: attacks.map(([, to]) => to),
  };
  const found = pending.flatMap(({ account, action }) => (account === me ? (lands[action] ?? []) : []));
  return [...new Set(found)].filter((land) => land >= 0);
}

/** Return the picture of a map without players, on which all lands are neutral. @param {Json} board @returns {Picture} */
export function mapPicture(board) {
  const world = worldOf(board);
  const none = { marks: new Map(), notes: new Map() };
  const regions = world.centres.map((cell, land) => region(board, world, land, cell, none));
  const nothing = { pieces: [], fields: [], marks: [], lines: [], stamp: "" };
  return { width: SIDE, height: SIDE, ...nothing, map: { id: world.id, cells: world.cells, sector: SECTOR, regions } };
}

/** @param {Json} board @param {World} world @param {number} land @param {number} cell @param {LandMarks} marks @returns {Region} */
function region(board, world, land, cell, { marks, notes }) {
  const seat = ownerOf(board, land);
  const type = typeOf(world, land);
  const { item, port } = board.lands?.[land] ?? {};
  const signs = [
    capitalOf(board, land) >= 0 && "crown",
    heroOn(board, land) >= 0 && "hero",
    world.graph.forts[land] && "fort",
    item && (item.fat ? "star" : "gift"),
  ].filter((name) => typeof name === "string");
  const count = board.lands?.[land] ? soldiersOf(board, land) : (world.graph.soldiers[land] ?? 0);
  return {
    ...{ cell, ground: type, texture: TEXTURES[type] ?? "", label: String(count), note: notes.get(land) ?? "", signs },
    ...(seat >= 0 ? badge(seat) : { colour: -1, shape: 0 }),
    ports: port ? quaysOf(world, land) : [],
    marks: marks.get(land) ?? [],
  };
}

/** @param {Region} region @param {number} land @param {Plan} plan @returns {Piece} */
const piece = ({ cell, colour, shape, label }, land, { source }) => ({
  ...{ id: `land-${land}`, cell, colour: Math.max(0, colour), shape, label },
  ...(colour < 0 ? { colour: NEUTRAL_COLOUR, shape: 0 } : {}),
  ...{ mine: false, sunk: false, selected: land === source, pending: false, text: label.padStart(2) },
});

const NEUTRAL_COLOUR = 7;

/** Return one field per cell, for output without lands' outlines, such as a terminal. @param {Json} board @param {World} world @returns {Mark[]} */
function fieldsOf(board, world) {
  const kinds = world.centres.map((_, land) => {
    const seat = ownerOf(board, land);
    return seat >= 0 ? `seat-${badge(seat).colour}` : typeOf(world, land) || "meadow";
  });
  return world.cells.map((land, cell) => ({ cell, kind: land < WATER ? kinds[land] : "water" }));
}

/** @param {RenderContext} context @param {Plan} plan @returns {Line[]} */
function plannedArrows({ board }, { source, target, attacks }) {
  const { centres } = worldOf(board);
  const chosen = target >= 0 && source >= 0 ? [{ from: centres[source], to: centres[target], kind: "chosen" }] : [];
  return [
    ...chosen,
    ...strikesOf(board, attacks).map((one, i) => ({
      from: centres[one.from],
      to: centres[one.to],
      kind: ARROWS[outcomeOf(board, one)],
      label: t(`conquest.arrow.${outcomeOf(board, one)}`, { range: rangeOf(one), n: soldiersOf(board, one.to) }),
      short: t(`conquest.arrow.short-${outcomeOf(board, one)}`, { range: rangeOf(one), n: soldiersOf(board, one.to) }),
      press: CELLS + i,
    })),
  ];
}

/** Return the borders between lands on a made-up map, which replaces an unknown real map. @param {World} world @returns {Line[]} */
function borderLines({ foreign, graph, centres }) {
  if (!foreign) return [];
  return graph.neighbours.flatMap((near, land) =>
    near
      .filter((other) => other > land)
      .map((other) => ({ from: centres[land], to: centres[other], kind: "border", hollow: true })),
  );
}
