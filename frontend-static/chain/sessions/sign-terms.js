/** An account's signature under what a session key may do, by its wallet or by its key in this browser. */

import { Wallet } from "../../vendor/ethers.min.js";
import { WalletRefusal, signByWallet } from "../wallet/eip1193.js";
import { rpc } from "../../server/jsonrpc.js";
import { signWith, signerOf, typedData } from "./registry.js";

/** @import { Account, Health } from "../../types.js" */
/** @import { LinkTerms } from "./registry.js" */

/** @param {Account} account @param {Health} health @param {string} registry @param {LinkTerms} terms @returns {Promise<string>} Throws WalletRefusal. */
export async function signTerms(account, health, registry, terms) {
  const { chainId } = health;
  const signature = account.provider
    ? await signByWallet(account, health, typedData(registry, chainId, terms))
    : await signWith(new Wallet(String(account.key)), registry, chainId, terms);
  const signer = signerOf(registry, chainId, terms, signature);
  // Checked before anything is paid. A contract account's signature only the registry can check.
  if (signer !== account.address && (await rpc("eth_getCode", [account.address, "latest"])) === "0x")
    throw new WalletRefusal({ key: "error.BadSignature", args: { account: account.address } });
  return signature;
}
