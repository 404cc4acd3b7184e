/**
 * A client for the session registry (contracts/src/Sessions.sol). It also defines the terms that an
 * account signs to authorise a session key.
 */

import { Interface } from "../../lib/ethereum/abi.js";
import { toQuantity } from "../../lib/ethereum/bytes.js";
import { RpcError, rpc } from "../../server/jsonrpc.js";
import sessions from "../tx/sessions.abi.js";

/** @import { TransactionManager } from "../tx/manager.js" */
/** @import { Accounts } from "../wallet/accounts.js" */
/** @import { Block, GameInfo, Health, Json } from "../../types.js" */
/** @typedef {{account: string, key: string, games: string[], until: number, nonce: bigint, deadline: number}} LinkTerms The terms that an account signs to authorise a session key. Times are in seconds since 1970. */
/** @typedef {{name: "Linked"|"Revoked", key: string, games: string[], until: number, block: number}} GrantEvent */

/**
 * @typedef {object} SessionsHost
 * @property {SessionsServer} server
 * @property {Accounts} accounts
 * @property {TransactionManager} transactions
 * @property {() => void} redraw
 * @typedef {{identity: string, health: Health|null, head: Block|null, fee: bigint, games: Map<string, GameInfo>, now: () => number}} SessionsServer
 */

/**
 * @typedef {object} Session A session key, as the page stores it in the browser's database.
 * @property {string} key the session key's address
 * @property {string} secret the session key's private key
 * @property {string} chain the chain's identity: its ID and its genesis hash
 * @property {string} registry
 * @property {string} account the account for which the key acts
 * @property {string[]} games the addresses of the game contracts in which the key can act
 * @property {number} until the time when the key expires, in seconds since 1970
 * @property {number} deadline the time until which the registry accepts the account's signature, in seconds since 1970
 * @property {string} [signature] the account's signature of the terms
 * @property {boolean} linked true if the registry lets the key act for the account
 */

const registry = new Interface(sessions);
/** The EIP-712 types of the terms that an account signs to authorise a session key. */
export const LINK_TYPES = {
  Link: [
    { name: "account", type: "address" },
    { name: "key", type: "address" },
    { name: "games", type: "address[]" },
    { name: "until", type: "uint40" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint40" },
  ],
};
/** The maximum number of blocks for which the gateway answers a request for logs. */
const BLOCKS = 10_000;
export const MAX_GAMES = 16;

/** @param {string} to @param {string} name @param {any[]} args @returns {Promise<any>} */
async function callContract(to, name, args) {
  const answer = await rpc("eth_call", [{ to, data: registry.encodeFunctionData(name, args) }, "latest"]);
  return registry.decodeFunctionResult(name, answer)[0];
}

/** Return the address of the session registry that a game's contract uses. @param {string} game the address of the game's contract @returns {Promise<string>} */
export const registryOf = (game) => callContract(game, "SESSIONS", []);

/** Return the nonce that an account must put into the next terms that it signs. @param {string} at @param {string} account @returns {Promise<bigint>} */
export const nonceOf = (at, account) => callContract(at, "nonceOf", [account]);

/**
 * Return the account for which a key acts in a game at present. This is the result of the
 * registry's function `accountOf`, which game contracts also call. @param {string} at @param {string} key @param {string} game @returns {Promise<string>} the account's address, or the error's name: `Expired` or `NotLinked`
 */
export async function accountOf(at, key, game) {
  try {
    return await callContract(at, "accountOf", [key, game]);
  } catch (error) {
    const name = error instanceof RpcError && error.data ? registry.parseError(error.data)?.name : undefined;
    if (!name) throw error;
    return name;
  }
}

/** @param {string} at @param {number} chainId */
export const domainOf = (at, chainId) => ({
  name: "Chainboard Sessions",
  version: "1",
  chainId,
  verifyingContract: at,
});

/**
 * Return the call data of the transaction that links a key to an account. The key itself must send
 * this transaction, to prove that it agrees. @param {Omit<LinkTerms, "key"|"nonce">} terms @param {string} signature @returns {string} call data
 */
export const linkData = ({ account, games, until, deadline }, signature) =>
  registry.encodeFunctionData("link", [account, games, until, deadline, signature]);

/**
 * Return the call data of the transaction that revokes a key. Its account must send this
 * transaction. @param {string} key @returns {string} call data
 */
export const revokeData = (key) => registry.encodeFunctionData("revoke", [key]);

/** Return the events by which an account has linked or revoked session keys, in chain order. @param {string} at @param {string} account @param {number} first block @param {number} last block @returns {Promise<GrantEvent[]>} */
export async function grantEventsOf(at, account, first, last) {
  const topics = [[registry.topicOf("Linked"), registry.topicOf("Revoked")], wordOf(account)];
  const found = [];
  for (let from = first; from <= last; from += BLOCKS) {
    const to = Math.min(last, from + BLOCKS - 1);
    found.push(
      ...(await rpc("eth_getLogs", [{ address: at, topics, fromBlock: toQuantity(from), toBlock: toQuantity(to) }])),
    );
  }
  return found.map(parseLog);
}

/** Convert an address to a log topic, which is a 32-byte word. @param {string} address */
const wordOf = (address) => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;

/** @param {Json} log @returns {GrantEvent} */
function parseLog({ topics, data, blockNumber }) {
  const { name, args } = /** @type {any} */ (registry.parseLog({ topics, data }));
  return {
    name,
    key: args.key,
    games: [...(args.games ?? [])],
    until: Number(args.until ?? 0),
    block: Number(blockNumber),
  };
}
