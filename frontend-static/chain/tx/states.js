/**
 * The states of a transaction, and the states that can follow each state. The Python package has
 * the same states (tests/fixtures/vectors/transactions.json). This module has no side effects.
 */

/** @import { Tx, TxState } from "../../types.js" */

/** @type {Record<TxState, TxState[]>} */
export const TRANSITIONS = {
  waiting: ["simulated", "refused"], // waits for its turn in the account's queue
  simulated: ["signed", "sent", "refused"], // the simulation has succeeded; a wallet signs and sends the transaction in a single step
  signed: ["sent", "mined", "failed", "simulated", "refused", "replaced"], // the signed bytes are on disk, but the node hasn't accepted them yet
  sent: ["mined", "failed", "replaced", "dropped", "cancelled"], // the node has accepted the transaction
  mined: ["final", "failed", "sent", "retracted"],
  failed: ["mined", "sent", "retracted"], // the transaction was mined but reverted, so its nonce and fee are spent
  dropped: ["sent", "mined", "failed"], // the node no longer has the transaction
  retracted: ["sent", "mined", "failed"], // a reorg has removed the transaction's block, and the node no longer has the transaction
  refused: [], // the transaction wasn't sent, so it used no nonce and cost nothing
  replaced: [], // another program's transaction has used the nonce
  cancelled: ["sent", "mined", "failed"], // the player has cancelled the transaction, and an empty transfer has used its nonce
  final: [],
};

/** The age at which the page reports that a transaction is delayed, and offers to take it back. */
const DELAY_MS = 3000;

/** @type {TxState[]} */
const PENDING = ["waiting", "simulated", "signed", "sent"];
/** @type {TxState[]} */
const TRACKED = ["sent", "mined", "failed", "dropped", "retracted", "cancelled"];
/** @type {TxState[]} */
const RETRYABLE = ["dropped", "retracted"];
/** @type {TxState[]} */
const UNSUCCESSFUL = ["failed", "refused", "replaced", ...RETRYABLE];

/** Return true if a transaction in this state has an outcome, which a reorg can still change. @param {TxState} state */
export const isDone = (state) => !PENDING.includes(state);

/** Return true if the player submitted the transaction more than DELAY_MS milliseconds ago. @param {Tx} tx */
export const isDelayed = ({ at }) => Date.now() - at > DELAY_MS;

/** Return true if a transaction in this state is pending and the node hasn't accepted it yet. @param {TxState} state */
export const isUnsent = (state) => isDone(state) === false && state !== "sent";

/** Return true if the transaction is in a final block. @param {Tx} tx */
export const isFinal = ({ state }) => state === "final";

/** Return true if the transaction had no effect and the player hasn't cancelled it. @param {Tx} tx */
export const isUnsuccessful = ({ state }) => UNSUCCESSFUL.includes(state);

/** Return true if the transaction had no effect, including cancelled transactions. @param {Tx} tx */
export const hasNoEffect = (tx) => isUnsuccessful(tx) || tx.state === "cancelled";

/** Return true if the chain has lost the transaction, so that it can be sent again. @param {Tx} tx */
export const isRetryable = ({ state }) => RETRYABLE.includes(state);

/** Return true if the tracker still checks the transaction for changes. @param {Tx} tx */
export const isTracked = ({ state, settled }) => TRACKED.includes(state) && !settled;
