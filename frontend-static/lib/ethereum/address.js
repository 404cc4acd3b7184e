/** Checks and computes the checksums of addresses. https://eips.ethereum.org/EIPS/eip-55 */

import * as Address from "ox/Address";
import { ADDRESS } from "../patterns.js";

export const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";

/** Return an address in its checksummed form, which mixes upper and lower case. @param {string} address @returns {string} Throws if the text isn't an address or if its checksum is invalid. */
export function getAddress(address) {
  if (!isAddress(address)) throw new Error(`${address.slice(0, 50)} is not an address`);
  return Address.checksum(address);
}

/**
 * Return true if a text is an address. If the text mixes upper and lower case, the checksum must be
 * valid. Otherwise, the address has no checksum. @param {string} text @returns {boolean}
 */
export function isAddress(text) {
  if (!ADDRESS.test(text)) return false;
  const digits = text.slice(2);
  return [digits.toLowerCase(), digits.toUpperCase(), Address.checksum(text).slice(2)].includes(digits);
}
