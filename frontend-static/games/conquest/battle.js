/**
 * The arithmetic of Conquest's battles: reach, strength and damage. Strengths are in twentieths of
 * a soldier. This module has no side effects.
 */

import { shoresOf } from "./world.js";

/** @import { Json } from "../../types.js" */
/** @import { World } from "./world.js" */

export const UNIT = 20;
const HERO = 4;
const SEA = 2;
/** The limits of luck, in percent. Luck changes an attack's damage. */
const LUCK = { low: 80, high: 120 };
/** The numbers of the items, as in the contract. */
export const DISTANT = 1;
const FULL = 2;
export const MAX_PAIRS = 16;

/**
 * @typedef {{from: number, to: number, attack20: number, needed20: number, divisor: number, isSea: boolean}} Strike
 *   One of the attacks that are launched together. The strengths are in twentieths of a soldier. At
 *   a luck of 100 %, the damage is the excess of `attack20` over `needed20`, divided by `divisor`.
 */

/** @param {Json} board @param {number} land */
export const soldiersOf = ({ lands = {} }, land) => lands[land]?.soldiers ?? 0;

/** @param {Json} board @param {number} land @returns {number} the seat of the land's owner, or -1 if there is none */
export const ownerOf = ({ lands = {} }, land) => lands[land]?.owner ?? -1;

/** @param {Json} board @param {number} seat @returns {number[]} ascending */
export const landsOf = ({ lands = {} }, seat) =>
  Object.keys(lands)
    .map(Number)
    .filter((land) => lands[land].owner === seat);

/** Return the total number of a seat's soldiers. @param {Json} board @param {number} seat */
export const armyOf = (board, seat) => landsOf(board, seat).reduce((sum, land) => sum + soldiersOf(board, land), 0);

/** @param {Json} board @param {number} item @returns {boolean} true if the item was used in this turn */
export const hasUsed = ({ used = [] }, item) => used.includes(item);

/** @param {Json} board @param {number} land @returns {boolean} */
const isCapital = ({ seats = {} }, land) =>
  Object.values(seats).some(({ alive, capital }) => alive && capital === land);

/** Return the seat whose capital is on this land, or -1 if there is none. @param {Json} board @param {number} land */
export const capitalOf = ({ seats = {} }, land) =>
  Number(Object.keys(seats).find((seat) => seats[seat].alive && seats[seat].capital === land) ?? -1);

/** Return the seat whose hero is on this land, or -1 if there is none. @param {Json} board @param {number} land */
export const heroOn = ({ seats = {} }, land) =>
  Number(Object.keys(seats).find((seat) => seats[seat].alive && seats[seat].hero === land) ?? -1);

/** @param {World} world @param {Json} board @param {number} from @param {number} to @returns {"land"|"sea"|""} "" if the lands are not connected */
export function connection(world, board, from, to) {
  if (from === to) return "";
  if (world.graph.neighbours[from]?.includes(to)) return "land";
  if (!board.lands?.[from]?.port) return "";
  const shores = shoresOf(world, to);
  return shoresOf(world, from).some((body) => shores.includes(body)) ? "sea" : "";
}

/** Return the strength of a land: that of its soldiers plus the hero's contribution. @param {Json} board @param {number} land */
export function attack20(board, land) {
  const seat = heroOn(board, land);
  return UNIT * soldiersOf(board, land) + (seat >= 0 ? HERO * armyOf(board, seat) : 0);
}

/**
 * Return the defence of a land: its own strength, plus the strength of the connected lands that
 * have the same owner. Lands that are connected by sea count half.
 * @param {World} world @param {Json} board @param {number} land
 */
export function defence20(world, board, land) {
  const owner = ownerOf(board, land);
  if (owner < 0) return 0;
  return landsOf(board, owner).reduce((sum, other) => {
    if (other === land) return sum + attack20(board, other);
    const way = connection(world, board, other, land);
    return sum + (way === "land" ? attack20(board, other) : way === "sea" ? attack20(board, other) / SEA : 0);
  }, 0);
}

