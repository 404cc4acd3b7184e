/**
 * Finds the sunk ships. If the fleet is known, this module finds all of them. If the fleet is
 * sealed, it finds those that the answers to the shots prove to be sunk.
 */

import { LruMap } from "../../../lib/lru-map.js";
import { FLEET_TILES, POSITIONS, tilesOf } from "./fleet.js";

/** @import { Letter, PlacedShip } from "./fleet.js" */
/** @import { Answer } from "../shots.js" */

/** @typedef {Letter|"3"} ShipName The name of a ship. "3" is the submarine or the destroyer. Both have three tiles, so answers can't distinguish them. */
/**
 * @typedef {{ships: PlacedShip[], names: ShipName[], minimum: number}} Sunk
 *   `ships`: the sunk ships with known tiles. `names`: the names of all sunk ships, including those
 *   with uncertain tiles. `minimum`: the minimum number of sunk ships.
 */
/** @typedef {{ship: PlacedShip, name: ShipName, tiles: number[]}} Position */
/**
 * @typedef {{name: ShipName, length: number, hits: number, sunk: boolean, positions: Position[]}} Group
 *   All positions of a ship that cover the same hits. `hits` is a mask with one bit per hit.
 */

/**
 * The maximum number of steps in a search. If a search needs more steps, it stops without a result.
 * In 6000 simulated matches, no search took more than 561 steps.
 */
const MAX_STEPS = 2000;
const MISS = -1;
/**
 * Results of recent searches. The key is the list of answers to the shots at a sea. Each redraw
 * needs the same few results again.
 * @type {LruMap<string, Sunk>}
 */
const cache = new LruMap(16);

/** @type {Position[]} */
const ALL_POSITIONS = POSITIONS.flat()
  .filter(({ letter }) => letter !== "D")
  .map((ship) => ({ ship, name: ship.letter === "S" ? "3" : ship.letter, tiles: tilesOf(ship) }));

/** Return the sunk ships of a known fleet: those whose tiles are all hit. @param {PlacedShip[]} ships the fleet's ships, which must fit on the board @param {number[]} hits @returns {Sunk} */
export function sunkOf(ships, hits) {
  const sunk = ships.filter((ship) => tilesOf(ship).every((tile) => hits.includes(tile)));
  return { ships: sunk, names: sunk.map(({ letter }) => letter), minimum: sunk.length };
}

/**
 * Return the ships that the answers prove to be sunk: those that are sunk in every legal fleet that
 * agrees with the answers.
 * @param {[number, Answer][]} answers the answers to the shots at one sea @returns {Sunk}
 */
export function sunkBy(answers) {
  const key = answers.join();
  const sunk = cache.get(key) ?? inferSunk(answers);
  cache.set(key, sunk);
  return sunk;
}

/** @param {[number, Answer][]} answers @returns {Sunk} */
function inferSunk(answers) {
  const hits = answers.flatMap(([tile, answer]) => (answer === "hit" ? [tile] : []));
  const nothing = { ships: [], names: [], minimum: 0 };
  if (!hits.length || hits.length > FLEET_TILES) return nothing;
  const search = new FleetSearch(groupsOf(new Map(answers.map(([tile]) => [tile, MISS])), hits));
  search.search(2 ** hits.length - 1, FLEET_TILES);
  return (search.steps <= MAX_STEPS && search.known) || nothing;
}

/** @param {Map<number, number>} bits @param {number[]} hits @returns {Group[]} */
function groupsOf(bits, hits) {
  hits.forEach((tile, i) => bits.set(tile, 2 ** i));
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const position of ALL_POSITIONS) {
    const { name, tiles } = position;
    const covered = tiles.map((tile) => bits.get(tile) ?? 0);
    if (covered.includes(MISS)) continue;
    const sum = covered.reduce((all, bit) => all + bit, 0);
    const group = groups.get(`${name} ${sum}`);
    if (group) group.positions.push(position);
    else
      groups.set(`${name} ${sum}`, {
        name,
        length: tiles.length,
        hits: sum,
        sunk: !covered.includes(0),
        positions: [position],
      });
  }
  // Try ships that are still afloat first, because they rule out more statements about sunk ships.
  return [...groups.values()].sort((a, b) => Number(a.sunk) - Number(b.sunk));
}

/**
 * A search through the fleets that agree with the answers. The search keeps only the statements
 * about sunk ships that are true of every fleet found so far.
 */
