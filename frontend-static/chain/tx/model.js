/**
 * Types that the transaction manager, the tracker and the chain client share, and functions that
 * return a transaction's hashes. This module has no side effects.
 */

/** @import { Fees, Tx } from "../../types.js" */

/** @typedef {{block: number, blockHash: string, hash: string, ok: boolean, opened?: string}} Receipt */
/** @typedef {Fees & {height: number, baseFee: bigint}} CurrentFees The fees that the page suggests. `height`: the newest block from which they were derived. `baseFee`: the base fee from which they were derived. */
/** @typedef {{raw: string, hash: string}} Signed */

/** @typedef {Pick<Tx, "account"|"to"|"data"|"value"|"gasCap"|"match"|"action"|"game"> & Partial<Pick<Tx, "cell"|"seat">>} TxRequest */

/**
 * Return the hashes of all signed versions of a transaction. This includes the empty transfer that
 * cancels it. @param {Tx} tx
 */
export const hashesOf = ({ hashes, cancel }) => (cancel ? [...hashes, cancel] : hashes);

/** @param {Tx} tx */
export const lastOf = ({ hashes }) => hashes.at(-1) ?? "";
