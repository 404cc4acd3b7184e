/** Tracks sent transactions: receipts, reorgs, fees that are too low, and gaps between nonces. */

import { bumpFee, retryUnavailable } from "./delivery.js";
import { hashesOf, lastOf } from "./model.js";
import { classify } from "../../server/node-errors.js";
import { isStillKnown, nodeHas } from "./nonce.js";
import { isTracked } from "./states.js";

/** @import { Queues } from "./nonce.js" */
/** @import { Receipt } from "./model.js" */
/** @import { Tx } from "../../types.js" */

const PATIENCE_BLOCKS = 2;
const TRIES = 4;
/**
 * The time, in milliseconds, for which a missing transaction is looked up again. A lagging node
 * might receive the transaction later.
 */
const LOOKUP_MS = 900_000;
const SEEN = ["mined", "failed"];

/**
 * Check all tracked transactions once. If the newest mined transaction is still in its block, skip
 * the other mined transactions, because no reorg has removed an earlier block. If this function
 * throws NodeUnavailable or RpcError, the changes that it has already made remain.
 * @param {Queues} queues
 */
export async function checkAll(queues) {
  const tracked = queues.list.filter(isTracked);
  const seen = tracked.filter(isSeen).sort((one, other) => Number(other.block) - Number(one.block));
  const others = tracked.filter((tx) => !isSeen(tx));
  const isUnchanged = seen.every(({ id, blockHash }) => queues.checkedBlocks.get(id) === blockHash);
  const requested = [...(isUnchanged ? seen.slice(0, 1) : seen), ...others]; // the newest transaction comes first
  const [receipts, final] = await Promise.all([receiptsOf(queues, requested), queues.client.finalHeight()]);
  if (isUnchanged && seen.length > 1 && receipts.get(seen[0])?.blockHash !== seen[0].blockHash)
    for (const [tx, receipt] of await receiptsOf(queues, seen.slice(1))) receipts.set(tx, receipt);
  const due = seen.filter((tx) => !receipts.has(tx) && Number(tx.block) <= final); // only a transaction's own receipt proves that the transaction is still in its block
  if (due.length) for (const [tx, receipt] of await receiptsOf(queues, due)) receipts.set(tx, receipt);
  const checked = new Map(seen.map((tx) => [tx.id, receipts.has(tx) ? receipts.get(tx)?.blockHash : tx.blockHash]));
  for (const tx of [...seen, ...others]) {
    const receipt = receipts.get(tx);
    if (receipt) await onMined(queues, tx, receipt);
    else if (receipts.has(tx)) await onMissing(queues, tx);
    if (receipt && receipt.blockHash === tx.blockHash) settle(queues, tx, final);
  }
  queues.checkedBlocks = checked;
  for (const account of new Set(tracked.map((tx) => tx.account))) await unblockAccount(queues, account);
}

/** @param {Tx} tx */
const isSeen = ({ state }) => SEEN.includes(state);

/** Return each transaction's receipt, or null for a transaction that isn't in a block. @param {Queues} queues @param {Tx[]} all @returns {Promise<Map<Tx, Receipt|null>>} */
async function receiptsOf(queues, all) {
  const found = await queues.client.receipts(all.flatMap(hashesOf));
  const receipts = new Map(found.flatMap((receipt) => (receipt ? [[receipt.hash, receipt]] : [])));
  return new Map(
    all.map((tx) => [
      tx,
      hashesOf(tx)
        .map((hash) => receipts.get(hash))
        .find(Boolean) ?? null,
    ]),
  );
}

