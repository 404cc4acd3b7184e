/** The accounts of computer players and their levels: easy, medium or hard. */

/** @import { Opponent } from "../types.js" */

/** The message key of each computer player's level, by address. @type {ReadonlyMap<string, string>} */
export let computers = new Map();

/**
 * Set the levels. If they haven't changed, keep the old map object, because caches of sentences
 * compare it. @param {ReadonlyMap<string, string>} levels
 */
export function setComputers(levels) {
  if (String([...levels]) !== String([...computers])) computers = levels;
}

/**
 * Return the message key of a computer player's level. A game's weakest computer player is easy. If
 * there are several, the strongest one is hard. @param {Opponent[]} list a game's computer players, weakest first @param {string} name
 */
export function levelKey(list, name) {
  const index = list.findIndex((one) => one.name === name);
  if (index < 0) return "level.away";
  if (index === 0) return "level.easy";
  return index === list.length - 1 ? "level.hard" : "level.medium";
}

/** Return the message key of each computer account's level, by address. @param {Opponent[]} list the computer players of all games */
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
