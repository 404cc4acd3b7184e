/** Decodes a contract view's answer to plain values, and finds where two such values differ. Pure. */

import { interfaceOf } from "../../lib/ethereum/abi.js";
import { canonical, isObject } from "../../lib/board.js";

/** @import { Json } from "../../types.js" */
/** @typedef {{path: string, claimed: any, actual: any}} Difference Two leaves that differ: `path`, such as `cells.4`; undefined: nothing is there. */

/** Whether the contract has such a view of a match. @param {readonly any[]} abi @param {string} name */
export const hasView = (abi, name) =>
  abi.some((entry) => entry.type === "function" && entry.name === name && entry.inputs.length === 1);

/** @param {readonly any[]} abi @param {string} name @param {string|number} match its number @returns {string} call data */
export const callData = (abi, name, match) => interfaceOf(abi).encodeFunctionData(name, [match]);

/** The one value that a view gave back: a struct as an object by its names. @param {readonly any[]} abi @param {string} name @param {string} answer 0x hex @returns {any} Throws where the answer is none of this view's. */
export function decodeResult(abi, name, answer) {
  return plain(interfaceOf(abi).decodeFunctionResult(name, answer)[0]);
}

/** Integers of more than 48 bits are decimal text, as everywhere here. @param {any} value @returns {any} */
export function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
  return typeof value === "bigint" ? String(value) : value;
}

/** The innermost differences of two objects. @param {any} claimed @param {any} actual @param {string} [path] @returns {Difference[]} */
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
