/** Converts between bytes, texts, numbers and 0x hex. */

import * as Bytes from "ox/Bytes";
import * as Hex from "ox/Hex";

/** @param {string|Uint8Array} value 0x hex, or bytes @returns {Uint8Array} Throws if the text isn't 0x hex. */
export function getBytes(value) {
  if (typeof value !== "string") return value;
  if (!isHexString(value)) throw new Error(`${value.slice(0, 20)} is not hex`);
  return Bytes.fromHex(value);
}

/** @param {Uint8Array} bytes @returns {string} */
export const hexlify = (bytes) => Hex.fromBytes(bytes);

/** Return true if a value is a text in 0x hex with an even number of digits. @param {unknown} value @returns {value is `0x${string}`} */
export const isHexString = (value) => typeof value === "string" && /^0x([0-9a-f]{2})*$/i.test(value);

/** @param {string} text @returns {Uint8Array} */
export const toUtf8Bytes = (text) => Bytes.fromString(text);

/** @param {Uint8Array[]} parts @returns {Uint8Array} */
export const concat = (...parts) => Bytes.concat(...parts);

/** Return a number in the format of JSON-RPC, which is 0x hex without leading zeros. @param {number|bigint} number @returns {`0x${string}`} */
export const toQuantity = (number) => Hex.fromNumber(number);

/** Return cryptographically secure random bytes as 0x hex. `size` is the number of bytes. @param {number} size @returns {string} */
export const randomHex = (size) => Hex.random(size);

/** Return the text in a 32-byte word that ends with zero bytes. @param {string} word 32 bytes as 0x hex @returns {string} Throws if the word isn't 0x hex. */
export const bytes32Text = (word) => Bytes.toString(Bytes.trimRight(getBytes(word)));
