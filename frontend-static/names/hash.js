/**
 * What an address is known by, from the keccak256 of its 20 bytes. Byte 0: the adjective, byte 1: the animal; byte 2: the shape of
 * the flag, bytes 3 and 4: its two colours. `api/names/account_names.py` counts the same words.
 */

import { ADDRESS } from "../lib/patterns.js";
import { getBytes } from "../lib/ethereum/bytes.js";
import { keccak256 } from "../lib/ethereum/hash.js";
import words from "./words.json" with { type: "json" };

/** Counted once for each address. @type {Map<string, Uint8Array>} */
const counted = new Map();
const KEPT = 20_000;

/** The 32 bytes; `address` in any case of its letters. @param {string} address @returns {Uint8Array} */
export function hashOf(address) {
  const key = address.toLowerCase();
  const known = counted.get(key);
  if (known) return known;
  if (counted.size >= KEPT) counted.clear();
  const made = getBytes(keccak256(key));
  counted.set(key, made);
  return made;
}

/** The two words alone, the same in each language: `Calm Ibis`. @param {string} address */
export function wordsOf(address) {
  const [first, second] = hashOf(address);
  return `${words.adjectives[first]} ${words.animals[second]}`;
}

/** @param {unknown} value @returns {value is string} */
export const isAddress = (value) => typeof value === "string" && ADDRESS.test(value);
