/**
 * A web worker that encrypts and decrypts keystore files. In the page's own thread, this work would
 * block the page for seconds.
 */

import { pbkdf2Async } from "@noble/hashes/pbkdf2.js";
import { scryptAsync } from "@noble/hashes/scrypt.js";
import { sha256 } from "@noble/hashes/sha2.js";
import * as Keystore from "ox/Keystore";
import { getBytes, hexlify, randomHex, toUtf8Bytes } from "../../lib/ethereum/bytes.js";
import { attempt } from "../../lib/storage.js";
import { addressOf } from "./signer.js";
import { BadKey, checkKeystore, keyOf } from "./keystore.js";

/** @import { Json } from "../../types.js" */
/** @typedef {{work: "lock"|"unlock", content: any, password: string}} Job */
/** @typedef {(part: number) => void} Progress called with the progress, from 0 to 1 */

const KEY_BYTES = 32;
/**
 * The parameters with which geth derives the encryption key (scrypt). The derivation takes 256 MB
 * of memory and about a second.
 */
const SCRYPT = { n: 262_144, r: 8, p: 1 };
const MAX_MEMORY = 2 ** 30;

/** Decrypt the private key in a keystore file. This is slow by design, to hinder attackers. @param {string} text @param {string} password @param {Progress} progress @returns {Promise<string>} Throws BadKey. */
export async function unlock(text, password, progress) {
  const { address, crypto } = checkKeystore(text);
  const derived = crypto.cipher === "aes-128-ctr" && (await derive(crypto, password, progress).catch(() => null));
  if (!derived) throw new BadKey("account.keystore-broken");
  const opened = attempt(() => Keystore.decrypt(/** @type {any} */ ({ crypto }), derived));
  if (!opened) throw new BadKey("account.keystore-password");
  const key = keyOf(opened);
  if (address && addressOf(key).slice(2).toLowerCase() !== String(address).replace(/^0x/i, "").toLowerCase())
    throw new BadKey("account.keystore-broken");
  return key;
}

/** @param {{address: string, key: string}} account @param {string} password @param {Progress} progress @returns {Promise<string>} the text of a keystore file */
export async function lock({ address, key }, password, progress) {
  const [salt, iv] = [randomHex(KEY_BYTES).slice(2), getBytes(randomHex(16))];
  const params = /** @type {const} */ ({ kdf: "scrypt", kdfparams: { ...SCRYPT, dklen: KEY_BYTES, salt } });
  const file = Keystore.encrypt(getBytes(key), await derive(params, password, progress), { ...params, iv });
  return JSON.stringify({ address: address.slice(2).toLowerCase(), ...file });
}

/** Derive the encryption key from a password. @param {Json} crypto the part `crypto` of a keystore file @param {string} password @param {Progress} onProgress @returns {Promise<`0x${string}`>} Throws if the file's parameters are invalid. */
async function derive({ kdf, kdfparams }, password, onProgress) {
  const { n, r, p, c, salt, dklen: dkLen = KEY_BYTES, prf = "hmac-sha256" } = kdfparams;
  const [secret, bytes] = [toUtf8Bytes(password.normalize("NFKC")), getBytes(`0x${salt}`)];
  onProgress(0);
  const key =
    kdf === "scrypt"
      ? await scryptAsync(secret, bytes, { N: n, r, p, dkLen, onProgress, maxmem: MAX_MEMORY })
      : kdf === "pbkdf2" && prf === "hmac-sha256" && (await pbkdf2Async(sha256, secret, bytes, { c, dkLen }));
  if (!key) throw new Error(`unknown key derivation ${kdf}`);
  onProgress(1);
  return /** @type {`0x${string}`} */ (hexlify(key));
}

/** @param {(answer: {part?: number, done?: string, wrong?: any}) => void} post @param {Job} job */
async function serve(post, { work, content, password }) {
  const progress = (/** @type {number} */ part) => post({ part });
  try {
    post({ done: await (work === "lock" ? lock(content, password, progress) : unlock(content, password, progress)) });
  } catch (error) {
    if (!(error instanceof BadKey)) throw error;
    post({ wrong: error.text });
  }
}

const inside = typeof document === "undefined";
if (inside && "postMessage" in globalThis)
  globalThis.onmessage = ({ data }) => void serve((answer) => globalThis.postMessage(answer), data);

/** @param {Job} job `content`: to encrypt, an account's address and key; to decrypt, the text of a keystore file @param {Progress} progress @returns {Promise<string>} the text of a keystore file, or a private key. Throws BadKey. */
export function runInWorker(job, progress) {
  const worker = new Worker(import.meta.url, { type: "module" });
  return new Promise((done, failed) => {
    worker.onmessage = ({ data: { part, done: text, wrong } }) => {
      if (part !== undefined) progress(part);
      else if (wrong) failed(new BadKey(wrong.key, wrong.args));
      else done(text);
    };
    worker.onerror = (event) => failed(new Error(event.message));
    worker.postMessage(job);
  }).finally(() => worker.terminate());
}
