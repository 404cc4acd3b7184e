/** Converts between bytes and 0x hex. */

import * as Bytes from "ox/Bytes";
import * as Hex from "ox/Hex";

/** @param {string|Uint8Array} value 0x hex, or bytes @returns {Uint8Array} Throws if the text isn't hex. */
export function getBytes(value) {
  if (typeof value !== "string") return value;
  if (!isHexString(value)) throw new Error(`${value.slice(0, 20)} is not hex`);
  return Bytes.fromHex(value);
}

/** @param {Uint8Array} bytes @returns {string} */
export const hexlify = (bytes) => Hex.fromBytes(bytes);

/** Return true if the value is 0x hex with an even number of digits. @param {unknown} value @returns {value is `0x${string}`} */
export const isHexString = (value) => typeof value === "string" && /^0x([0-9a-f]{2})*$/i.test(value);

/** @param {string} text @returns {Uint8Array} */
export const toUtf8Bytes = (text) => Bytes.fromString(text);

/** @param {Uint8Array[]} parts @returns {Uint8Array} */
export const concat = (...parts) => Bytes.concat(...parts);

/** Return a number as JSON-RPC encodes it. @param {number|bigint} number @returns {`0x${string}`} */
export const toQuantity = (number) => Hex.fromNumber(number);

/** Return cryptographically secure random bytes, as 0x hex. @param {number} size @returns {string} */
export const randomHex = (size) => Hex.random(size);

/** Return the text in a 32-byte word that is padded with zeros. @param {string} word 32 bytes as 0x hex @returns {string} Throws. */
export const bytes32Text = (word) => Bytes.toString(Bytes.trimRight(getBytes(word)));
