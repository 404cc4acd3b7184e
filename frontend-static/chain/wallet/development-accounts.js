/** The accounts that have ether from the start on each development chain. */

import * as Mnemonic from "ox/Mnemonic";
import { addressOf } from "./signer.js";

/** @import { Account } from "../../types.js" */

/** The public mnemonic whose accounts Anvil and Hardhat fund on every development chain. */
const DEVELOPMENT_MNEMONIC = "test test test test test test test test test test test junk";

/**
 * Derive the accounts from the mnemonic. Key stretching makes this slow, so call it only on demand. @returns {Account[]}
 */
export function developmentAccounts() {
  const root = Mnemonic.toHdKey(DEVELOPMENT_MNEMONIC);
  return Array.from({ length: 10 }, (_, i) => {
    const { privateKey: key } = root.derive(`m/44'/60'/0'/0/${i}`);
    return { address: addressOf(key), kind: "development", name: String(i), key };
  });
}
