/** Which contract held a match when this browser first saw it, and the hash of its code: a server could name another one later. */

import { keccak256 } from "../../vendor/ethers.min.js";

/** @import { Asked } from "./sources.js" */
/** @import { GameInfo } from "../../types.js" */
/** @typedef {{address: string, code: string}} Holder `code`: keccak256 of its code. */

const PLACE = "chainboard.contracts";
const MATCHES = 500;

/** The deployment's address that holds a match, as the server tells it. @param {GameInfo} game @param {number} id */
export function holderOf({ deployments, address }, id) {
  const found = deployments.find(({ firstMatch, endMatch }) => firstMatch <= id && (endMatch === undefined || id < endMatch));
  return found?.address ?? address;
}

/** @returns {[string, Holder][]} the latest last */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** @param {[string, Holder][]} all */
function keep(all) {
  try {
    localStorage.setItem(PLACE, JSON.stringify(all.slice(-MATCHES)));
  } catch { /* nothing is compared with the next visit */ }
}

/** By asker and address: the code of a contract does not change. @type {Map<string, Promise<string>>} */
const codes = new Map();

/** The hash of a contract's code; "" where there is none. @param {Asked} asked @param {string} chain @param {string} address @returns {Promise<string>} */
export function codeHash(asked, chain, address) {
  const key = `${asked.kind} ${asked.name} ${chain} ${address}`;
  const under = codes.get(key) ?? asked.request("eth_getCode", [address, "latest"]).then((code) => (code === "0x" ? "" : keccak256(code)));
  codes.set(key, under);
  under.then((hash) => hash || codes.delete(key), () => codes.delete(key));
  return under;
}

/** What was remembered of a match's contract; remembered now when it is seen for the first time. @param {string} chain @param {string} match @param {Holder} now @returns {Holder} */
export function recall(chain, match, now) {
  const all = kept();
  const name = `${chain} ${match}`;
  const found = all.find(([one]) => one === name);
  if (!found) keep([...all, [name, now]]);
  return found?.[1] ?? now;
}

/** The next look takes what it finds. @param {string} chain @param {string} match */
export const forget = (chain, match) => keep(kept().filter(([one]) => one !== `${chain} ${match}`));
