/**
 * Delivers a transaction that was simulated before. It chooses the nonce and the fees, signs the
 * transaction, and sends it until a node accepts it.
 */

import { pauseAfter, retry } from "../../lib/retry.js";
import { bumped, limitOf } from "./fees.js";
import { lastOf } from "./model.js";
import { classify } from "../../server/node-errors.js";
import { reserve } from "./nonce.js";
import { NodeUnavailable } from "../../server/jsonrpc.js";
import { WalletRejection } from "../wallet/eip1193.js";
import { isDone, isRetryable } from "./states.js";

/** @import { Queues } from "./nonce.js" */
/** @import { CurrentFees } from "./model.js" */
/** @import { Fees, Tx } from "../../types.js" */

const PRICED_MS = 1500;
const MAX_SIGNINGS = 6;

/**
 * Thrown if a signed transaction must not be sent, because its nonce is higher than the account's
 * next free nonce.
 */
class Stale extends Error {}

/** Run a task. If the node is unavailable, try again. @template T @param {Queues} queues @param {() => Promise<T>} work @param {number} [tries] */
export const retryUnavailable = (queues, work, tries) =>
  retry(work, (error) => error instanceof NodeUnavailable, tries, queues.sleep);

/** @param {Queues} queues @param {Tx} tx @param {bigint} limit the gas limit from the simulation; not used if the transaction is already signed */
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
      if (tx.state === "simulated") gas = await retryUnavailable(queues, () => queues.client.simulate(tx)); // the chain has changed since the last simulation
    }
  }
}

/**
 * Reserve a nonce and sign a transaction. The signed bytes are on disk before they are sent. Return
 * false if the player took back the transaction in the meantime. @param {Queues} queues @param {Tx} tx @param {bigint} gas @param {Set<number>} taken
 */
async function sign(queues, tx, gas, taken) {
  const [nonce, price] = await queues.retryUntilAnswered(tx, () =>
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

/**
 * If an older, retryable transaction has the same bytes as the new transaction, remove the hash
 * from the older one. Both have the same hash, which only the new transaction should have. @param {Queues} queues @param {string} hash
 */
function dropDuplicate(queues, hash) {
  const older = queues.list.find((tx) => isRetryable(tx) && tx.hashes.includes(hash));
  if (older) void queues.update(older, { hashes: [], settled: true });
}

/**
 * Prepare another try after a node has rejected a transaction. Choose a different nonce or a higher
 * fee. Return false if neither of them would help. Throws WalletRejection if the transaction pays
 * ether and would need another nonce. @param {Queues} queues @param {Tx} tx @param {string} kind @param {Set<number>} taken
 */
async function prepareRetry(queues, tx, kind, taken) {
  if (["low", "high", "replacement"].includes(kind)) {
    // A dishonest node could keep the signed deposit and ask for another one with the next nonce.
    // Both would be valid.
    if (tx.value > 0n) throw new WalletRejection({ key: "tx.deposit-unsure" }, lastOf(tx));
    if (kind === "replacement") taken.add(Number(tx.nonce)); // another program's transaction has this nonce
    await queues.transition(tx, "simulated", { nonce: undefined, raw: undefined, hashes: [] });
    return true;
  }
  if (kind !== "underpriced" && kind !== "basefee") return false;
  await queues.sleep(PRICED_MS); // wait for a new block, because the node might report a higher base fee only then
  return bumpFee(queues, tx);
}

/** Sign again with the same nonce and a higher fee. Return false if the fee is at its limit. @param {Queues} queues @param {Tx} tx @returns {Promise<boolean>} */
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
 * Send a signed transaction until the node accepts or rejects it. If the node doesn't answer, look
 * up the transaction's hash, and send the same bytes again if the node doesn't have it. The same
 * bytes can't take effect twice, whereas a newly signed transaction could. Throws Stale if the
 * nonce has become too high, because the chain was restarted or has lost earlier transactions.
 * @param {Queues} queues @param {Tx} tx
 */
async function deliver(queues, tx) {
  for (let failures = 0; ; failures++) {
    try {
      await queues.client.send(String(tx.raw));
      break;
    } catch (error) {
      const unsure = error instanceof NodeUnavailable || classify(error) === "busy";
      // The node might have accepted the first delivery and rejected the second. Look up the hash
      // before signing the transaction again.
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
