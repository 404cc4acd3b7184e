/** The accounts that computers play with, and how well they play: easy, medium or hard. */

/** @import { Opponent } from "../types.js" */

/** The keys of their levels, by their addresses. @type {ReadonlyMap<string, string>} */
export let computers = new Map();

/** The same levels stay the same map: who keeps sentences sees whether they are still right. @param {ReadonlyMap<string, string>} levels */
export function setComputers(levels) {
  if (String([...levels]) !== String([...computers])) computers = levels;
}

/** The key of a level: the weakest of a game is easy, the strongest of several hard. @param {Opponent[]} list of one game, the weakest first @param {string} name */
export function levelKey(list, name) {
  const index = list.findIndex((one) => one.name === name);
  if (index < 0) return "level.away";
  if (index === 0) return "level.easy";
  return index === list.length - 1 ? "level.hard" : "level.medium";
}

/** By account. @param {Opponent[]} list of all games */
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
