/** What becomes of transactions that were sent: blocks that come and go, fees that are too low, gaps; one look at all of them. */

import { raised } from "./fees.js";
import { hashesOf, lastOf } from "./model.js";
import { nodeSays } from "./node-errors.js";
import { isKnown, stands } from "./nonce.js";
import { NodeLost } from "../../server/jsonrpc.js";
import { isWatched } from "./states.js";

/** @import { Queues, Receipt } from "./model.js" */
/** @import { Fees, Tx } from "../../types.js" */

const PATIENCE_BLOCKS = 2;
const TRIES = 4;
const RETRY_MS = 200;
/** What did not happen is looked for so long: a node that lags may have it after all. */
const NOWHERE_MS = 900_000;
const SEEN = ["mined", "failed"];

/** Throws NodeLost or NodeRefusal; what was found before stays. @param {Queues} all */
export async function settleAll(all) {
  const watched = all.list.filter(isWatched);
  const [found, final] = await Promise.all([all.door.receipts(watched.flatMap(hashesOf)), all.door.finalHeight()]);
  const receipts = new Map(found.flatMap((receipt) => (receipt ? [[receipt.hash, receipt]] : [])));
  for (const tx of watched) {
    const receipt = hashesOf(tx).map((hash) => receipts.get(hash)).find(Boolean);
    if (receipt) await land(all, tx, receipt, final);
    else await miss(all, tx);
  }
  for (const account of new Set(watched.map((tx) => tx.account))) await unstick(all, account);
}

/** It is in a block, maybe in another one than before. @param {Queues} all @param {Tx} tx @param {Receipt} receipt @param {number} final */
async function land(all, tx, receipt, final) {
  const { block, blockHash, hash, ok } = receipt;
  if (hash === tx.cancel) return void (tx.state === "sent" && all.step(tx, "cancelled", { block, blockHash }));
  const untold = tx.match === "" && !tx.opened; // an event was seen before the receipt, which names the match
  if (!SEEN.includes(tx.state) || tx.blockHash !== blockHash || (tx.state === "mined") !== ok || untold) {
    const fields = { block, blockHash, opened: all.door.opened(tx, receipt), reason: ok ? undefined : await all.door.postMortem(tx, block) };
    const state = ok ? "mined" : "failed";
    if (!isWatched(tx)) return;
    void (tx.state === state ? all.note(tx, fields) : all.step(tx, state, fields));
  }
  if (block > final) return;
  void (tx.state === "mined" ? all.step(tx, "final") : all.note(tx, { settled: true }));
}

/** No block has it, or none any more. @param {Queues} all @param {Tx} tx */
async function miss(all, tx) {
  if (tx.state === "sent") {
    if (tx.nonce === undefined) return adopt(all, tx);
    return (await isKnown(all, tx)) ? undefined : lose(all, tx);
  }
  const known = (await all.door.known(lastOf(tx))) !== null;
  if (!isWatched(tx)) return;
  if (known) void all.step(tx, "sent", { block: undefined, blockHash: undefined, opened: undefined, reason: undefined });
  else if (SEEN.includes(tx.state)) void all.step(tx, "retracted", { since: Date.now(), block: undefined, blockHash: undefined, opened: undefined, reason: { sentence: { key: "tx.why-retracted" }, small: lastOf(tx) } });
  else if (Date.now() - (tx.since ?? 0) > NOWHERE_MS) void all.note(tx, { settled: true });
}

/** The node does not know it any more. Some drop what is too cheap for a block, Anvil for one: that is paid more for at once. @param {Queues} all @param {Tx} tx */
async function lose(all, tx) {
  const { base } = await all.door.price();
  const cheap = tx.fees && tx.fees.maxFeePerGas < base && !tx.cancel;
  if (cheap && all.door.canSign(tx.account) && (await isRaised(all, tx))) return;
  await stands(all, tx);
  if (cheap && tx.state === "dropped") void all.note(tx, { reason: { sentence: { key: "tx.too-cheap" }, small: lastOf(tx) } });
}

/** @param {Queues} all @param {Tx} tx @returns {Promise<boolean>} */
function isRaised(all, tx) {
  return all.locked(tx.account, async () => {
    const fits = (await all.door.count(tx.account)) === tx.nonce && (await isPossible(all, tx)); // in the order of their nonces
    return tx.state === "sent" && fits && (await all.offerMore(tx)) && (await send(all, String(tx.raw))) === "taken";
  });
}

