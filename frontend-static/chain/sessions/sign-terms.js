/**
 * Signs the terms of a session key, either with the account's wallet or with the account's key in
 * this browser.
 */

import { attempt } from "../../lib/storage.js";
import { signAs } from "../wallet/sign.js";
import { recoverTypedData } from "../wallet/signer.js";
import { WalletRejection } from "../wallet/eip1193.js";
import { rpc } from "../../server/jsonrpc.js";
import { LINK_TYPES, domainOf } from "./registry.js";

/** @import { Account, Health } from "../../types.js" */
/** @import { LinkTerms } from "./registry.js" */

/** @param {Account} account @param {Health} health @param {string} registry @param {LinkTerms} terms @returns {Promise<string>} Throws WalletRejection. */
export async function signTerms(account, health, registry, terms) {
  const domain = domainOf(registry, health.chainId);
  const value = { domain, types: LINK_TYPES, primaryType: "Link", message: terms };
  const signature = await signAs(account, health, value);
  // Check the signature before the account pays for anything. For an account that is a contract
  // (ERC-1271), only the registry can verify the signature, so the page doesn't check it.
  const signer = attempt(() => recoverTypedData(value, signature));
  if (signer !== account.address && (await rpc("eth_getCode", [account.address, "latest"])) === "0x")
    throw new WalletRejection({ key: "error.BadSignature", args: { account: account.address } });
  return signature;
}
