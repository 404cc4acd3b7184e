/** Which contract held a match when this browser first saw it, and the hash of its code: a server could name another one later. */

import { readList, writeJson } from "../../lib/storage.js";
import { keccak256 } from "../../lib/ethereum/hash.js";

/** @import { RpcSource } from "./sources.js" */
/** @import { GameInfo } from "../../types.js" */
/** @typedef {{address: string, code: string}} MatchContract `code`: keccak256 of its code. */

const STORAGE_KEY = "chainboard.contracts";
const MATCHES = 500;
/** EXTCODEHASH of an address that nobody has used, and of one without code. */
const NO_CODE = ["0".repeat(64), keccak256("0x").slice(2)];

/** The contract of a match, according to the server: a game's contracts share the match numbers; new matches go to the newest. @param {GameInfo} game @param {number} id */
export function contractOf({ deployments, address }, id) {
  const found = deployments.find(
    ({ firstMatch, endMatch }) => firstMatch <= id && (endMatch === undefined || id < endMatch),
  );
  return found?.address ?? address;
}

/** The latest last. @returns {[string, MatchContract][]} */
const stored = () => readList(STORAGE_KEY);

/** By asker and address: the code of a contract does not change. @type {Map<string, Promise<string>>} */
const codes = new Map();

/** The hash of a contract's code; "" where there is none. @param {RpcSource} source @param {string} chain @param {string} address @returns {Promise<string>} */
export function codeHash(source, chain, address) {
  const key = `${source.kind} ${source.name} ${chain} ${address}`;
  const under = codes.get(key) ?? askCodeHash(source, address);
  codes.set(key, under);
  under.then(
    (hash) => hash || codes.delete(key),
    () => codes.delete(key),
  );
  return under;
}

/**
 * Asks for the hash by a call without a contract, whose code is EXTCODEHASH of the address: the code itself has up to 24 KiB. Of the 64 bytes
 * that come back the first 32 are zero, as they may not begin with 0xEF (EIP-3541). A node that runs no such call, or knows no code there, is asked
 * for the code.
 * @param {RpcSource} source @param {string} address @returns {Promise<string>}
 */
async function askCodeHash(source, address) {
  const data = `0x73${address.slice(2)}3f60205260406000f3`;
  const answer = await source.request("eth_call", [{ data }, "latest"]).catch(() => "");
  const hash = /^0x0{64}([0-9a-f]{64})$/.exec(answer)?.[1] ?? "";
  if (hash && !NO_CODE.includes(hash)) return `0x${hash}`;
  const code = await source.request("eth_getCode", [address, "latest"]);
  return code === "0x" ? "" : keccak256(code);
}

/** The stored contract of a match, with its code hash; stored now when it is seen for the first time. @param {string} chain @param {string} match @param {MatchContract} now @returns {MatchContract} */
export function recall(chain, match, now) {
  const all = stored();
  const name = `${chain} ${match}`;
  const found = all.find(([one]) => one === name);
  if (!found) writeJson(STORAGE_KEY, [...all, [name, now]].slice(-MATCHES));
  return found?.[1] ?? now;
}

/** The next look takes what it finds. @param {string} chain @param {string} match */
export const forget = (chain, match) =>
  writeJson(
    STORAGE_KEY,
    stored().filter(([one]) => one !== `${chain} ${match}`),
  );
