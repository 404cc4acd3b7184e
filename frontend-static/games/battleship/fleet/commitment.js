/**
 * Computes the commitment to a fleet: the sha256 hash of a list of the fleet's text and a nonce.
 * The list is encoded in the bipf format (https://github.com/ssbc/bipf-spec).
 */

import { concat, getBytes, hexlify, randomHex, toUtf8Bytes } from "../../../lib/ethereum/bytes.js";
import { sha256 } from "../../../lib/ethereum/hash.js";

const STRING = 0;
const BUFFER = 1;
const LIST = 4;
const NONCE_BYTES = 32;

/** Encode a number as unsigned LEB128: seven bits per byte, starting with the lowest bits. @param {number} value */
function varint(value) {
  const bytes = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return Uint8Array.from([...bytes, value]);
}

/** @param {number} type @param {Uint8Array} body */
const tagged = (type, body) => concat(varint((body.length << 3) | type), body);

/** Return the bytes whose hash is the commitment to a fleet. @param {string|Uint8Array} fleet a text, or bytes that are not valid text @param {string} nonce in hexadecimal, with 0x @returns {string} in hexadecimal, with 0x */
export function bipf(fleet, nonce) {
  const items = concat(
    tagged(STRING, typeof fleet === "string" ? toUtf8Bytes(fleet) : fleet),
    tagged(BUFFER, getBytes(nonce)),
  );
  return hexlify(tagged(LIST, items));
}

/** @param {string|Uint8Array} fleet @param {string} nonce in hexadecimal, with 0x @returns {string} 32 bytes in hexadecimal, with 0x */
export const commitmentOf = (fleet, nonce) => sha256(bipf(fleet, nonce));

/**
 * Return a random nonce from the operating system's generator. Without a nonce, anyone could find
 * the fleet by hashing all 2^35 possible fleets.
 */
export const newNonce = () => randomHex(NONCE_BYTES);
