/**
 * A client for a wallet in the browser (EIP-1193). The wallet has the keys and chooses the nonces.
 */

import { getAddress } from "../../lib/ethereum/address.js";
import { toQuantity } from "../../lib/ethereum/bytes.js";
import { readList, writeJson } from "../../lib/storage.js";
import { rpc } from "../../server/jsonrpc.js";
import { classify } from "../../server/node-errors.js";
import { coinSymbol, longHex } from "../../i18n/translate.js";
import { WalletRejection } from "./eip1193.js";

/** @import { Account, Health, I18nText, Json, Tx } from "../../types.js" */
/** @import { InjectedWallet } from "./eip1193.js" */

const UNKNOWN_CHAIN = 4902;
const RPC_URL = `${globalThis.location?.origin}/api/rpc`;
const LOOKUP_TIMEOUT_MS = 15_000;

/** For each error code in EIP-1193 and EIP-1474, the message key of the text for players. @type {Record<number, string>} */
const CODES = {
  4001: "node.declined",
  4100: "node.wallet-locked",
  4900: "node.wallet-gone",
  4901: "node.wallet-gone",
  [-32002]: "node.wallet-asks",
};

/**
 * Send a request to a wallet. If the wallet returns an error, throw a WalletRejection with a text
 * for players instead. @param {any} provider @param {string} method @param {any[]} [params] @returns {Promise<any>} Throws WalletRejection.
 */
export async function requestWallet(provider, method, params) {
  try {
    return await provider.request(params ? { method, params } : { method });
  } catch (error) {
    throw asWalletRejection(error);
  }
}

/**
 * Convert a wallet's error to a WalletRejection. An error with revert data stays unchanged, because
 * the data contain the contract's reason. @param {any} error
 */
function asWalletRejection(error) {
  if (error instanceof WalletRejection || error?.data?.data || typeof error?.data === "string") return error;
  const message = String(error?.message ?? error);
  const kind = classify(message);
  if (kind === "low" || kind === "high") return new WalletRejection({ key: "node.wallet-nonce" }, message);
  const key = CODES[error?.code] ?? (kind === "funds" ? "node.funds" : "node.wallet-refused");
  return Object.assign(new WalletRejection({ key }, message), { code: error?.code, data: error?.data });
}

/**
 * Ask a wallet in the browser for an account, and switch the wallet to the page's chain. If the
 * wallet doesn't know the chain, add it first. Then compare the genesis blocks, because two
 * development chains can have the same ID.
 * @param {InjectedWallet} wallet @param {Pick<Health, "chainId"|"genesis">} chain @returns {Promise<Account>} Throws WalletRejection.
 */
export async function connect({ name, provider }, { chainId, genesis }) {
  const [address] = await requestWallet(provider, "eth_requestAccounts");
  if (!address) throw new WalletRejection({ key: "node.wallet-locked" });
  const id = toQuantity(chainId);
  const network = `${chainId} ${name}`;
  let served = readList(NETWORKS).includes(network);
  try {
    await requestWallet(provider, "wallet_switchEthereumChain", [{ chainId: id }]);
  } catch (error) {
    if (!lacksChain(error)) throw error;
    await requestWallet(provider, "wallet_addEthereumChain", [
      {
        chainId: id,
        chainName: `Chainboard ${chainId}`,
        nativeCurrency: { name: coinSymbol(), symbol: coinSymbol(), decimals: 18 },
        rpcUrls: [RPC_URL],
      },
    ]);
    writeJson(NETWORKS, [...new Set([...readList(NETWORKS), network])]);
    served = true;
  }
  await checkGenesis(provider, { chainId, genesis });
  return { address: getAddress(address), kind: "injected", name, provider, usesThisServer: served };
}

/**
 * The localStorage key for the networks that the page has added to wallets. On these networks, the
 * wallet's node is this server.
 */
const NETWORKS = "chainboard.networks";

/**
 * Return true if a wallet's error means that the wallet doesn't know the chain. Some wallets wrap
 * this error in another error. @param {any} error
 */
