/**
 * Derives an address's name and flag from the keccak256 hash of the address's 20 bytes. Byte 0 of
 * the hash selects the adjective, and byte 1 the animal. Byte 2 selects the flag's design, and
 * bytes 3 and 4 its colours. The words are the same as in `api/names/account_names.py`.
 */

import { ADDRESS } from "../lib/patterns.js";
import { getBytes } from "../lib/ethereum/bytes.js";
import { keccak256 } from "../lib/ethereum/hash.js";
import words from "./words.json" with { type: "json" };

/** The hashes that were computed so far. The key is the address in lower case. @type {Map<string, Uint8Array>} */
const counted = new Map();
const MAX_CACHED = 20_000;

/**
 * Return the hash of an address, which has 32 bytes. Upper-case and lower-case letters in the
 * address count as the same. @param {string} address @returns {Uint8Array}
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

/** Return the two words for an address, such as `Calm Ibis`, which are English in every language. @param {string} address */
export function wordsOf(address) {
  const [first, second] = hashOf(address);
  return `${words.adjectives[first]} ${words.animals[second]}`;
}

/** @param {unknown} value @returns {value is string} */
export const isAddress = (value) => typeof value === "string" && ADDRESS.test(value);
