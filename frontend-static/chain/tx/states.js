/** Transaction states, as in Python: see tests/fixtures/vectors/transactions.json. Pure. */

/** @import { Tx, TxState } from "../../types.js" */

/** @type {Record<TxState, TxState[]>} */
export const TRANSITIONS = {
  waiting: ["simulated", "refused"], // behind an earlier transaction of its account
  simulated: ["signed", "sent", "refused"], // would succeed now; a wallet then signs and sends in one step
  signed: ["sent", "mined", "failed", "simulated", "refused", "replaced"], // on disk before it is sent
  sent: ["mined", "failed", "replaced", "dropped", "cancelled"], // the node has accepted it
  mined: ["final", "failed", "sent", "retracted"],
  failed: ["mined", "sent", "retracted"], // mined, but reverted: nonce and fee are used
  dropped: ["sent", "mined", "failed"], // the node no longer knows it
  retracted: ["sent", "mined", "failed"], // a reorg removed its block, and the node doesn't have it
  refused: [], // no nonce was used, nothing was spent
  replaced: [], // another program's transaction has its nonce
  cancelled: ["sent", "mined", "failed"], // the player's empty transfer has its nonce
  final: [],
};

/** Milliseconds after which the page reports a delay and offers to take the transaction back. */
const DELAY_MS = 3000;

/** @type {TxState[]} */
const PENDING = ["waiting", "simulated", "signed", "sent"];
/** @type {TxState[]} */
const TRACKED = ["sent", "mined", "failed", "dropped", "retracted", "cancelled"];
/** @type {TxState[]} */
const RETRYABLE = ["dropped", "retracted"];
/** @type {TxState[]} */
const UNSUCCESSFUL = ["failed", "refused", "replaced", ...RETRYABLE];

/** True if the transaction needs no further wait. A later change, such as a reorg, is still shown. @param {TxState} state */
export const isDone = (state) => !PENDING.includes(state);

/** True if the transaction was submitted more than DELAY_MS ago. @param {Tx} tx */
export const isDelayed = ({ at }) => Date.now() - at > DELAY_MS;

/**
 * True if the transaction is not sent yet. If it is signed, whoever has its bytes can still send
 * it. @param {TxState} state
 */
export const isUnsent = (state) => isDone(state) === false && state !== "sent";

/** True if the block is final. Programs that drive the page still see such a transaction as mined. @param {Tx} tx */
export const isFinal = ({ state }) => state === "final";

/** True if the transaction ended without an effect, and the player didn't cancel it. @param {Tx} tx */
export const isUnsuccessful = ({ state }) => UNSUCCESSFUL.includes(state);

/** True if the transaction had no effect, including when the player cancelled it. @param {Tx} tx */
export const hasNoEffect = (tx) => isUnsuccessful(tx) || tx.state === "cancelled";

/** True if the chain lost the transaction, so it can be sent again unchanged. @param {Tx} tx */
export const isRetryable = ({ state }) => RETRYABLE.includes(state);

/** True if the tracker still checks the transaction, because the chain may change its state. @param {Tx} tx */
export const isTracked = ({ state, settled }) => TRACKED.includes(state) && !settled;
