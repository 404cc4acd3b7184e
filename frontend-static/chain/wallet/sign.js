/**
 * Signs typed data (EIP-712), either with an account's wallet or with the account's key in this
 * browser.
 */

import { signTypedData, typedDataJson } from "./signer.js";

export { recoverTypedData } from "./signer.js";

/** @import { Account, Health } from "../../types.js" */
/** @import { TypedDataValue } from "./signer.js" */

/** @param {Account} account @param {Pick<Health, "chainId"|"genesis">} health @param {TypedDataValue} value @returns {Promise<string>} Throws WalletRejection. */
export async function signAs(account, health, value) {
  if (!account.provider) return signTypedData(String(account.key), value);
  const { signByWallet } = await import("./injected-wallet.js"); // loaded on demand, because few players have a wallet
  return signByWallet(account, health, typedDataJson(value));
}
