/** The accounts that are funded at the start of a development chain. */

import * as Mnemonic from "ox/Mnemonic";
import { addressOf } from "./signer.js";

/** @import { Account } from "../../types.js" */

/** A public mnemonic: Anvil and Hardhat fund its accounts on every development chain. */
const DEVELOPMENT_MNEMONIC = "test test test test test test test test test test test junk";

/** Derive the accounts. This is slow because of key stretching, so call it only on demand. @returns {Account[]} */
export function developmentAccounts() {
  const root = Mnemonic.toHdKey(DEVELOPMENT_MNEMONIC);
  return Array.from({ length: 10 }, (_, i) => {
    const { privateKey: key } = root.derive(`m/44'/60'/0'/0/${i}`);
    return { address: addressOf(key), kind: "development", name: String(i), key };
  });
}
