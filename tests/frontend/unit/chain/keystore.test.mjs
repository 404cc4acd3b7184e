// Tests the import of keys: the error text for each bad key, and the example files from the
// specification of Web3 Secret Storage.
import assert from "node:assert/strict";
import { scryptSync } from "node:crypto";
import { test } from "node:test";

import { BadKey, checkKeystore, keyOf } from "../../../../frontend-static/chain/wallet/keystore.js";
import { lock, unlock } from "../../../../frontend-static/chain/wallet/keystore-worker.js";
import { N, Wallet, decryptKeystoreJson, scrypt } from "ethers";
import { has } from "../../../../frontend-static/i18n/translate.js";
import "../../node/texts.mjs";

/** https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage/ */
const SECRET = "0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";
const PASSWORD = "testpassword";
const CIPHER = {
  cipher: "aes-128-ctr",
  cipherparams: { iv: "6087dab2f9fdbbfaddc31a909735c1e6" },
  ciphertext: "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
};
const ROUNDS = {
  c: 262144,
  dklen: 32,
  prf: "hmac-sha256",
  salt: "ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd",
};
const FILE = {
  crypto: {
    ...CIPHER,
    kdf: "pbkdf2",
    kdfparams: ROUNDS,
    mac: "517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2",
  },
  id: "3198bc9c-6672-5ab3-d995-4942343ae5b6",
  version: 3,
};

const digits = (/** @type {bigint} */ number) => number.toString(16).padStart(64, "0");
const heavy = (kdf, kdfparams) => ({
  ...FILE,
  crypto: { ...FILE.crypto, kdf, kdfparams: { ...ROUNDS, ...kdfparams } },
});

/** Run a function that throws an error, and return the key of the error's text. */
async function why(work) {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof BadKey, String(error));
    assert.ok(has(error.text.key), error.text.key);
    return error.text.key;
  }
  return "";
}

const KEYS = [
  [SECRET, ""],
  [` ${SECRET.slice(2).toUpperCase()}\n`, ""],
  [digits(1n), ""],
  [digits(N - 1n), ""],
  [digits(0n), "account.key-zero"],
  [digits(N), "account.key-high"],
  [digits(2n ** 256n - 1n), "account.key-high"],
  [SECRET.slice(0, -1), "account.key-length"],
  [`${SECRET}0`, "account.key-length"],
  ["", "account.key-not-hex"],
  [SECRET.replace("f", "g"), "account.key-not-hex"],
  ["test test test junk", "account.key-not-hex"],
  [`0x${SECRET}`, "account.key-not-hex"],
];
for (const [text, wanted] of KEYS)
  test(`the key ${JSON.stringify(text)} ${wanted ? `is rejected: ${wanted}` : "is valid"}`, async () =>
    assert.equal(await why(() => keyOf(text)), wanted));

const FILES = [
  ["no JSON", "{", "account.keystore-broken"],
  ["JSON of something else", "[1, 2]", "account.keystore-broken"],
  ["null", "null", "account.keystore-broken"],
  ["an older version", JSON.stringify({ ...FILE, version: 1 }), "account.keystore-broken"],
  ["too many bytes", JSON.stringify({ ...FILE, note: "x".repeat(70_000) }), "account.keystore-broken"],
  ["no count", JSON.stringify(heavy("scrypt", { n: "many", r: 8, p: 1 })), "account.keystore-broken"],
  ["a terabyte of memory", JSON.stringify(heavy("scrypt", { n: 2 ** 30, r: 8, p: 1 })), "account.keystore-heavy"],
  ["a year of hashing", JSON.stringify(heavy("pbkdf2", { c: 2 ** 40 })), "account.keystore-heavy"],
  [
    "a terabyte of memory and capitals",
    JSON.stringify({ version: 3, Crypto: { KDF: "scrypt", KDFParams: { N: 2 ** 30, R: 8, P: 1 } } }),
    "account.keystore-heavy",
  ],
  ["the cost of geth's files", JSON.stringify(heavy("scrypt", { n: 262_144, r: 8, p: 1, c: undefined })), ""],
];
for (const [name, text, wanted] of FILES)
  test(`a file with ${name} ${wanted ? `is rejected: ${wanted}` : "can be opened"}`, async () =>
    assert.equal(await why(() => checkKeystore(text)), wanted));

test("a file opens with its password and with no other", async () => {
  const parts = [];
  assert.equal(await unlock(JSON.stringify(FILE), PASSWORD, (part) => parts.push(part)), SECRET);
  assert.equal(parts.at(-1), 1);
  assert.equal(await why(() => unlock(JSON.stringify(FILE), `${PASSWORD} `, () => {})), "account.keystore-password");
});

test("a damaged file is not reported as a wrong password", async () => {
  const cut = { ...FILE, crypto: { ...FILE.crypto, cipher: "rot13" } };
  assert.equal(await why(() => unlock(JSON.stringify(cut), PASSWORD, () => {})), "account.keystore-broken");
});

test("a saved key is the original key", async (context) => {
  const parts = [];
  const text = await lock({ address: new Wallet(SECRET).address, key: SECRET }, PASSWORD, (part) => parts.push(part));
  assert.ok(!text.includes(SECRET.slice(2)));
  // This test decrypts with Node's own key derivation, to show that other programs can open the
  // files that the page saves.
  scrypt.register(async (password, salt, n, r, p, length) =>
    scryptSync(password, salt, length, { N: n, r, p, maxmem: 2 ** 29 }),
  );
  context.after(() => scrypt.register(scrypt._));
  assert.equal((await decryptKeystoreJson(text, PASSWORD)).privateKey, SECRET);
  assert.ok(
    parts.length > 3 && parts.every((part, i) => i === 0 || part >= parts[i - 1]),
    "the page reports its progress",
  );
});