const lacksChain = (error) => error?.code === UNKNOWN_CHAIN || error?.data?.originalError?.code === UNKNOWN_CHAIN;

/** @param {any} provider @param {Pick<Health, "chainId"|"genesis">} chain */
async function checkGenesis(provider, { chainId, genesis }) {
  const first = await requestWallet(provider, "eth_getBlockByNumber", ["0x0", false]);
  if (first?.hash !== genesis)
    throw new WalletRejection({ key: "account.other-chain", args: { chain: chainId, url: RPC_URL } });
}

/**
 * Check that a wallet still uses the account and the network with which the page connected. Called
 * before each request, because the wallet's user can switch at any time.
 * @param {Account} account @param {Pick<Health, "chainId"|"genesis">} chain Throws WalletRejection.
 */
export async function checkWallet({ address, name, provider }, chain) {
  const [has, accounts] = await Promise.all([
    requestWallet(provider, "eth_chainId"),
    requestWallet(provider, "eth_accounts"),
  ]);
  const reject = (/** @type {string} */ key, args = {}) => {
    throw new WalletRejection({ key, args: { wallet: name, ...args } });
  };
  if (Number(has) !== chain.chainId) reject("why.wallet-chain", { has: Number(has), chain: chain.chainId });
  const offered = /** @type {string[]} */ (accounts).map((one) => getAddress(one));
  if (offered.length === 0) reject("why.wallet-gone");
  if (!offered.includes(address)) reject("why.wallet-account", { uses: longHex(offered[0]), wants: longHex(address) });
  await checkGenesis(provider, chain);
}

/** Ask the wallet to sign and send a transaction. @param {Account} account @param {Pick<Health, "chainId"|"genesis">} chain @param {Json} call @returns {Promise<string>} the transaction's hash. Throws WalletRejection. */
export async function sendByWallet(account, chain, call) {
  await checkWallet(account, chain);
  return requestWallet(account.provider, "eth_sendTransaction", [call]);
}

/** Ask the wallet to sign typed data (EIP-712). @param {Account} account @param {Pick<Health, "chainId"|"genesis">} chain @param {string} terms the typed data, as JSON with `types`, `domain`, `primaryType` and `message` @returns {Promise<string>} Throws WalletRejection. */
export async function signByWallet(account, chain, terms) {
  await checkWallet(account, chain);
  return requestWallet(account.provider, "eth_signTypedData_v4", [account.address, terms]);
}

/** Call `changed` whenever the wallet changes its account or network, or loses its connection. @param {Account} account @param {(what: "accounts"|"chain"|"gone", value: any) => void} changed */
export function onWalletChange({ provider }, changed) {
  provider.on?.("accountsChanged", (/** @type {string[]} */ accounts) => changed("accounts", accounts));
  provider.on?.("chainChanged", (/** @type {string} */ id) => changed("chain", id));
  provider.on?.("disconnect", () => changed("gone", undefined));
}

/**
 * For each transaction from a wallet, the time when the page first looked for it at the server's
 * node, in milliseconds since 1970. @type {WeakMap<Tx, number>}
 */
const awaited = new WeakMap();

/**
 * Return the reason why a transaction from a wallet can't be mined, or null. If the chain was
 * restarted, the wallet's nonce can be too high. The wallet might also have sent the transaction to
 * a node on a different chain.
 * @param {Tx} tx a transaction that a wallet has sent @returns {Promise<I18nText|null>}
 */
export async function whyStuck(tx) {
  const since = awaited.get(tx) ?? Date.now();
  awaited.set(tx, since);
  const found = await rpc("eth_getTransactionByHash", [tx.hashes[0]]);
  if (!found) return Date.now() - since > LOOKUP_TIMEOUT_MS ? { key: "tx.wallet-elsewhere" } : null;
  if (found.blockNumber) return null;
  const count = Number(await rpc("eth_getTransactionCount", [tx.account, "pending"]));
  const nonce = Number(found.nonce);
  return nonce > count ? { key: "tx.wallet-ahead", args: { nonce, count } } : null;
}
