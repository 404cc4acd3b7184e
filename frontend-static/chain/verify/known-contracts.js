/**
 * Stores each match's contract and its code hash when the page first sees the match. Later checks
 * compare them, to detect changes.
 */

import { readList, writeJson } from "../../lib/storage.js";
import { keccak256 } from "../../lib/ethereum/hash.js";

/** @import { RpcSource } from "./sources.js" */
/** @import { GameInfo } from "../../types.js" */
/** @typedef {{address: string, code: string}} MatchContract `code`: the keccak256 hash of the contract's code. */

const STORAGE_KEY = "chainboard.contracts";
const MATCHES = 500;
/**
 * The results of EXTCODEHASH for an address that was never used and for an address without code.
 */
const NO_CODE = ["0".repeat(64), keccak256("0x").slice(2)];

/**
 * Return the address of a match's contract, according to the server. Match numbers are unique
 * across a game's contracts. @param {GameInfo} game @param {number} id
 */
export function contractOf({ deployments, address }, id) {
  const found = deployments.find(
    ({ firstMatch, endMatch }) => firstMatch <= id && (endMatch === undefined || id < endMatch),
  );
  return found?.address ?? address;
}

/** Return the stored contracts, the newest last. @returns {[string, MatchContract][]} */
const stored = () => readList(STORAGE_KEY);

/**
 * The code hashes, by node and address. They can be cached, because a contract's code doesn't
 * change. @type {Map<string, Promise<string>>}
 */
const codes = new Map();

/** Return the hash of a contract's code, or "" if there is no code at the address. @param {RpcSource} source @param {string} chain @param {string} address @returns {Promise<string>} */
export function codeHash(source, chain, address) {
  const key = `${source.kind} ${source.name} ${chain} ${address}`;
  const under = codes.get(key) ?? requestCodeHash(source, address);
  codes.set(key, under);
  under.then(
    (hash) => hash || codes.delete(key),
    () => codes.delete(key),
  );
  return under;
}

/**
 * Request the hash of a contract's code without loading the code, which can be 24 KiB long. The
 * call runs EXTCODEHASH on the address. It returns 32 zero bytes before the hash, because a result
 * must not begin with 0xEF (EIP-3541). If the node can't run this call or finds no code, request
 * the code.
 * @param {RpcSource} source @param {string} address @returns {Promise<string>}
 */
async function requestCodeHash(source, address) {
  const data = `0x73${address.slice(2)}3f60205260406000f3`;
  const answer = await source.request("eth_call", [{ data }, "latest"]).catch(() => "");
  const hash = /^0x0{64}([0-9a-f]{64})$/.exec(answer)?.[1] ?? "";
  if (hash && !NO_CODE.includes(hash)) return `0x${hash}`;
  const code = await source.request("eth_getCode", [address, "latest"]);
  return code === "0x" ? "" : keccak256(code);
}

/** Return a match's stored contract. If there is none, store the current contract. @param {string} chain @param {string} match @param {MatchContract} now @returns {MatchContract} */
export function trustOnFirstUse(chain, match, now) {
  const all = stored();
  const name = `${chain} ${match}`;
  const found = all.find(([one]) => one === name);
  if (!found) writeJson(STORAGE_KEY, [...all, [name, now]].slice(-MATCHES));
  return found?.[1] ?? now;
}

/** Forget a match's stored contract. The next check stores the current contract. @param {string} chain @param {string} match */
export const forgetContract = (chain, match) =>
  writeJson(
    STORAGE_KEY,
    stored().filter(([one]) => one !== `${chain} ${match}`),
  );
