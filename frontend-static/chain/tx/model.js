/** Types that transaction manager, tracker and chain client share, and the hashes of a transaction. Pure. */

/** @import { Fees, Tx } from "../../types.js" */

/** @typedef {{block: number, blockHash: string, hash: string, ok: boolean, opened?: string}} Receipt */
/** @typedef {Fees & {height: number, baseFee: bigint}} CurrentFees What one would offer now, after the block of this height with this base fee. */
/** @typedef {{raw: string, hash: string}} Signed */

/** @typedef {Pick<Tx, "account"|"to"|"data"|"value"|"gasCap"|"match"|"action"|"game"> & Partial<Pick<Tx, "cell"|"seat">>} TxRequest */

/** Of all that may take its nonce. @param {Tx} tx */
export const hashesOf = ({ hashes, cancel }) => (cancel ? [...hashes, cancel] : hashes);

/** @param {Tx} tx */
export const lastOf = ({ hashes }) => hashes.at(-1) ?? "";
