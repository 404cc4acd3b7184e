/**
 * Summarizes, in one line, what a player did in the turn that has just ended. This module has no
 * side effects.
 */

import { t } from "../../../i18n/translate.js";
import { worldOf } from "../world.js";
import { bytesOf, pairsOf } from "./last-command.js";

/** @import { ChainEvent, Json } from "../../../types.js" */

const NOBODY = 255;
const [REINFORCE, PORT, PASS, ATTACK, MOVE, ITEM] = [1, 2, 3, 5, 6, 7];
const [ONLY_PHASE, FORCED] = [1, 2];

/** @param {ChainEvent} event */
const beginsTurn = ({ name, args }) => name === "Phase" && args.phase === 0;

/**
 * Return the events of the turn that the last command ended. Return an empty list if the last
 * command didn't end a turn.
 * @param {ChainEvent[]} events the events up to the event that led to the board @returns
 * {ChainEvent[]}
 */
function turnOf(events) {
  const end = events.findLastIndex(({ name }) => name === "Commanded");
  if (end < 0 || ![PASS, MOVE].includes(events[end].args.kind)) return [];
  if (events[end].args.kind === PASS && bytesOf(events[end].args.data)[0] === ONLY_PHASE) return [];
  const begin = events.slice(0, end).findLastIndex(beginsTurn);
  return begin < 0 ? [] : events.slice(begin, end + 1);
}

/**
 * Return the parts of a turn's summary, such as `captured G4`. Lands are named by their
 * coordinates.
 * @param {Json} board @param {ChainEvent[]} events the known events @param {number} [seq] the board's event number @returns {string[]}
 */
export function turnParts(board, events, seq = Infinity) {
  const turn = turnOf(events.filter((event) => event.seq <= seq));
  const { names } = worldOf(board);
  const part = (/** @type {string} */ key, /** @type {Json} */ args = {}) => t(`conquest.turn.${key}`, args);
  return turn.flatMap(({ name, args }, i) => {
    if (name !== "Commanded") return [];
    const data = bytesOf(args.data);
    const at = { land: names[data[0]], to: names[data[1]] };
    if (args.kind === PASS && data[0] === FORCED) return [part("late")];
    if (args.kind === REINFORCE) return [part("reinforced", at)];
    if (args.kind === PORT) return [part("port", at)];
    if (args.kind === ITEM) return [part("item")];
    if (args.kind === MOVE) return [part("moved", at)];
    return args.kind === ATTACK ? [attackPart(turn.slice(i + 1), pairsOf(data, "attack"), names, part)] : [];
  });
}

/** @param {ChainEvent[]} after @param {[number, number][]} pairs @param {string[]} names @param {(key: string, args: Json) => string} part */
function attackPart(after, pairs, names, part) {
  const isCapture = after[0]?.name === "LandsTaken" && after[0].args.from === NOBODY;
  const [taken, held] = [true, false].map((conquered) =>
    pairs.filter(([from, to]) =>
      after.some(
        ({ name, args }) =>
          name === "BattleResolved" && args.from === from && args.to === to && args.conquered === conquered,
      ),
    ),
  );
  const listed = (/** @type {[number, number][]} */ some) => [...new Set(some.map(([, to]) => names[to]))].join(", ");
  if (isCapture) return part("captured", { list: listed(pairs) });
  return [
    ...(taken.length ? [part("took", { list: listed(taken) })] : []),
    ...(held.length || !taken.length ? [part("attacked", { list: listed(held.length ? held : pairs) })] : []),
  ].join(", ");
}
