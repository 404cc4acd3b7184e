/** Checks addresses and their checksums. https://eips.ethereum.org/EIPS/eip-55 */

import * as Address from "ox/Address";
import { ADDRESS } from "../patterns.js";

export const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";

/** Return an address in its checksummed form. @param {string} address @returns {string} Throws if it isn't an address or its checksum is wrong. */
export function getAddress(address) {
  if (!isAddress(address)) throw new Error(`${address.slice(0, 50)} is not an address`);
  return Address.checksum(address);
}

/**
 * Return true if the text is an address whose checksum is right or missing. If all letters have the
 * same case, there is no checksum. @param {string} text @returns {boolean}
 */
export function isAddress(text) {
  if (!ADDRESS.test(text)) return false;
  const digits = text.slice(2);
  return [digits.toLowerCase(), digits.toUpperCase(), Address.checksum(text).slice(2)].includes(digits);
}
