/** A contract's interface, parsed once for each ABI: that takes milliseconds, and views ask at each drawing. */

import { Interface } from "../vendor/ethers-abi.js";

/** @import { Action, GameInfo } from "../types.js" */

/** @type {WeakMap<any[], Interface>} */
const parsed = new WeakMap();

/** @param {any[]} abi @returns {Interface} */
export function interfaceOf(abi) {
  const known = parsed.get(abi) ?? new Interface(abi);
  parsed.set(abi, known);
  return known;
}

/** Whether an action opens a match rather than plays in one. @param {Pick<GameInfo, "abi">} game @param {Pick<Action, "signature">} action */
export const opens = ({ abi }, { signature }) =>
  !interfaceOf(abi)
    .getFunction(signature)
    ?.inputs.some(({ name }) => name === "matchId");

/** Words of the call data of a function: one an argument, an array's as many as it has, and three for what has no fixed length. @param {string} signature */
export function wordsOf(signature) {
  const types = signature
    .slice(signature.indexOf("(") + 1, -1)
    .split(",")
    .filter(Boolean);
  const words = types.map((type) => {
    const [, length] = type.match(/\[(\d*)\]$/) ?? [];
    return length ? Number(length) : length === "" || ["bytes", "string"].includes(type) ? 3 : 1;
  });
  return words.reduce((sum, n) => sum + n, 0);
}
