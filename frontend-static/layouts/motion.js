/**
 * Computes the motions of pieces that have faces, from one picture to the next. A piece rolls to a
 * neighbouring cell, and jumps to any other cell. This module has no side effects.
 */

import { middle } from "./geometry.js";
import { OPPOSITE, SIDES } from "./cube.js";

/** @import { Faces, Picture, Piece } from "../types.js" */
/** @import { Geometry } from "./geometry.js" */
/** @import { Side, Turning } from "./cube.js" */

const TURN_MS = 250;
const JUMP_MS = 250;
/** The growth of a piece at the highest point of its jump, as a fraction of its size. */
const LIFT = 0.22;

/** @typedef {{from: number, to: number, ahead?: Side, faces?: Faces}} Step A step of a moving piece. If `ahead` and `faces` are set, the piece starts with these faces and rolls towards the side `ahead`. Otherwise, it jumps. */
/** @typedef {{piece: Piece, steps: Step[]}} Motion */
/** @typedef {{x: number, y: number, scale: number, turning?: Turning}} Pose The position of a moving piece, in CSS pixels from its cell, and the state of its roll. */

/** @param {Faces} before @param {Faces} after @returns {Side|undefined} */
const turnedTo = (before, after) =>
  /** @type {Side[]} */ (Object.keys(SIDES)).find(
    (side) => after.up === before[OPPOSITE[side]] && after[side] === before.up && !isSame(before, after),
  );

/** @param {Faces} a @param {Faces} b */
const isSame = (a, b) => a.up === b.up && a.front === b.front && a.right === b.right;

/** Return the motions of pieces between two pictures. Pieces that roll off the board are included. @param {Picture} before @param {Picture} after @returns {Motion[]} */
export function motions(before, after) {
  const old = new Map(before.pieces.map((piece) => [piece.id, piece]));
  const remaining = after.pieces.flatMap((piece) => motionOf(old.get(piece.id), piece, after.width));
  const gone = (after.leaving ?? []).flatMap(({ id, cell }) => {
    const piece = after.pieces.some((one) => one.id === id) ? undefined : old.get(id);
    const ahead = piece && sideOf(piece.cell, cell, after.width);
    if (!piece?.faces || !ahead) return [];
    return motionOf(piece, { ...piece, cell, faces: turned(piece.faces, ahead), selected: false }, after.width);
  });
  return [...remaining, ...gone];
}

/** Return the side of a cell on which a neighbouring cell lies. @param {number} from @param {number} to @param {number} width */
const sideOf = (from, to, width) =>
  /** @type {Side[]} */ (Object.keys(SIDES)).find((side) => from + SIDES[side][0] + width * SIDES[side][1] === to);

/** Return a piece's faces after a roll. The face that was at the bottom is unknown, so it is "". @param {Faces} faces @param {Side} ahead @returns {Faces} */
const turned = (faces, ahead) => ({ ...faces, up: faces[OPPOSITE[ahead]], [ahead]: faces.up, [OPPOSITE[ahead]]: "" });

/** @param {Piece|undefined} from @param {Piece} piece @param {number} width @returns {Motion[]} */
function motionOf(from, piece, width) {
  if (!from?.faces || !piece.faces || from.cell === piece.cell) return [];
  const ahead = turnedTo(from.faces, piece.faces);
  if (!ahead) return [{ piece, steps: [{ from: from.cell, to: piece.cell }] }];
  const beside = from.cell + SIDES[ahead][0] + width * SIDES[ahead][1];
  const turn = { from: from.cell, to: beside, ahead, faces: from.faces };
  return [{ piece, steps: beside === piece.cell ? [turn] : [turn, { from: beside, to: piece.cell }] }];
}

/** @param {Step} step */
const lengthOf = ({ ahead }) => (ahead ? TURN_MS : JUMP_MS);

/**
 * Return the pose of a piece at a given time after the start of its motion. Return null if the
 * piece has arrived.
 * @param {Motion} motion @param {Geometry} geometry @param {number} elapsed in milliseconds @returns {Pose|null}
 */
export function poseAt({ piece, steps }, geometry, elapsed) {
  let begun = 0;
  for (const step of steps) {
    const share = (elapsed - begun) / lengthOf(step);
    if (share < 1) return pose(step, piece.cell, geometry, eased(Math.max(0, share)));
    begun += lengthOf(step);
  }
  return null;
}

/** @param {number} share */
const eased = (share) => (share < 0.5 ? 2 * share ** 2 : 1 - 2 * (1 - share) ** 2);

/** @param {Step} step @param {number} end @param {Geometry} geometry @param {number} progress @returns {Pose} */
function pose({ from, to, ahead, faces }, end, geometry, progress) {
  const [a, b, home] = [from, to, end].map((cell) => middle(geometry, cell));
  const [x, y] = [a.x + (b.x - a.x) * progress - home.x, a.y + (b.y - a.y) * progress - home.y];
  if (ahead && faces) return { x, y, scale: 1, turning: { faces, ahead, progress } };
  return { x, y, scale: 1 + LIFT * Math.sin(Math.PI * progress) };
}
