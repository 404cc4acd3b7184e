/** The accounts that a development chain starts with. */

import { HDNodeWallet } from "../../vendor/ethers.min.js";

/** @import { Account } from "../../types.js" */

/** Public on purpose: Anvil and Hardhat fund it on every development chain. */
const DEVELOPMENT_MNEMONIC = "test test test test test test test test test test test junk";

/** Slow (key stretching): only when asked for. @returns {Account[]} */
export function developmentAccounts() {
  const parent = HDNodeWallet.fromPhrase(DEVELOPMENT_MNEMONIC, "", "m/44'/60'/0'/0");
  return Array.from({ length: 10 }, (_, i) => {
    const { address, privateKey } = parent.deriveChild(i);
    return { address, kind: "development", name: String(i), key: privateKey };
  });
}
