/** The accounts of the computer players, and the level of each: easy, medium or hard. */

/** @import { Opponent } from "../types.js" */

/** For the address of each computer player, the message key of the player's level. @type {ReadonlyMap<string, string>} */
export let computers = new Map();

/**
 * Set the levels of the computer players. If they haven't changed, keep the old map, because cached
 * sentences are outdated as soon as the map is a different object. @param {ReadonlyMap<string, string>} levels
 */
export function setComputers(levels) {
  if (String([...levels]) !== String([...computers])) computers = levels;
}

/**
 * Return the message key of a computer player's level. A game's weakest computer player is easy. If
 * there are several, the strongest one is hard, and all others are medium. @param {Opponent[]} list a game's computer players, the weakest first @param {string} name
 */
export function levelKey(list, name) {
  const index = list.findIndex((one) => one.name === name);
  if (index < 0) return "level.away";
  if (index === 0) return "level.easy";
  return index === list.length - 1 ? "level.hard" : "level.medium";
}

/** Return a map from the address of each computer player to the message key of the player's level. @param {Opponent[]} list the computer players of all games */
export function levelsOf(list) {
  const levelOf = (/** @type {Opponent} */ { game, name }) =>
    levelKey(
      list.filter((one) => one.game === game),
      name,
    );
  return new Map(
    list.flatMap((one) => one.accounts.map(({ address }) => /** @type {const} */ ([address, levelOf(one)]))),
  );
}