/** Store a mined transaction's block. After a reorg, it can be a different block than before. @param {Queues} queues @param {Tx} tx @param {Receipt} receipt */
async function onMined(queues, tx, receipt) {
  const { block, blockHash, hash, ok } = receipt;
  if (hash === tx.cancel) {
    if (tx.state === "cancelled" && tx.blockHash === blockHash) return;
    if (tx.state !== "sent") void queues.transition(tx, "sent", { opened: undefined, reason: undefined });
    return void queues.transition(tx, "cancelled", { block, blockHash });
  }
  const isMatchUnknown = tx.match === "" && !tx.opened; // the event arrived before the receipt, and only the receipt names the new match
  if (isSeen(tx) && tx.blockHash === blockHash && (tx.state === "mined") === ok && !isMatchUnknown) return;
  const fields = {
    block,
    blockHash,
    opened: await queues.client.openedMatch(tx, receipt),
    reason: ok ? undefined : await queues.client.failureReason(tx, block),
  };
  const state = ok ? "mined" : "failed";
  if (isTracked(tx)) void (tx.state === state ? queues.update(tx, fields) : queues.transition(tx, state, fields));
}

/** If a transaction's block is final, stop tracking the transaction. @param {Queues} queues @param {Tx} tx @param {number} final */
function settle(queues, tx, final) {
  if (!isTracked(tx) || !(isSeen(tx) || tx.state === "cancelled") || Number(tx.block) > final) return;
  void (tx.state === "mined" ? queues.transition(tx, "final") : queues.update(tx, { settled: true }));
}

/**
 * Handle a transaction that isn't in a block. It isn't mined yet, the node has dropped it, or a
 * reorg has removed its block. @param {Queues} queues @param {Tx} tx
 */
async function onMissing(queues, tx) {
  if (tx.state === "sent") {
    if (tx.nonce === undefined) return learnNonce(queues, tx);
    return (await nodeHas(queues, tx)) ? undefined : onDropped(queues, tx);
  }
  const known = (await queues.client.transactionNonce(lastOf(tx))) !== null;
  if (!isTracked(tx)) return;
  const noBlock = { block: undefined, blockHash: undefined, opened: undefined };
  const reason = { sentence: { key: "tx.why-retracted" }, small: lastOf(tx) };
  if (known) void queues.transition(tx, "sent", { ...noBlock, reason: undefined });
  else if (isSeen(tx)) void queues.transition(tx, "retracted", { ...noBlock, reason, since: Date.now() });
  else if (Date.now() - (tx.since ?? 0) > LOOKUP_MS) void queues.update(tx, { settled: true });
}

/**
 * Handle a transaction that the node has dropped. If its fee is too low, some nodes, such as Anvil,
 * also drop the account's later transactions. Raise the fee that is too low, and send the later
 * transactions again without changes. @param {Queues} queues @param {Tx} tx
 */
async function onDropped(queues, tx) {
  const { baseFee } = await queues.client.currentFees();
  const cheap = Boolean(tx.fees && tx.fees.maxFeePerGas < baseFee && !tx.cancel);
  const canResend = cheap || (tx.raw && !tx.cancel && followsRaised(queues, tx));
  if (canResend && queues.client.canSign(tx.account) && (await isResent(queues, tx, cheap))) return;
  await isStillKnown(queues, tx);
  if (cheap && tx.state === "dropped")
    void queues.update(tx, { reason: { sentence: { key: "tx.too-cheap" }, small: lastOf(tx) } });
}

/**
 * Return true if this transaction was sent before the page raised the fee of one of the account's
 * earlier transactions. @param {Queues} queues @param {Tx} tx
 */
const followsRaised = ({ list }, { account, nonce, sentAt }) =>
  list.some(
    (one) =>
      one.account === account &&
      one.raises &&
      Number(one.nonce) < Number(nonce) &&
      Number(one.sentAt) >= Number(sentAt),
  );

/** @param {Queues} queues @param {Tx} tx @param {boolean} forMore true to raise the transaction's fee before sending it again @returns {Promise<boolean>} */
function isResent(queues, tx, forMore) {
  return queues.locked(tx.account, async () => {
    const canResend =
      (await queues.client.transactionCount(tx.account)) === tx.nonce && (await wouldSucceed(queues, tx)); // send the transaction again only if its nonce is the account's next nonce and it would succeed
    return (
      tx.state === "sent" &&
      canResend &&
      (!forMore || (await bumpFee(queues, tx))) &&
      (await sendRaw(queues, String(tx.raw))) === "taken"
    );
  });
}

