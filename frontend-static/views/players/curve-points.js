/** A rating's curve as numbers: where its matches lie, and which ratings are written beside it. Pure. */

/** The rating before the first match. */
export const START = 1500;
/** What is between two written ratings, at least: a new player's curve is not drawn as a mountain range. */
const STEPS = [10, 20, 50, 100, 200, 500, 1000];
const MOST_TICKS = 4;

/**
 * @typedef {object} Curve All places are parts of the whole width, and of the height from the top.
 * @property {{x: number, y: number}[]} points of each match
 * @property {{rating: number, y: number}[]} ticks from the highest to the lowest
 * @property {{x: number, y: number}[]} line through all points, from the start where that is known
 */

/** Round ratings around these, few. @param {number} low @param {number} high */
export function ticksAround(low, high) {
  for (const step of STEPS) {
    const first = Math.floor(low / step) * step;
    const last = Math.max(Math.ceil(high / step) * step, first + step);
    const n = (last - first) / step + 1;
    if (n <= MOST_TICKS || step === STEPS.at(-1)) return Array.from({ length: n }, (_, i) => last - i * step);
  }
  return [];
}

/** @param {number[]} ratings after each match, the first one first @param {boolean} isWhole whether no earlier match is left out @returns {Curve} */
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

/** Which match is nearest to a part of the width. @param {Curve} curve @param {number} x */
export function nearest({ points }, x) {
  let found = 0;
  points.forEach((point, i) => {
    if (Math.abs(point.x - x) < Math.abs(points[found].x - x)) found = i;
  });
  return found;
}
