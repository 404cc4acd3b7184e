/**
 * Derives the name and the flag of an address from the keccak256 hash of its 20 bytes. Byte 0
 * selects the adjective, and byte 1 the animal. Byte 2 selects the flag's shape, and bytes 3 and 4
 * its colours. The words are the same as in `api/names/account_names.py`.
 */

import { ADDRESS } from "../lib/patterns.js";
import { getBytes } from "../lib/ethereum/bytes.js";
import { keccak256 } from "../lib/ethereum/hash.js";
import words from "./words.json" with { type: "json" };

/** The cached hashes, by address. @type {Map<string, Uint8Array>} */
const counted = new Map();
const MAX_CACHED = 20_000;

/**
 * Return the 32 bytes of an address's hash. Upper-case and lower-case letters in the address are
 * equivalent. @param {string} address @returns {Uint8Array}
 */
export function hashOf(address) {
  const key = address.toLowerCase();
  const known = counted.get(key);
  if (known) return known;
  if (counted.size >= MAX_CACHED) counted.clear();
  const made = getBytes(keccak256(key));
  counted.set(key, made);
  return made;
}

/** Return the two words of an address, such as `Calm Ibis`. They are the same in all languages. @param {string} address */
export function wordsOf(address) {
  const [first, second] = hashOf(address);
  return `${words.adjectives[first]} ${words.animals[second]}`;
}

/** @param {unknown} value @returns {value is string} */
export const isAddress = (value) => typeof value === "string" && ADDRESS.test(value);
