/**
 * Calculates a rating curve: a point for each match, and the labels of the vertical axis. This
 * module has no side effects.
 */

/** The rating of a player before the first match. */
export const START = 1500;
/**
 * The possible distances between two neighbouring labels, in rating points. The minimum is 10, so
 * that a small change of the rating looks small.
 */
const STEPS = [10, 20, 50, 100, 200, 500, 1000];
const MAX_TICKS = 4;

/** @typedef {object} Curve A rating curve. `x` is a fraction of the width, and `y` a fraction of the height from the top. @property {{x: number, y: number}[]} points one point per match @property {{rating: number, y: number}[]} ticks the labels, from the highest to the lowest @property {{x: number, y: number}[]} line the points of the line, which begins with the initial rating if all matches are known */

/** Return a few round ratings that cover the range from `low` to `high`, the highest rating first. @param {number} low @param {number} high */
export function ticksAround(low, high) {
  for (const step of STEPS) {
    const first = Math.floor(low / step) * step;
    const last = Math.max(Math.ceil(high / step) * step, first + step);
    const n = (last - first) / step + 1;
    if (n <= MAX_TICKS || step === STEPS.at(-1)) return Array.from({ length: n }, (_, i) => last - i * step);
  }
  return [];
}

/** @param {number[]} ratings the rating after each match, oldest first @param {boolean} isWhole true if `ratings` starts with the player's first match @returns {Curve} */
export function curveOf(ratings, isWhole) {
  const all = isWhole ? [START, ...ratings] : ratings;
  const ticks = ticksAround(Math.min(...all), Math.max(...all));
  const [top, bottom] = [ticks[0], ticks[ticks.length - 1]];
  const y = (/** @type {number} */ rating) => (top - rating) / (top - bottom);
  const last = Math.max(all.length - 1, 1);
  const line = all.map((rating, i) => ({ x: i / last, y: y(rating) }));
  return {
    points: isWhole ? line.slice(1) : line,
    ticks: ticks.map((rating) => ({ rating, y: y(rating) })),
    line,
  };
}

/** Return the index of the match with the point nearest to `x`, a fraction of the width. @param {Curve} curve @param {number} x */
export function nearest({ points }, x) {
  let found = 0;
  points.forEach((point, i) => {
    if (Math.abs(point.x - x) < Math.abs(points[found].x - x)) found = i;
  });
  return found;
}
