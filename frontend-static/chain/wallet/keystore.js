/** A key from outside, as text or as an encrypted file, and a key as such a file. What is wrong with one is a sentence. */

import { N, decryptKeystoreJson, encryptKeystoreJson, isKeystoreJson } from "../../vendor/ethers.min.js";
import { TextError } from "../../lib/text-error.js";

/** @import { Json } from "../../types.js" */

const DIGITS = 64;
const MAX_BYTES = 65_536;
/** Limits of the key derivation: twice the memory that geth's files take (256 MB), and about a minute of hashing. */
const MAX_MEMORY = 2 ** 29;
const MAX_ROUNDS = 2 ** 24;
export const MIN_PASSWORD = 8;

/** Why a key can't be used. */
export class BadKey extends TextError {}

/** @param {string} text a private key as it is typed or pasted @returns {string} 32 bytes as 0x hex. Throws BadKey. */
export function keyOf(text) {
  const digits = text.trim().replace(/^0x/i, "").toLowerCase();
  if (!/^[0-9a-f]+$/.test(digits)) throw new BadKey("account.key-not-hex");
  if (digits.length !== DIGITS) throw new BadKey("account.key-length", { n: digits.length });
  const number = BigInt(`0x${digits}`);
  if (number === 0n) throw new BadKey("account.key-zero");
  if (number >= N) throw new BadKey("account.key-high");
  return `0x${digits}`;
}

/** Throws BadKey for a text that is no keystore file (Web3 Secret Storage, version 3), or one made to exhaust this browser. @param {string} text */
export function checkKeystore(text) {
  if (text.length > MAX_BYTES || !isKeystoreJson(text)) throw new BadKey("account.keystore-broken");
  const { n = 1, r = 1, p = 1, c = 1 } = parameters(JSON.parse(text));
  const numbers = [n, r, p, c].map(Number);
  if (!numbers.every((one) => Number.isSafeInteger(one) && one > 0)) throw new BadKey("account.keystore-broken");
  if (128 * numbers[0] * numbers[1] > MAX_MEMORY || numbers.reduce((product, one) => product * one) > MAX_ROUNDS)
    throw new BadKey("account.keystore-heavy");
}

/** Old files write their names with capitals. @param {Json} file @returns {Json} */
function parameters(file) {
  const inside = lower(lower(file).crypto ?? {});
  return lower(inside.kdfparams ?? {});
}

/** @param {Json} found @returns {Json} */
const lower = (found) =>
  Object.fromEntries(Object.entries(found ?? {}).map(([name, value]) => [name.toLowerCase(), value]));

/**
 * The key in a keystore file. Takes seconds: that is its protection.
 * @param {string} text @param {string} password @param {(part: number) => void} progress from 0 to 1
 * @returns {Promise<string>} Throws BadKey.
 */
export async function unlock(text, password, progress) {
  checkKeystore(text);
  try {
    const { privateKey } = await decryptKeystoreJson(text, password, progress);
    return keyOf(privateKey);
  } catch (error) {
    if (error instanceof BadKey) throw error;
    const wrong = /** @type {any} */ (error)?.argument === "password";
    throw new BadKey(wrong ? "account.keystore-password" : "account.keystore-broken");
  }
}

/** @param {{address: string, key: string}} account @param {string} password @param {(part: number) => void} progress from 0 to 1 @returns {Promise<string>} a keystore file */
export function lock({ address, key }, password, progress) {
  return encryptKeystoreJson({ address, privateKey: key }, password, { progressCallback: progress });
}
