/**
 * The states of a transaction. They are the same as in the Python package
 * (tests/fixtures/vectors/transactions.json). This module has no side effects.
 */

/** @import { Tx, TxState } from "../../types.js" */

/** @type {Record<TxState, TxState[]>} */
export const TRANSITIONS = {
  waiting: ["simulated", "refused"], // waiting in its account's queue
  simulated: ["signed", "sent", "refused"], // the simulation succeeded; a wallet signs and sends it in one step
  signed: ["sent", "mined", "failed", "simulated", "refused", "replaced"], // signed and stored on disk, but not sent yet
  sent: ["mined", "failed", "replaced", "dropped", "cancelled"], // the node has accepted it
  mined: ["final", "failed", "sent", "retracted"],
  failed: ["mined", "sent", "retracted"], // mined but reverted, so the nonce and the fee are spent
  dropped: ["sent", "mined", "failed"], // the node no longer has it
  retracted: ["sent", "mined", "failed"], // a reorg removed its block, and the node no longer has it
  refused: [], // not sent, so it used no nonce and cost nothing
  replaced: [], // a transaction from another program has used its nonce
  cancelled: ["sent", "mined", "failed"], // the player cancelled it: an empty transfer has used its nonce
  final: [],
};

/** The time after which the page reports a delay and offers to take the transaction back. */
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
 * Return true if the transaction has an outcome. The state can still change later, for example
 * after a reorg. @param {TxState} state
 */
export const isDone = (state) => !PENDING.includes(state);

/** Return true if the transaction was submitted more than DELAY_MS ago. @param {Tx} tx */
export const isDelayed = ({ at }) => Date.now() - at > DELAY_MS;

/** Return true if the transaction has no outcome and the node hasn't accepted it yet. @param {TxState} state */
export const isUnsent = (state) => isDone(state) === false && state !== "sent";

/** Return true if the transaction's block is final. @param {Tx} tx */
export const isFinal = ({ state }) => state === "final";

/** Return true if the transaction had no effect. Cancelled transactions don't count. @param {Tx} tx */
export const isUnsuccessful = ({ state }) => UNSUCCESSFUL.includes(state);

/** Return true if the transaction had no effect, for example because the player cancelled it. @param {Tx} tx */
export const hasNoEffect = (tx) => isUnsuccessful(tx) || tx.state === "cancelled";

/** Return true if the chain has lost the transaction, so that the same bytes can be sent again. @param {Tx} tx */
export const isRetryable = ({ state }) => RETRYABLE.includes(state);

/** Return true if the tracker still checks the transaction. @param {Tx} tx */
export const isTracked = ({ state, settled }) => TRACKED.includes(state) && !settled;
