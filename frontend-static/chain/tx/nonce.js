/** Chooses a transaction's nonce: the lowest free nonce, so that none is skipped or used twice. */

import { hashesOf, lastOf } from "./model.js";

/** @import { ChainClient } from "./chain-client.js" */
/** @import { Tx, TxState } from "../../types.js" */

/**
 * @typedef {object} Queues The part of TransactionManager that the delivery and the tracker use. See TransactionManager for details.
 * @property {ChainClient} client
 * @property {Tx[]} list
 * @property {Map<string, string|undefined>} checkedBlocks
 * @property {<T>(account: string, work: () => Promise<T>) => Promise<T>} locked
 * @property {(tx: Tx, state: TxState, more?: Partial<Tx>) => Promise<void>} transition
 * @property {(tx: Tx, fields: Partial<Tx>) => Promise<void>} update
 * @property {<T>(tx: Tx, work: () => Promise<T>) => Promise<T>} retryUntilAnswered
 * @property {(ms: number) => Promise<void>} sleep
 */

/**
 * Return an account's lowest nonce that is used neither on the chain nor by a transaction from this
 * browser. @param {Queues} queues @param {string} account @param {Set<number>} [taken] nonces that must not be chosen, because the node has reported that they are used
 */
export async function reserve(queues, account, taken = new Set()) {
  let next = await queues.client.transactionCount(account);
  const ahead = queues.list.filter((tx) => tx.account === account && tx.state === "sent" && (tx.nonce ?? -1) >= next);
  const used = new Set(taken);
  for (const tx of ahead) if (await isStillKnown(queues, tx)) used.add(Number(tx.nonce));
  while (used.has(next)) next++;
  return next;
}

/** Return true if the node has any signed version of a transaction, either pending or mined. @param {Queues} queues @param {Tx} tx */
export async function nodeHas(queues, tx) {
  for (const hash of hashesOf(tx)) if ((await queues.client.transactionNonce(hash)) !== null) return true;
  return false;
}

/**
 * Return true if the node still has a transaction. If the node has lost the transaction after it
 * was sent, set its state to `replaced` or `dropped`. @param {Queues} queues @param {Tx} tx
 */
export async function isStillKnown(queues, tx) {
  if (await nodeHas(queues, tx)) return true;
  if (tx.state !== "sent") return false;
  const replaced = (await queues.client.transactionCount(tx.account, "latest")) > Number(tx.nonce);
  if (replaced && (await nodeHas(queues, tx))) return true; // the transaction was mined between the two requests
  if (tx.state === "sent")
    void queues.transition(tx, replaced ? "replaced" : "dropped", {
      since: Date.now(),
      reason: { sentence: { key: replaced ? "tx.why-replaced" : "tx.why-dropped" }, small: lastOf(tx) },
    });
  return false;
}
