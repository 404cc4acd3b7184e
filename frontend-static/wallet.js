/** Whose keys this page can use: wallets made here, a development chain's accounts, and injected ones. */

import { HDNodeWallet, Wallet, getAddress, hexlify, randomBytes } from "./vendor/ethers.min.js";
import { t } from "./words.js";

/** @import { Account } from "./types.js" */

const KEYS = "chainboard.keys";
const ACTIVE = "chainboard.active";
/** Public on purpose: Anvil and Hardhat fund it on every development chain. */
const DEVELOPMENT_MNEMONIC = "test test test test test test test test test test test junk";
const UNKNOWN_CHAIN = 4902;
const RPC_URL = `${globalThis.location?.origin}/api/rpc`;

/** @returns {string[]} */
function storedKeys() {
  try {
    const keys = JSON.parse(localStorage.getItem(KEYS) ?? "[]");
    return Array.isArray(keys) ? keys.filter((key) => /^0x[0-9a-f]{64}$/.test(key)) : [];
  } catch {
    return [];
  }
}

/** @param {string} key @param {number} index @returns {Account} */
const fromKey = (key, index) => ({ address: new Wallet(key).address, kind: "browser", name: String(index + 1), key });

/** The wallets made in this browser; the first visit makes the first one. @returns {Account[]} */
export function browserAccounts() {
  if (storedKeys().length === 0) makeAccount();
  return storedKeys().map(fromKey);
}

/** @returns {Account} */
export function makeAccount() {
  const keys = [...storedKeys(), hexlify(randomBytes(32))];
  localStorage.setItem(KEYS, JSON.stringify(keys));
  return fromKey(keys[keys.length - 1], keys.length - 1);
}

export const rememberedAddress = () => localStorage.getItem(ACTIVE);

/** @param {string} address */
export const rememberAddress = (address) => localStorage.setItem(ACTIVE, address);

/** The accounts that a development chain starts with. Slow (key stretching): only when asked for. @returns {Account[]} */
export function developmentAccounts() {
  const parent = HDNodeWallet.fromPhrase(DEVELOPMENT_MNEMONIC, "", "m/44'/60'/0'/0");
  return Array.from({ length: 10 }, (_, i) => {
    const { address, privateKey } = parent.deriveChild(i);
    return { address, kind: "development", name: String(i), key: privateKey };
  });
}

/** @typedef {{id: string, name: string, provider: any}} Injected */

/**
 * Wallets that live in the browser: EIP-6963 announcements, or the old window.ethereum when nobody announces.
 * @param {(wallets: Injected[]) => void} found
 */
export function discover(found) {
  /** @type {Map<string, Injected>} */
  const wallets = new Map();
  window.addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = /** @type {CustomEvent} */ (event).detail;
    wallets.set(info.uuid, { id: info.uuid, name: String(info.name).slice(0, 40), provider });
    found([...wallets.values()]);
  });
  window.dispatchEvent(new Event("eip6963:requestProvider"));
  const legacy = /** @type {any} */ (window).ethereum;
  if (legacy && wallets.size === 0) found([{ id: "injected", name: "Browser wallet", provider: legacy }]);
}

/**
 * Asks an injected wallet for its account, on our chain; adds the chain when the wallet lacks it. Two development chains
 * can have the same id: the first block tells whether the wallet's is ours.
 * @param {Injected} wallet @param {{chainId: number, genesis: string}} chain @returns {Promise<Account>}
 */
export async function connect({ name, provider }, { chainId, genesis }) {
  const [address] = await provider.request({ method: "eth_requestAccounts" });
  const id = `0x${chainId.toString(16)}`;
  try {
    await provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId: id }] });
  } catch (error) {
    if (!lacksChain(error)) throw error;
    await provider.request({ method: "wallet_addEthereumChain", params: [description(id, chainId)] });
  }
  const first = await provider.request({ method: "eth_getBlockByNumber", params: ["0x0", false] });
  if (first?.hash !== genesis) throw new Error(t("account.other-chain", { chain: chainId, url: RPC_URL }));
  return { address: getAddress(address), kind: "injected", name, provider };
}

/** Some wallets wrap the error of the extension in one of their own. @param {any} error */
const lacksChain = (error) => error?.code === UNKNOWN_CHAIN || error?.data?.originalError?.code === UNKNOWN_CHAIN;

/** @param {string} chainId @param {number} number */
function description(chainId, number) {
  const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
  return { chainId, chainName: `Chainboard ${number}`, nativeCurrency, rpcUrls: [RPC_URL] };
}