class FleetSearch {
  steps = 0;
  /** The statements about sunk ships that are true of all fleets found so far. @type {Sunk|null} */
  known = null;
  /** The ships placed so far in the current fleet, each on at least one hit. @type {Group[]} */
  placed = [];
  /** The number of ships of each kind that still have to be placed. @type {Record<string, number>} */
  left = { P: 1, 3: 2, B: 1, C: 1 };

  /** @param {Group[]} groups */
  constructor(groups) {
    this.groups = groups;
  }

  /** @param {number} open a bit mask of the hits on which no ship is placed yet @param {number} tilesLeft the number of tiles in the ships that aren't placed yet */
  search(open, tilesLeft) {
    if (this.steps++ > MAX_STEPS || this.isKnown()) return;
    if (!open) {
      const fleet = this.fleet();
      if (fleet && this.fits(fleet)) this.recordFleet();
      return;
    }
    for (const group of this.candidates(open)) {
      const rest = open & ~group.hits;
      if (bitsOf(rest).length > tilesLeft - group.length) continue;
      this.left[group.name]--;
      this.placed.push(group);
      this.search(rest, tilesLeft - group.length);
      this.placed.pop();
      this.left[group.name]++;
    }
  }

  /**
   * Among the hits without a ship, choose the hit that the fewest groups can cover, and return
   * those groups. @param {number} open
   */
  candidates(open) {
    const all = this.groups.filter(({ name, hits }) => hits && this.left[name] && (hits & open) === hits);
    const ways = Array(FLEET_TILES).fill(0);
    for (const { hits } of all) for (const bit of bitsOf(hits)) ways[bit]++;
    const rarest = bitsOf(open).reduce((best, bit) => (ways[bit] < ways[best] ? bit : best));
    return all.filter(({ hits }) => hits & (1 << rarest));
  }

  /**
   * Return the whole fleet: the placed ships, and the remaining ships on tiles without a hit.
   * Return null if one of the remaining ships has no position without a hit.
   * @returns {Group[]|null}
   */
  fleet() {
    const unhit = Object.entries(this.left).flatMap(([name, n]) =>
      Array(n).fill(this.groups.find((group) => group.name === name && !group.hits)),
    );
    // Try the ships with the fewest positions first, because the search then fails sooner.
    return unhit.includes(undefined)
      ? null
      : [...this.placed, ...unhit].sort((a, b) => a.positions.length - b.positions.length);
  }

  /** Return true if the ships in a fleet can all be placed without overlapping. @param {Group[]} fleet @param {Set<number>} [taken] @returns {boolean} */
  fits([first, ...others], taken = new Set()) {
    return (
      !first ||
      first.positions.some(
        ({ tiles }) =>
          this.steps++ <= MAX_STEPS &&
          !tiles.some((tile) => taken.has(tile)) &&
          this.fits(others, new Set([...taken, ...tiles])),
      )
    );
  }

  /** Return the sunk ships among the placed ships. @returns {Sunk} */
  sunk() {
    const sunk = this.placed.filter((group) => group.sunk);
    return {
      ships: sunk.map(({ positions }) => positions[0].ship),
      names: sunk.map(({ name }) => name),
      minimum: sunk.length,
    };
  }

  /**
   * Return true if the placed ships alone already make all the known statements true. Adding more
   * ships then can't disprove any of these statements.
   */
  isKnown() {
    if (!this.known) return false;
    const { ships, names, minimum } = intersection(this.known, this.sunk());
    const { known } = this;
    return minimum === known.minimum && names.length === known.names.length && ships.length === known.ships.length;
  }

  recordFleet() {
    const sunk = this.sunk();
    this.known = this.known ? intersection(this.known, sunk) : sunk;
  }
}

/** @param {Sunk} a @param {Sunk} b @returns {Sunk} */
const intersection = (a, b) => ({
  ships: a.ships.filter((ship) => b.ships.includes(ship)),
  names: without(a.names, without(a.names, b.names)),
  minimum: Math.min(a.minimum, b.minimum),
});

/**
 * Return a list without the elements in `others`. Each element of `others` removes at most one
 * equal element.
 * @template T @param {T[]} all @param {T[]} others @returns {T[]}
 */
export function without(all, others) {
  const rest = [...others];
  return all.filter((one) => {
    const i = rest.indexOf(one);
    if (i >= 0) rest.splice(i, 1);
    return i < 0;
  });
}

/** Return the numbers of the bits that are set in a mask, the lowest bit first. @param {number} mask */
function bitsOf(mask) {
  const bits = [];
  for (let rest = mask; rest; rest &= rest - 1) bits.push(31 - Math.clz32(rest & -rest));
  return bits;
}
