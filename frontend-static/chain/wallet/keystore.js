/** Parses private keys and keystore files. The texts of the errors are written for players. */

import { isObject } from "../../lib/board.js";
import { attempt } from "../../lib/storage.js";
import { TextError } from "../../lib/text-error.js";

/** @import { Json } from "../../types.js" */

const DIGITS = 64;
const MAX_BYTES = 65_536;
/**
 * The limits for deriving a file's encryption key. The memory limit is 512 MB, twice the memory
 * that geth's files need. Hashing takes a minute at most.
 */
const MAX_MEMORY = 2 ** 29;
const MAX_ROUNDS = 2 ** 24;
export const MIN_PASSWORD = 8;

/** The order of the curve secp256k1. Private keys are smaller. https://www.secg.org/sec2-v2.pdf */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage/ */
const VERSION = 3;

/** Thrown if a private key or a keystore file is invalid. The text explains the reason. */
export class BadKey extends TextError {}

/** @param {string} text a private key, as the player has typed or pasted it @returns {string} 32 bytes as 0x hex. Throws BadKey. */
export function keyOf(text) {
  const digits = text.trim().replace(/^0x/i, "").toLowerCase();
  if (!/^[0-9a-f]+$/.test(digits)) throw new BadKey("account.key-not-hex");
  if (digits.length !== DIGITS) throw new BadKey("account.key-length", { n: digits.length });
  const number = BigInt(`0x${digits}`);
  if (number === 0n) throw new BadKey("account.key-zero");
  if (number >= ORDER) throw new BadKey("account.key-high");
  return `0x${digits}`;
}

/**
 * Parse a keystore file (Web3 Secret Storage, version 3). Convert the names of its members to lower
 * case. Throws BadKey if the text isn't a keystore file, or if deriving its encryption key takes
 * too much memory or time. @param {string} text @returns {Json}
 */
export function checkKeystore(text) {
  const file = text.length > MAX_BYTES ? {} : parsed(text);
  if (file.version !== VERSION || !file.crypto) throw new BadKey("account.keystore-broken");
  const { n = 1, r = 1, p = 1, c = 1 } = file.crypto.kdfparams ?? {};
  const numbers = [n, r, p, c].map(Number);
  if (!numbers.every((one) => Number.isSafeInteger(one) && one > 0)) throw new BadKey("account.keystore-broken");
  if (128 * numbers[0] * numbers[1] > MAX_MEMORY || numbers.reduce((product, one) => product * one) > MAX_ROUNDS)
    throw new BadKey("account.keystore-heavy");
  return file;
}

/**
 * Parse JSON, and convert the names of all members to lower case, because some old files use
 * capitals. @param {string} text @returns {Json}
 */
const parsed = (text) => attempt(() => JSON.parse(text, (_, value) => (isObject(value) ? lower(value) : value))) ?? {};

/** @param {Json} found @returns {Json} */
const lower = (found) => Object.fromEntries(Object.entries(found).map(([name, value]) => [name.toLowerCase(), value]));
