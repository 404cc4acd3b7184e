/**
 * The states of a transaction. They are the same as in Python: see
 * tests/fixtures/vectors/transactions.json. This module has no side effects.
 */

/** @import { Tx, TxState } from "../../types.js" */

/** @type {Record<TxState, TxState[]>} */
export const TRANSITIONS = {
  waiting: ["simulated", "refused"], // in the queue behind an earlier transaction from its account
  simulated: ["signed", "sent", "refused"], // it would succeed now; a wallet signs and sends it in one step
  signed: ["sent", "mined", "failed", "simulated", "refused", "replaced"], // it is on disk and not sent yet
  sent: ["mined", "failed", "replaced", "dropped", "cancelled"], // the node has accepted it
  mined: ["final", "failed", "sent", "retracted"],
  failed: ["mined", "sent", "retracted"], // it was mined but reverted, so its nonce and its fee are used
  dropped: ["sent", "mined", "failed"], // the node no longer has it
  retracted: ["sent", "mined", "failed"], // a reorg removed its block, and the node doesn't have it
  refused: [], // it used no nonce and cost nothing
  replaced: [], // another program's transaction has its nonce
  cancelled: ["sent", "mined", "failed"], // the player's empty transfer has its nonce
  final: [],
};

/** The time after which the page reports a delay and offers to take the transaction back, in ms. */
const DELAY_MS = 3000;

/** @type {TxState[]} */
const PENDING = ["waiting", "simulated", "signed", "sent"];
/** @type {TxState[]} */
const TRACKED = ["sent", "mined", "failed", "dropped", "retracted", "cancelled"];
/** @type {TxState[]} */
const RETRYABLE = ["dropped", "retracted"];
/** @type {TxState[]} */
const UNSUCCESSFUL = ["failed", "refused", "replaced", ...RETRYABLE];

/**
 * Return true if nobody needs to wait for the transaction any longer. Later changes, for example
 * after a reorg, are still shown. @param {TxState} state
 */
export const isDone = (state) => !PENDING.includes(state);

/** Return true if the transaction was submitted more than DELAY_MS ago. @param {Tx} tx */
export const isDelayed = ({ at }) => Date.now() - at > DELAY_MS;

/**
 * Return true if the transaction is not sent yet. If it is signed, anyone who has its bytes can
 * still send it. @param {TxState} state
 */
export const isUnsent = (state) => isDone(state) === false && state !== "sent";

/**
 * Return true if the transaction's block is final. `window.chainboard` reports a final transaction
 * as mined. @param {Tx} tx
 */
export const isFinal = ({ state }) => state === "final";

/** Return true if the transaction ended without an effect and the player didn't cancel it. @param {Tx} tx */
export const isUnsuccessful = ({ state }) => UNSUCCESSFUL.includes(state);

/** Return true if the transaction had no effect, including when the player cancelled it. @param {Tx} tx */
export const hasNoEffect = (tx) => isUnsuccessful(tx) || tx.state === "cancelled";

/** Return true if the chain lost the transaction, so it can be sent again unchanged. @param {Tx} tx */
export const isRetryable = ({ state }) => RETRYABLE.includes(state);

/** Return true if the tracker still checks the transaction, because the chain can change its state. @param {Tx} tx */
export const isTracked = ({ state, settled }) => TRACKED.includes(state) && !settled;
