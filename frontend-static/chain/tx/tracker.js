/** Tracks sent transactions: receipts, reorgs, fees that are too low, nonce gaps. */

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
/** How long a missing transaction is looked for: a node that lags may have it after all. */
const NOWHERE_MS = 900_000;
const SEEN = ["mined", "failed"];

/**
 * Checks all tracked transactions once. Throws NodeUnavailable or RpcError; what was found before stays.
 * Of those in blocks the newest stands for all that the last check saw: a block that is still there has its ancestors.
 * @param {Queues} queues
 */
export async function checkAll(queues) {
  const tracked = queues.list.filter(isTracked);
  const seen = tracked.filter(isSeen).sort((one, other) => Number(other.block) - Number(one.block));
  const others = tracked.filter((tx) => !isSeen(tx));
  const isCalm = seen.every(({ id, blockHash }) => queues.checkedBlocks.get(id) === blockHash);
  const requested = [...(isCalm ? seen.slice(0, 1) : seen), ...others]; // the newest first: what an older one says holds then, too
  const [receipts, final] = await Promise.all([receiptsOf(queues, requested), queues.client.finalHeight()]);
  if (isCalm && seen.length > 1 && receipts.get(seen[0])?.blockHash !== seen[0].blockHash)
    for (const [tx, receipt] of await receiptsOf(queues, seen.slice(1))) receipts.set(tx, receipt);
  const due = seen.filter((tx) => !receipts.has(tx) && Number(tx.block) <= final); // final by its own receipt, once
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

/** Their receipts, null where no block has one. @param {Queues} queues @param {Tx[]} all @returns {Promise<Map<Tx, Receipt|null>>} */
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

/** Records the block of a transaction, maybe another one than before. @param {Queues} queues @param {Tx} tx @param {Receipt} receipt */
async function onMined(queues, tx, receipt) {
  const { block, blockHash, hash, ok } = receipt;
  if (hash === tx.cancel) {
    if (tx.state === "cancelled" && tx.blockHash === blockHash) return;
    if (tx.state !== "sent") void queues.transition(tx, "sent", { opened: undefined, reason: undefined });
    return void queues.transition(tx, "cancelled", { block, blockHash });
  }
  const isMatchUnknown = tx.match === "" && !tx.opened; // an event was seen before the receipt, which names the match
  if (isSeen(tx) && tx.blockHash === blockHash && (tx.state === "mined") === ok && !isMatchUnknown) return;
  const fields = {
    block,
    blockHash,
    opened: await queues.client.openedMatch(tx, receipt),
    reason: ok ? undefined : await queues.client.postMortem(tx, block),
  };
  const state = ok ? "mined" : "failed";
  if (isTracked(tx)) void (tx.state === state ? queues.update(tx, fields) : queues.transition(tx, state, fields));
}

/** Ends the tracking of what is in a block that can't go any more. @param {Queues} queues @param {Tx} tx @param {number} final */
function settle(queues, tx, final) {
  if (!isTracked(tx) || !(isSeen(tx) || tx.state === "cancelled") || Number(tx.block) > final) return;
  void (tx.state === "mined" ? queues.transition(tx, "final") : queues.update(tx, { settled: true }));
}

/** Records that no block has a transaction, or none any more. @param {Queues} queues @param {Tx} tx */
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
  else if (Date.now() - (tx.since ?? 0) > NOWHERE_MS) void queues.update(tx, { settled: true });
}

/**
 * Handles one that the node dropped. Some nodes drop what is too cheap for a block, and all that follow it (Anvil does): its fee is
 * raised at once, and those are sent again as they are.
 * @param {Queues} queues @param {Tx} tx
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

/** Whether the account signed a lower nonce again after it sent this one. @param {Queues} queues @param {Tx} tx */
const followsRaised = ({ list }, { account, nonce, sentAt }) =>
  list.some(
    (one) =>
      one.account === account &&
      one.raises &&
      Number(one.nonce) < Number(nonce) &&
      Number(one.sentAt) >= Number(sentAt),
  );

/** @param {Queues} queues @param {Tx} tx @param {boolean} forMore whether its fee is raised @returns {Promise<boolean>} */
function isResent(queues, tx, forMore) {
  return queues.locked(tx.account, async () => {
    const canResend =
      (await queues.client.transactionCount(tx.account)) === tx.nonce && (await wouldSucceed(queues, tx)); // in the order of their nonces
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

/** Sends its own bytes again. Call it under the account's lock. @param {Queues} queues @param {Tx} tx */
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

/** Learns the nonce that a wallet chose, from the node. Before that a transaction can't be missed. @param {Queues} queues @param {Tx} tx */
async function learnNonce(queues, tx) {
  const nonce = await queues.client.transactionNonce(lastOf(tx));
  if (nonce !== null && tx.state === "sent") void queues.update(tx, { nonce });
}

/** Unblocks an account's queue: raises the fee of its lowest nonce, or fills the gap below. @param {Queues} queues @param {string} account */
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

/** Raises the fee of the next transaction until the node takes it, or its limit is reached. @param {Queues} queues @param {Tx} tx */
async function bumpUntilTaken(queues, tx) {
  while (tx.state === "sent" && !tx.cancel) {
    if (!(await bumpFee(queues, tx))) return void (tx.stuck || queues.update(tx, { stuck: true }));
    if ((await sendRaw(queues, String(tx.raw))) !== "replacement") return;
  }
}

/**
 * A lower transaction vanished, by a reorg say, and leaves a nonce gap: its own bytes are sent again when they still do what they
 * did, else a transfer of nothing.
 * @param {Queues} queues @param {string} account @param {Tx} above
 */
async function fillGap(queues, account, above) {
  const nonce = await queues.client.transactionCount(account);
  if (above.state !== "sent" || nonce >= Number(above.nonce)) return; // somebody's waits there
  const dropped = queues.list.find(
    (tx) => tx.account === account && tx.nonce === nonce && tx.raw && ["dropped", "retracted"].includes(tx.state),
  );
  const canResend = dropped && (await wouldSucceed(queues, dropped));
  const raw = canResend
    ? dropped.raw
    : (await queues.client.signEmpty(account, nonce, await queues.client.currentFees())).raw;
  await sendRaw(queues, String(raw));
}

/** Sends bytes; returns "taken", or the kind of the node's refusal. The next check finds what became of it. @param {Queues} queues @param {string} raw */
export async function sendRaw(queues, raw) {
  try {
    await retryUnavailable(queues, () => queues.client.send(raw), TRIES);
    return "taken";
  } catch (error) {
    return classify(error);
  }
}