/**
 * Return how an army can get from one land to another: by land, by sea, or not at all. Item 1
 * allows one attack between lands that are not connected.
 * @param {World} world @param {Json} board @param {number} from @param {number} to @param {boolean} [free] true if item 1 is still available
 */
export function routeBetween(world, board, from, to, free = true) {
  const way = connection(world, board, from, to);
  if (way || from === to || !free || !hasUsed(board, DISTANT) || isCapital(board, to)) return way;
  return "distant";
}

/** @param {World} world @param {Json} board @param {number} from @param {number} to @param {number} launched the number of attacks that are launched together @returns {Strike} */
export function strike(world, board, from, to, launched) {
  const isSea = connection(world, board, from, to) === "sea";
  const divisor = (hasUsed(board, FULL) ? 1 : launched) * (isSea ? SEA : 1);
  return {
    ...{ from, to, divisor, isSea },
    attack20: attack20(board, from),
    needed20: defence20(world, board, to) * divisor,
  };
}

/** Return true if the attack is stronger than the defence. Equal strength is not enough. @param {Strike} strike */
export const isStronger = ({ attack20: own, needed20 }) => own > needed20;

/** Return the number of soldiers that the defender loses in an attack. @param {Pick<Strike, "attack20"|"needed20"|"divisor">} strike @param {number} luck in percent */
export const damage = ({ attack20: own, needed20, divisor }, luck) =>
  Math.max(0, Math.floor(((own - needed20) * luck) / (2000 * divisor)));

/**
 * Return the possible outcome of an attack: the land falls even with bad luck, the land falls only
 * with good luck, or the land only loses soldiers.
 * @param {Json} board @param {Strike} one @returns {"sure"|"maybe"|"hurts"}
 */
export function outcomeOf(board, one) {
  const n = soldiersOf(board, one.to);
  return damage(one, LUCK.low) >= n ? "sure" : damage(one, LUCK.high) >= n ? "maybe" : "hurts";
}

/** Return the range of soldiers that the land can lose, such as `27–41`. @param {Strike} one */
export function rangeOf(one) {
  const [low, high] = [damage(one, LUCK.low), damage(one, LUCK.high)];
  return low === high ? String(low) : `${low}–${high}`;
}

/**
 * Return the divisor of a battle's strengths: the number of attacks that were launched together,
 * doubled for an attack by sea. The battle's event doesn't contain the divisor, so this function
 * derives it from the damage.
 * @param {World} world @param {Json} battle the arguments of the battle's event @param {number} launched the number of attacks that are known to have been launched together
 */
export function divisorOf({ graph }, { from, to, attack20: own, needed20, luck, damage: done }, launched) {
  const isNear = graph.neighbours[from]?.includes(to);
  const isSea = !isNear && graph.bodies.some((lands) => lands.includes(from) && lands.includes(to));
  const shares = [launched, ...Array.from({ length: MAX_PAIRS }, (_, i) => i + 1)];
  const divisors = [...(isSea ? shares.map((n) => SEA * n) : []), ...shares];
  const fits = (/** @type {number} */ divisor) =>
    needed20 % divisor === 0 && damage({ attack20: own, needed20, divisor }, luck) === done;
  return divisors.find(fits) ?? divisors[0];
}

/** Convert twentieths of a soldier to soldiers, as text: `23`, `23.5`. @param {number} twentieths @param {number} [divisor] */
export const soldiersText = (twentieths, divisor = 1) => String(Math.round((10 * twentieths) / UNIT / divisor) / 10);

/**
 * Return a seat's strongest attack on a land, or null if no attack by the seat can reach the land.
 * `launched` is the number of attacks that are launched together.
 * @param {World} world @param {Json} board @param {number} seat @param {number} to @param {number} [launched]
 */
export function bestStrike(world, board, seat, to, launched = 1) {
  const strikes = landsOf(board, seat)
    .filter((from) => routeBetween(world, board, from, to))
    .map((from) => strike(world, board, from, to, launched));
  const value = (/** @type {Strike} */ one) => (one.attack20 - one.needed20) / one.divisor;
  return strikes.reduce(
    (best, one) => (best && value(best) >= value(one) ? best : one),
    /** @type {Strike|null} */ (null),
  );
}
