/**
 * Stores the contract of a match and the hash of its code when the page first checks the match.
 * Later checks compare them with the current contract and hash, to detect changes.
 */

import { readList, writeJson } from "../../lib/storage.js";
import { keccak256 } from "../../lib/ethereum/hash.js";

/** @import { RpcSource } from "./sources.js" */
/** @import { GameInfo } from "../../types.js" */
/** @typedef {{address: string, code: string}} MatchContract The contract of a match. `code`: the keccak256 hash of the contract's code. */

const STORAGE_KEY = "chainboard.contracts";
const MATCHES = 500;
/**
 * The results of EXTCODEHASH for an address that was never used, and for an address that has no
 * code.
 */
const NO_CODE = ["0".repeat(64), keccak256("0x").slice(2)];

/**
 * Return the address of the contract that has a match, as reported by the server. A match number
 * belongs to only one of a game's contracts. @param {GameInfo} game @param {number} id
 */
export function contractOf({ deployments, address }, id) {
  const found = deployments.find(
    ({ firstMatch, endMatch }) => firstMatch <= id && (endMatch === undefined || id < endMatch),
  );
  return found?.address ?? address;
}

/** Return the stored contracts. The newest entry is the last. @returns {[string, MatchContract][]} */
const stored = () => readList(STORAGE_KEY);

/**
 * The cached hashes of contracts' code. They stay valid, because the code of a contract can't
 * change. The key contains the node, the chain and the contract's address. @type {Map<string, Promise<string>>}
 */
const codes = new Map();

/** Return the hash of a contract's code. Return "" if there is no code at the address. @param {RpcSource} source @param {string} chain @param {string} address @returns {Promise<string>} */
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
 * Request the hash of a contract's code. To avoid loading the code, which can be 24 KiB long, the
 * call runs the instruction EXTCODEHASH on the address. The hash follows 32 zero bytes, because a
 * result must not begin with 0xEF (EIP-3541). If the node can't run this call or finds no code,
 * request the code itself.
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

/**
 * Return the contract that is stored for a match. If none is stored, store the current contract and
 * return it. @param {string} chain @param {string} match @param {MatchContract} now @returns {MatchContract}
 */
export function trustOnFirstUse(chain, match, now) {
  const all = stored();
  const name = `${chain} ${match}`;
  const found = all.find(([one]) => one === name);
  if (!found) writeJson(STORAGE_KEY, [...all, [name, now]].slice(-MATCHES));
  return found?.[1] ?? now;
}

/** Forget the contract that is stored for a match. The next check stores the current contract. @param {string} chain @param {string} match */
export const forgetContract = (chain, match) =>
  writeJson(
    STORAGE_KEY,
    stored().filter(([one]) => one !== `${chain} ${match}`),
  );
