/** The states of a transaction and their transitions, the same as in Python: tests/fixtures/vectors/transactions.json. Pure. */

/** @import { Tx, TxState } from "../../types.js" */

/** @type {Record<TxState, TxState[]>} */
export const TRANSITIONS = {
  waiting: ["simulated", "refused"], // behind an earlier one of its account
  simulated: ["signed", "sent", "refused"], // would succeed now; an injected wallet signs and sends in one
  signed: ["sent", "mined", "failed", "simulated", "refused", "replaced"], // on the disk before it is sent
  sent: ["mined", "failed", "replaced", "dropped", "cancelled"], // the node has it
  mined: ["final", "failed", "sent", "retracted"],
  failed: ["mined", "sent", "retracted"], // in its block: nonce and fee are used
  dropped: ["sent", "mined", "failed"], // the node does not know it any more
  retracted: ["sent", "mined", "failed"], // a reorg took its block, and the node does not have it
  refused: [], // no nonce was used, nothing was spent
  replaced: [], // another program's transaction has its nonce
  cancelled: ["sent", "mined", "failed"], // an empty one of ours has its nonce, by the player's wish; a reorg may bring the original
  final: [],
};

/** In milliseconds. When a transaction takes longer, the page says so and offers to take it back. */
const DELAY_MS = 3000;

/** @type {TxState[]} */
const UNDER_WAY = ["waiting", "simulated", "signed", "sent"];
/** @type {TxState[]} */
const TRACKED = ["sent", "mined", "failed", "dropped", "retracted", "cancelled"];
/** @type {TxState[]} */
const NOWHERE = ["dropped", "retracted"];
/** @type {TxState[]} */
const LOST = ["failed", "refused", "replaced", ...NOWHERE];

/** Whether nothing is awaited any more: a later change (a reorg, say) is shown, but not waited for. @param {TxState} state */
export const isDone = (state) => !UNDER_WAY.includes(state);

/** Whether its sender has waited for a while. @param {Tx} tx */
export const isDelayed = ({ at }) => Date.now() - at > DELAY_MS;

/** Not sent yet: whoever holds it can still send it. @param {TxState} state */
export const isUnsent = (state) => isDone(state) === false && state !== "sent";

/** In a block that can't go any more. To whoever drives the page it is still one that is mined. @param {Tx} tx */
export const isFinal = ({ state }) => state === "final";

/** Whether it ended without effect. @param {Tx} tx */
export const isUnsuccessful = ({ state }) => LOST.includes(state);

/** Whether it had no effect, also because its player cancelled it. @param {Tx} tx */
export const hasNoEffect = (tx) => isUnsuccessful(tx) || tx.state === "cancelled";

/** Whether it was lost from the chain and may be sent again as it is. @param {Tx} tx */
export const isRetryable = ({ state }) => NOWHERE.includes(state);

/** Whether the tracker still checks it: the chain may change its state. @param {Tx} tx */
export const isTracked = ({ state, settled }) => TRACKED.includes(state) && !settled;
