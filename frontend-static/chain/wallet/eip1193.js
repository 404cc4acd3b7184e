/**
 * Finds the wallets in the browser (EIP-6963), and defines the error that is thrown if a wallet
 * rejects a request (EIP-1193).
 */

import { t } from "../../i18n/translate.js";

/** @import { I18nText, Reason } from "../../types.js" */
/** @typedef {{id: string, name: string, provider: any}} InjectedWallet */

/**
 * Thrown if a wallet rejects a request, or if the page rejects the request before it asks the
 * wallet.
 */
export class WalletRejection extends Error {
  /** @param {I18nText} phrase @param {string} [small] the wallet's message, in its own words */
  constructor(phrase, small = "") {
    super(small || phrase.key);
    /** @type {Reason} */
    this.reason = { sentence: phrase, small: small.slice(0, 300) };
  }
}

/**
 * Find the wallets in the browser, through their announcements (EIP-6963). If no wallet announces
 * itself, use the older `window.ethereum`. @param {(wallets: InjectedWallet[]) => void} found
 */
export function discover(found) {
  /** @type {Map<string, InjectedWallet>} */
  const wallets = new Map();
  window.addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = /** @type {CustomEvent} */ (event).detail;
    wallets.set(info.uuid, { id: info.uuid, name: String(info.name).slice(0, 40), provider });
    found([...wallets.values()]);
  });
  window.dispatchEvent(new Event("eip6963:requestProvider"));
  const legacy = /** @type {any} */ (window).ethereum;
  if (legacy && wallets.size === 0) found([{ id: "injected", name: t("account.browser-wallet"), provider: legacy }]);
}

/** @param {any} error @returns {Reason} */
export const reasonOf = (error) =>
  error instanceof WalletRejection
    ? error.reason
    : { sentence: { key: "node.refused" }, small: String(error?.message ?? error).slice(0, 300) };
