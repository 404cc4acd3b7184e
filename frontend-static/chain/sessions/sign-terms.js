/** An account's signature under what a session key may do, by its wallet or by its key in this browser. */

import { attempt } from "../../lib/storage.js";
import { signAs } from "../wallet/sign.js";
import { recoverTypedData } from "../wallet/signer.js";
import { WalletRefusal } from "../wallet/eip1193.js";
import { rpc } from "../../server/jsonrpc.js";
import { LINK_TYPES, domainOf } from "./registry.js";

/** @import { Account, Health } from "../../types.js" */
/** @import { LinkTerms } from "./registry.js" */

/** @param {Account} account @param {Health} health @param {string} registry @param {LinkTerms} terms @returns {Promise<string>} Throws WalletRefusal. */
export async function signTerms(account, health, registry, terms) {
  const domain = domainOf(registry, health.chainId);
  const value = { domain, types: LINK_TYPES, primaryType: "Link", message: terms };
  const signature = await signAs(account, health, value);
  const signer = attempt(() => recoverTypedData(value, signature)); // none of a contract account's (ERC-1271)
  // Checked before anything is paid. A contract account's signature only the registry can check.
  if (signer !== account.address && (await rpc("eth_getCode", [account.address, "latest"])) === "0x")
    throw new WalletRefusal({ key: "error.BadSignature", args: { account: account.address } });
  return signature;
}