/** @param {Queues} queues @param {Tx} tx */
const wouldSucceed = (queues, tx) =>
  queues.client.simulate(tx).then(
    () => true,
    () => false,
  );

/** Send the bytes of a lost transaction again. The caller must hold the account's lock. @param {Queues} queues @param {Tx} tx */
export async function resend(queues, tx) {
  try {
    await queues.client.simulate(tx);
    const { height, baseFee } = await queues.client.currentFees();
    if (tx.fees && tx.fees.maxFeePerGas < baseFee) await bumpFee(queues, tx);
    await queues.client.send(String(tx.raw));
    await queues.transition(tx, "sent", { sentAt: height, reason: undefined });
  } catch (error) {
    await queues.update(tx, { reason: await queues.client.reason(tx, error) });
  }
}

/**
 * Ask the node for the nonce that a wallet has chosen. Without the nonce, the page can't find out
 * later that the transaction was lost. @param {Queues} queues @param {Tx} tx
 */
async function learnNonce(queues, tx) {
  const nonce = await queues.client.transactionNonce(lastOf(tx));
  if (nonce !== null && tx.state === "sent") void queues.update(tx, { nonce });
}

/**
 * Unblock an account's pending transactions. If the transaction with the lowest nonce is late,
 * raise its fee. If there is a gap below its nonce, fill the gap. @param {Queues} queues @param {string} account
 */
async function unblockAccount(queues, account) {
  const [lowest] = queues.list
    .filter((tx) => tx.account === account && tx.state === "sent" && tx.raw)
    .sort((a, b) => Number(a.nonce) - Number(b.nonce));
  if (!lowest || !queues.client.canSign(account)) return;
  const [{ height }, next] = await Promise.all([
    queues.client.currentFees(),
    queues.client.transactionCount(account, "latest"),
  ]);
  const late = height - (lowest.sentAt ?? height) >= PATIENCE_BLOCKS;
  if (next < Number(lowest.nonce)) await queues.locked(account, () => fillGap(queues, account, lowest));
  else if (next === lowest.nonce && lowest.cancelRaw) await sendRaw(queues, lowest.cancelRaw);
  else if (next === lowest.nonce && late) await queues.locked(account, () => bumpUntilTaken(queues, lowest));
}

/**
 * Raise a transaction's fee until the node accepts the transaction. If the fee reaches its limit
 * first, mark the transaction as stuck. @param {Queues} queues @param {Tx} tx
 */
async function bumpUntilTaken(queues, tx) {
  while (tx.state === "sent" && !tx.cancel) {
    if (!(await bumpFee(queues, tx))) return void (tx.stuck || queues.update(tx, { stuck: true }));
    if ((await sendRaw(queues, String(tx.raw))) !== "replacement") return;
  }
}

/**
 * Fill a gap between an account's nonces that a lost transaction has left, for example after a
 * reorg. If the lost transaction would still succeed, send it again. Otherwise, send an empty
 * transfer. @param {Queues} queues @param {string} account @param {Tx} above
 */
async function fillGap(queues, account, above) {
  const nonce = await queues.client.transactionCount(account);
  if (above.state !== "sent" || nonce >= Number(above.nonce)) return; // the gap is closed in the meantime
  const dropped = queues.list.find(
    (tx) => tx.account === account && tx.nonce === nonce && tx.raw && ["dropped", "retracted"].includes(tx.state),
  );
  const canResend = dropped && (await wouldSucceed(queues, dropped));
  const raw = canResend
    ? dropped.raw
    : (await queues.client.signEmpty(account, nonce, await queues.client.currentFees())).raw;
  await sendRaw(queues, String(raw));
}

/**
 * Send a signed transaction. Return "taken" if the node accepts it. Otherwise, return the reason
 * for the rejection. @param {Queues} queues @param {string} raw
 */
export async function sendRaw(queues, raw) {
  try {
    await retryUnavailable(queues, () => queues.client.send(raw), TRIES);
    return "taken";
  } catch (error) {
    return classify(error);
  }
}
