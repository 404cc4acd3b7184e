/** The two hash functions that the project's contracts use. */

import * as Hash from "ox/Hash";
import { getBytes } from "./bytes.js";

/** @param {string|Uint8Array} value 0x hex, or bytes @returns {string} 32 bytes as 0x hex */
export const keccak256 = (value) => Hash.keccak256(getBytes(value), { as: "Hex" });

/** @param {string|Uint8Array} value 0x hex, or bytes @returns {string} 32 bytes as 0x hex */
export const sha256 = (value) => Hash.sha256(getBytes(value), { as: "Hex" });
