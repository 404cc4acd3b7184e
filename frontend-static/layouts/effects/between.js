/**
 * Compares two pictures of a board, and finds what to animate between them: shots, arrows, a
 * winning line and a win. This module has no side effects.
 */

/** @import { Line, Mark, Picture } from "../../types.js" */

/**
 * @typedef {{part: number, from: number|undefined, to: number, hit: boolean, kind: string}} Shell
 *   A flying shell. `part`: the index of the picture's part where the shell lands, or 0 if the
 *   picture has no parts. `from`: the cell where the shell starts, or undefined if the shell comes
 *   from outside the board.
 */
/** @typedef {{shells: Shell[], arrows: Line[], wonLines: Line[], won: boolean}} Effects */

export const FLIGHT_MS = 350;
export const SPLASH_MS = 250;
const SHELL_INTERVAL_MS = 40;
/** The total time of a volley, from the first shot to the last splash, in milliseconds. */
const VOLLEY_MS = 800;
/**
 * The maximum number of shots in one move that come from outside the board. If a change has more,
 * it isn't a move: the viewer has jumped to a different event.
 */
const MAX_SHOTS_FROM_EDGE = 3;
const SHELL_MARKS = ["hit", "miss"];

/** @param {Picture} before @param {Picture} after @returns {Effects} */
export function effectsBetween(before, after) {
  const isNewMove = before.stamp !== after.stamp;
  return {
    shells: shellsBetween(before, after),
    arrows: after.map && isNewMove ? after.lines.filter(({ kind }) => kind === "last") : [],
    wonLines: after.lines.filter((line) => isWin(line) && !before.lines.some(isWin)),
    won: Boolean(after.won && !before.won),
  };
}

/** @param {Line} line */
const isWin = ({ kind }) => kind === "win";

/** @param {Picture} before @param {Picture} after @returns {Shell[]} */
export function shellsBetween(before, after) {
  if (before.width !== after.width || before.height !== after.height) return [];
  const sides = after.parts ?? [after];
  const shells = sides.flatMap((side, part) => {
    const old = before.parts ? before.parts[part] : before;
    const known = new Set(old && old.stamp === side.stamp ? old.marks.filter(isShellMark).map(keyOf) : []);
    const fallen = side.marks.filter((mark) => isShellMark(mark) && !known.has(keyOf(mark)));
    return fallen.map(({ cell, kind, from }) => ({ part, from, to: cell, kind, hit: kind === "hit" }));
  });
  return shells.filter(({ from }) => from === undefined).length > MAX_SHOTS_FROM_EDGE ? [] : shells;
}

/** @param {Mark} mark */
const isShellMark = ({ kind }) => SHELL_MARKS.includes(kind);

/** @param {Mark} mark */
const keyOf = ({ cell, kind }) => `${kind} ${cell}`;

/**
 * Return the times when the shells of a volley are fired, in milliseconds after the first shell.
 * @param {number} count @returns {number[]}
 */
export function delays(count) {
  const apart = Math.min(SHELL_INTERVAL_MS, (VOLLEY_MS - FLIGHT_MS - SPLASH_MS) / Math.max(1, count - 1));
  return Array.from({ length: count }, (_, i) => i * apart);
}
