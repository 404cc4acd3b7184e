/** Which nonce a transaction takes: the lowest that is free, so that none is left out and none is used twice. */

import { hashesOf, lastOf } from "./model.js";

/** @import { Queues } from "./model.js" */
/** @import { Tx } from "../../types.js" */

/**
 * The lowest nonce that neither the chain counts nor one of ours uses: a gap below our own is filled.
 * @param {Queues} all @param {string} account @param {Set<number>} [taken] by others, as a node said
 */
export async function reserve(all, account, taken = new Set()) {
  let next = await all.door.count(account);
  const ahead = all.list.filter((tx) => tx.account === account && tx.state === "sent" && (tx.nonce ?? -1) >= next);
  const used = new Set(taken);
  for (const tx of ahead) if (await stands(all, tx)) used.add(Number(tx.nonce));
  while (used.has(next)) next++;
  return next;
}

/** Whether the node still has it. @param {Queues} all @param {Tx} tx */
export async function isKnown(all, tx) {
  for (const hash of hashesOf(tx)) if ((await all.door.known(hash)) !== null) return true;
  return false;
}

/** The same; what the node has not is given up. @param {Queues} all @param {Tx} tx */
export async function stands(all, tx) {
  if (await isKnown(all, tx)) return true;
  if (tx.state !== "sent") return false;
  const replaced = (await all.door.count(tx.account, "latest")) > Number(tx.nonce);
  if (replaced && (await isKnown(all, tx))) return true; // its block came in between
  if (tx.state === "sent") void all.step(tx, replaced ? "replaced" : "dropped", { since: Date.now(), reason: { sentence: { key: replaced ? "tx.why-replaced" : "tx.why-dropped" }, small: lastOf(tx) } });
  return false;
}
