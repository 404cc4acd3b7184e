/** What the manager, the tracker and the chain client tell each other of a transaction: types, and which hashes it has. Pure. */

/** @import { Fees, Reason, Tx, TxState } from "../../types.js" */

/** @typedef {{block: number, blockHash: string, hash: string, ok: boolean, opened?: string}} Receipt */
/** @typedef {Fees & {height: number, base: bigint}} Price What one would offer now, after the block of this height with this base fee. */
/** @typedef {{raw: string, hash: string}} Signed */

/**
 * @typedef {object} Door What is asked of the chain; chain-client.js has the real one.
 * @property {(tx: Tx) => Promise<bigint>} simulate at `pending`; the gas limit
 * @property {(account: string, at?: "latest"|"pending") => Promise<number>} count at `pending`, if nothing else is said
 * @property {() => Promise<Price>} price
 * @property {(tx: Tx, gas: bigint, nonce: number, fees: Fees) => Promise<Signed>} sign
 * @property {(account: string, nonce: number, fees: Fees) => Promise<Signed>} signEmpty a transfer of nothing to oneself
 * @property {(account: string) => boolean} canSign whether its key is here
 * @property {(raw: string) => Promise<void>} send
 * @property {(hash: string) => Promise<number|null>} known its nonce, when the node has it, waiting or in a block
 * @property {(hashes: string[]) => Promise<(Receipt|null)[]>} receipts
 * @property {() => Promise<number>} finalHeight of the last block that can't go any more; -1 for none
 * @property {(tx: Tx, receipt: Receipt) => string|undefined} opened
 * @property {(tx: Tx, block: number) => Promise<Reason>} postMortem
 * @property {(tx: Tx, error: unknown) => Reason} reason
 * @property {(tx: Tx) => boolean} walletSends
 * @property {(tx: Tx, gas: bigint) => Promise<string>} sendByWallet
 */

/** @typedef {Pick<Tx, "account"|"to"|"data"|"value"|"gasCap"|"match"|"action"|"game"> & Partial<Pick<Tx, "cell"|"seat">>} Order */

/**
 * @typedef {object} Queues The transactions of this page, one queue per account; manager.js has the real ones.
 * @property {Door} door
 * @property {Tx[]} list the oldest first
 * @property {<T>(account: string, work: () => Promise<T>) => Promise<T>} locked no two tabs at once
 * @property {(tx: Tx, state: TxState, more?: Partial<Tx>) => Promise<void>} step
 * @property {(tx: Tx, fields: Partial<Tx>) => Promise<void>} note
 * @property {(tx: Tx) => Promise<boolean>} offerMore signs it anew with the same nonce for more; false: it is at its limit
 * @property {() => Promise<void>} check looks for the blocks of what was sent
 * @property {(ms: number) => Promise<void>} pause
 */

/** Of all that may take its nonce. @param {Tx} tx */
export const hashesOf = ({ hashes, cancel }) => (cancel ? [...hashes, cancel] : hashes);

/** @param {Tx} tx */
export const lastOf = ({ hashes }) => hashes.at(-1) ?? "";
