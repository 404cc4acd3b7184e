/** Types that manager, tracker and chain client share, and the hashes of a transaction. Pure. */

/** @import { Fees, Reason, Tx, TxState } from "../../types.js" */

/** @typedef {{block: number, blockHash: string, hash: string, ok: boolean, opened?: string}} Receipt */
/** @typedef {Fees & {height: number, baseFee: bigint}} CurrentFees What one would offer now, after the block of this height with this base fee. */
/** @typedef {{raw: string, hash: string}} Signed */

/**
 * @typedef {object} ChainBackend What manager and tracker need of a chain; ChainClient is the real one, tests have another.
 * @property {(tx: Tx) => Promise<bigint>} simulate at `pending`; the gas limit
 * @property {(account: string, at?: "latest"|"pending") => Promise<number>} transactionCount at `pending`, by default
 * @property {() => Promise<CurrentFees>} currentFees
 * @property {(tx: Tx, gas: bigint, nonce: number, fees: Fees) => Promise<Signed>} sign
 * @property {(account: string, nonce: number, fees: Fees) => Promise<Signed>} signEmpty a transfer of nothing to oneself
 * @property {(account: string) => boolean} canSign whether its key is here
 * @property {(raw: string) => Promise<void>} send
 * @property {(hash: string) => Promise<number|null>} transactionNonce its nonce, when the node has it, waiting or in a block
 * @property {(hashes: string[]) => Promise<(Receipt|null)[]>} receipts
 * @property {() => Promise<number>} finalHeight of the last final block; -1 for none
 * @property {(tx: Tx, receipt: Receipt) => string|undefined} openedMatch
 * @property {(tx: Tx, block: number) => Promise<Reason>} postMortem
 * @property {(tx: Tx, error: unknown) => Reason} reason
 * @property {(tx: Tx) => boolean} walletSends
 * @property {(tx: Tx, gas: bigint) => Promise<string>} sendByWallet
 */

/** @typedef {Pick<Tx, "account"|"to"|"data"|"value"|"gasCap"|"match"|"action"|"game"> & Partial<Pick<Tx, "cell"|"seat">>} TxRequest */

/**
 * @typedef {object} TransactionQueues The transactions of this page, one queue per account; manager.js has the real ones.
 * @property {ChainBackend} client
 * @property {Tx[]} list the oldest first
 * @property {<T>(account: string, work: () => Promise<T>) => Promise<T>} locked no two tabs at once
 * @property {(tx: Tx, state: TxState, more?: Partial<Tx>) => Promise<void>} transition
 * @property {(tx: Tx, fields: Partial<Tx>) => Promise<void>} update
 * @property {() => Promise<void>} check looks for the blocks of what was sent
 * @property {(ms: number) => Promise<void>} sleep
 */

/** Of all that may take its nonce. @param {Tx} tx */
export const hashesOf = ({ hashes, cancel }) => (cancel ? [...hashes, cancel] : hashes);

/** @param {Tx} tx */
export const lastOf = ({ hashes }) => hashes.at(-1) ?? "";
