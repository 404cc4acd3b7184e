/** A contract's interface, parsed once for each ABI: that takes milliseconds, and views ask at each drawing. */

import { Interface } from "../vendor/ethers.min.js";

/** @type {WeakMap<any[], Interface>} */
const parsed = new WeakMap();

/** @param {any[]} abi @returns {Interface} */
export function interfaceOf(abi) {
  const known = parsed.get(abi) ?? new Interface(abi);
  parsed.set(abi, known);
  return known;
}