/** @param {Queues} all @param {Tx} tx */
const isPossible = (all, tx) => all.door.simulate(tx).then(() => true, () => false);

/** Offers its own bytes to the node again. Under the lock. @param {Queues} all @param {Tx} tx */
export async function resend(all, tx) {
  try {
    await all.door.simulate(tx);
    const { height, base } = await all.door.price();
    if (tx.fees && tx.fees.maxFeePerGas < base) await all.offerMore(tx);
    await all.door.send(String(tx.raw));
    await all.step(tx, "sent", { sentAt: height, reason: undefined });
  } catch (error) {
    await all.note(tx, { reason: all.door.reason(tx, error) });
  }
}

/** A wallet chose the nonce: it is known once the node has the transaction, and only then it can be missed. @param {Queues} all @param {Tx} tx */
async function adopt(all, tx) {
  const nonce = await all.door.known(lastOf(tx));
  if (nonce !== null && tx.state === "sent") void all.note(tx, { nonce });
}

/** An account's lowest one keeps all others waiting: it is paid more, or what is missing below it is filled. @param {Queues} all @param {string} account */
async function unstick(all, account) {
  const [lowest] = all.list.filter((tx) => tx.account === account && tx.state === "sent" && tx.raw).sort((a, b) => Number(a.nonce) - Number(b.nonce));
  if (!lowest || !all.door.canSign(account)) return;
  const [{ height }, next] = await Promise.all([all.door.price(), all.door.count(account, "latest")]);
  const late = height - (lowest.sentAt ?? height) >= PATIENCE_BLOCKS;
  if (next < Number(lowest.nonce)) await all.locked(account, () => fill(all, account, lowest));
  else if (next === lowest.nonce && lowest.cancelRaw) await send(all, lowest.cancelRaw);
  else if (next === lowest.nonce && late) await all.locked(account, () => pay(all, lowest));
}

/** Offers more for one that the chain could take next, in as many steps as the node wants. @param {Queues} all @param {Tx} tx */
async function pay(all, tx) {
  while (tx.state === "sent" && !tx.cancel) {
    if (!(await all.offerMore(tx))) return void (tx.stuck || all.note(tx, { stuck: true }));
    if ((await send(all, String(tx.raw))) !== "replacement") return;
  }
}

/**
 * A lower one went, by a reorg say, and nobody sends anything in its place: its own bytes again when they still do what they
 * did, else a transfer of nothing.
 * @param {Queues} all @param {string} account @param {Tx} above
 */
async function fill(all, account, above) {
  const nonce = await all.door.count(account);
  if (above.state !== "sent" || nonce >= Number(above.nonce)) return; // somebody's waits there
  const gone = all.list.find((tx) => tx.account === account && tx.nonce === nonce && tx.raw && ["dropped", "retracted"].includes(tx.state));
  const fits = gone && (await isPossible(all, gone));
  const raw = fits ? gone.raw : (await all.door.signEmpty(account, nonce, await all.door.price())).raw;
  await send(all, String(raw));
}

/** The next look tells what came of it; here, why the node does not take it. @param {Queues} all @param {string} raw */
async function send(all, raw) {
  for (let tries = 1; ; tries++) {
    try {
      await all.door.send(raw);
      return "taken";
    } catch (error) {
      if (!(error instanceof NodeLost) || tries === TRIES) return nodeSays(error);
      await all.pause(tries * RETRY_MS);
    }
  }
}

/** Takes back what waits: an empty transfer with its nonce, for more. @param {Queues} all @param {Tx} tx */
export function cancel(all, tx) {
  return all.locked(tx.account, async () => {
    if (tx.state !== "sent" || tx.nonce === undefined || tx.cancel) return;
    const price = await all.door.price();
    const old = /** @type {Fees} */ (tx.fees);
    const fees = raised(old, price, old.maxFeePerGas * 100n);
    if (!fees) return;
    const { raw, hash } = await all.door.signEmpty(tx.account, tx.nonce, fees);
    await all.note(tx, { cancel: hash, cancelRaw: raw });
    await send(all, raw);
    void all.check();
  });
}

/** Lets it cost more. @param {Queues} all @param {Tx} tx */
export function allowMore(all, tx) {
  void all.note(tx, { stuck: false, limit: (tx.limit ?? 0n) * 2n, sentAt: 0 });
  return all.check();
}
