/** From a simulated transaction to one that the node has: a nonce, a fee, a signature, and bytes that are sent until the node takes them. */

import { pauseAfter, retry } from "../../lib/retry.js";
import { bumped, limitOf } from "./fees.js";
import { lastOf } from "./model.js";
import { classify } from "../../server/node-errors.js";
import { reserve } from "./nonce.js";
import { NodeUnavailable } from "../../server/jsonrpc.js";
import { isDone, isRetryable } from "./states.js";

/** @import { Queues } from "./nonce.js" */
/** @import { CurrentFees } from "./model.js" */
/** @import { Fees, Tx } from "../../types.js" */

const PRICED_MS = 1500;
const MAX_SIGNINGS = 6;

/** A signed transaction whose nonce was taken, or lies above a shorter chain: its bytes must not be sent (again). */
class Stale extends Error {}

/** Asks again while the node does not answer. @template T @param {Queues} queues @param {() => Promise<T>} work @param {number} [tries] */
export const retryUnavailable = (queues, work, tries) =>
  retry(work, (error) => error instanceof NodeUnavailable, tries, queues.sleep);

/** @param {Queues} queues @param {Tx} tx @param {bigint} limit of gas, by a simulation; not needed for what is signed already */
export async function signAndSend(queues, tx, limit) {
  /** @type {Set<number>} */
  const taken = new Set();
  for (let signing = 1, gas = limit; ; signing++) {
    if (tx.state !== "signed" && !(await sign(queues, tx, gas, taken))) return;
    try {
      return await deliver(queues, tx);
    } catch (error) {
      const kind = error instanceof Stale ? "low" : classify(error);
      if (signing === MAX_SIGNINGS || !(await prepareRetry(queues, tx, kind, taken))) throw error;
      if (tx.state === "simulated") gas = await retryUnavailable(queues, () => queues.client.simulate(tx)); // on another chain than the first time
    }
  }
}

/** Reserves a nonce and signs; the bytes are on the disk before anybody sees them. @param {Queues} queues @param {Tx} tx @param {bigint} gas @param {Set<number>} taken */
async function sign(queues, tx, gas, taken) {
  const [nonce, price] = await queues.untilAnswered(tx, () =>
    Promise.all([reserve(queues, tx.account, taken), queues.client.currentFees()]),
  );
  if (isDone(tx.state)) return false;
  const fees = feesOf(price);
  const { raw, hash } = await queues.client.sign(tx, gas, nonce, fees);
  dropDuplicate(queues, hash);
  const hashes = [...tx.hashes, hash];
  await queues.transition(tx, "signed", { nonce, raw, gas, fees, limit: limitOf(fees), sentAt: price.height, hashes });
  return true;
}

/** Gives a hash to the later of two transactions with the same bytes: one that was taken back, and its repetition. @param {Queues} queues @param {string} hash */
function dropDuplicate(queues, hash) {
  const older = queues.list.find((tx) => isRetryable(tx) && tx.hashes.includes(hash));
  if (older) void queues.update(older, { hashes: [], settled: true });
}

/** Prepares the next try after a node's refusal: another nonce, or a higher fee; false when nothing helps. @param {Queues} queues @param {Tx} tx @param {string} kind @param {Set<number>} taken */
async function prepareRetry(queues, tx, kind, taken) {
  if (["low", "high", "replacement"].includes(kind)) {
    if (kind === "replacement") taken.add(Number(tx.nonce)); // somebody else's waits there
    await queues.transition(tx, "simulated", { nonce: undefined, raw: undefined, hashes: [] });
    return true;
  }
  if (kind !== "underpriced" && kind !== "basefee") return false;
  await queues.sleep(PRICED_MS); // the next block's base fee may be known only with that block
  return bumpFee(queues, tx);
}

/** Signs it again with the same nonce and a higher fee; false at its limit. @param {Queues} queues @param {Tx} tx @returns {Promise<boolean>} */
export async function bumpFee(queues, tx) {
  const price = await retryUnavailable(queues, () => queues.client.currentFees());
  const fees = bumped(/** @type {Fees} */ (tx.fees), price, /** @type {bigint} */ (tx.limit));
  if (!fees) return false;
  const { raw, hash } = await queues.client.sign(tx, /** @type {bigint} */ (tx.gas), Number(tx.nonce), fees);
  const hashes = [...tx.hashes, hash];
  await queues.update(tx, { raw, fees, sentAt: price.height, raises: (tx.raises ?? 0) + 1, hashes });
  return true;
}

/**
 * Sends until the node has it or says no. Without an answer the hash is looked up, and the same bytes are sent again:
 * they can't count twice, while a new transaction with this nonce could. But not to a chain that was restarted or lost
 * what was before it: there they would lie in wait until somebody fills the gap.
 * @param {Queues} queues @param {Tx} tx
 */
async function deliver(queues, tx) {
  for (let failures = 0; ; failures++) {
    try {
      await queues.client.send(String(tx.raw));
      break;
    } catch (error) {
      const unsure = error instanceof NodeUnavailable || classify(error) === "busy";
      // The refusal may answer a second delivery: before anything is signed again the look-up must succeed.
      if (classify(error) === "known" || (await nodeHasLatest(queues, tx, unsure ? 1 : Infinity))) break;
      if (!unsure) throw error;
      await queues.sleep(pauseAfter(failures));
      const next = await retryUnavailable(queues, () => reserve(queues, tx.account));
      if (isDone(tx.state)) return;
      if (next < Number(tx.nonce)) throw new Stale("the chain is shorter now");
    }
  }
  if (tx.state === "signed") void queues.transition(tx, "sent");
}

/** @param {Queues} queues @param {Tx} tx @param {number} tries */
const nodeHasLatest = (queues, tx, tries) =>
  retryUnavailable(queues, () => queues.client.transactionNonce(lastOf(tx)), tries).then(
    (nonce) => nonce !== null,
    () => false,
  );

/** @param {CurrentFees} price @returns {Fees} */
const feesOf = ({ maxFeePerGas, maxPriorityFeePerGas }) => ({ maxFeePerGas, maxPriorityFeePerGas });
