/**
 * Decodes the values that a contract's view functions return, and compares values. This module has
 * no side effects.
 */

import { interfaceOf } from "../../lib/ethereum/abi.js";
import { canonical, isObject } from "../../lib/board.js";

/** @import { Json } from "../../types.js" */
/** @typedef {{path: string, claimed: any, actual: any}} Difference A difference at a `path` such as `cells.4`, between the displayed value and the contract's value. A missing value is undefined. */

/** Return true if the contract has a view function with this name and a single argument, the match. @param {readonly any[]} abi @param {string} name */
export const hasView = (abi, name) =>
  abi.some((entry) => entry.type === "function" && entry.name === name && entry.inputs.length === 1);

/** @param {readonly any[]} abi @param {string} name @param {string|number} match the match's number @returns {string} the call data, as 0x hex */
export const callData = (abi, name, match) => interfaceOf(abi).encodeFunctionData(name, [match]);

/** Decode the value that a view function returns. A struct becomes an object. @param {readonly any[]} abi @param {string} name @param {string} answer 0x hex @returns {any} Throws if the function can't have returned this answer. */
export function decodeResult(abi, name, answer) {
  return plain(interfaceOf(abi).decodeFunctionResult(name, answer)[0]);
}

/** Convert integers of more than 48 bits to decimal text. Boards contain them in this form, too. @param {any} value @returns {any} */
export function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
  return typeof value === "bigint" ? String(value) : value;
}

/** Return the differences between two objects, down to the innermost values. @param {any} claimed @param {any} actual @param {string} [path] @returns {Difference[]} */
export function leafDifferences(claimed, actual, path = "") {
  if (!isObject(claimed) || !isObject(actual)) return same(claimed, actual) ? [] : [{ path, claimed, actual }];
  const keys = [...new Set([...Object.keys(claimed), ...Object.keys(actual)])].sort();
  return keys.flatMap((key) => leafDifferences(own(claimed, key), own(actual, key), path ? `${path}.${key}` : key));
}

/** @param {Json} object @param {string} key */
const own = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);

/** @param {any} one @param {any} other */
const same = (one, other) =>
  one === other || (one !== undefined && other !== undefined && canonical(one) === canonical(other));
