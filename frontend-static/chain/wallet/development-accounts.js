/** The accounts that have ether on each development chain from the start. */

import * as Mnemonic from "ox/Mnemonic";
import { addressOf } from "./signer.js";

/** @import { Account } from "../../types.js" */

/** The public mnemonic from which Anvil and Hardhat derive the accounts that they fund. */
const DEVELOPMENT_MNEMONIC = "test test test test test test test test test test test junk";

/**
 * Derive the accounts from the mnemonic. This is slow, because the derivation stretches the key, so
 * only call it when the player asks for these accounts. @returns {Account[]}
 */
export function developmentAccounts() {
  const root = Mnemonic.toHdKey(DEVELOPMENT_MNEMONIC);
  return Array.from({ length: 10 }, (_, i) => {
    const { privateKey: key } = root.derive(`m/44'/60'/0'/0/${i}`);
    return { address: addressOf(key), kind: "development", name: String(i), key };
  });
}
