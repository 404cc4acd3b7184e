/**
 * Lists the accounts whose names the page shows. If two of them have the same name, the page adds
 * the digits that distinguish their addresses. Until the page shows a different view, no account
 * leaves the list, so that names don't change back and forth.
 */

/**
 * For each address, return the digits that distinguish it from the other addresses. The positions
 * are the same for all addresses. They are chosen from left to right. A position is skipped if its
 * digits don't distinguish any more addresses.
 * @param {string[]} addresses addresses in lower case, all different @returns {Map<string, string>}
 */
export function distinguishingDigits(addresses) {
  let groups = [addresses];
  let found = new Map(addresses.map((address) => [address, ""]));
  for (let at = 2; groups.some((group) => group.length > 1); at++) {
    const split = groups.flatMap((group) => splitAt(group, at));
    if (split.length === groups.length) continue;
    groups = split;
    found = new Map(addresses.map((address) => [address, found.get(address) + address[at].toUpperCase()]));
  }
  return found;
}

/** Group these addresses by their digit at position `at`. @param {string[]} group @param {number} at */
function splitAt(group, at) {
  /** @type {Map<string, string[]>} */
  const parts = new Map();
  for (const address of group) parts.set(address[at], [...(parts.get(address[at]) ?? []), address]);
  return [...parts.values()];
}

export class NamesInView {
  /** @param {(address: string) => string} baseNameOf returns an account's name without distinguishing digits */
  constructor(baseNameOf) {
    this.baseNameOf = baseNameOf;
    /** A number that changes whenever a name that the page shows might be outdated. */
    this.revision = 0;
    /** @type {Set<string>} */
    this.addresses = new Set();
    /** For each normalised name, the addresses of the accounts that have this name. @type {Map<string, string[]>} */
    this.groups = new Map();
  }

  /** Return an account's name. If another account has the same name, add distinguishing digits. @param {string} address the account's address in lower case */
  name(address) {
    const baseName = this.baseNameOf(address);
    if (!this.addresses.has(address)) this.add(address, baseName);
    const group = this.groups.get(normalised(baseName)) ?? [];
    return group.length > 1 ? `${baseName} ${distinguishingDigits(group).get(address)}` : baseName;
  }

  /** @param {string} address @param {string} baseName */
  add(address, baseName) {
    this.addresses.add(address);
    const group = [...(this.groups.get(normalised(baseName)) ?? []), address];
    this.groups.set(normalised(baseName), group);
    if (group.length > 1) this.revision++;
  }

  /**
   * Find out again which accounts have the same name. Called when the language, a nickname or a
   * petname has changed.
   */
  regroup() {
    const addresses = [...this.addresses];
    this.forget();
    for (const address of addresses) this.add(address, this.baseNameOf(address));
  }

  /** Forget all accounts. Called when the page shows a different view. */
  forget() {
    this.addresses.clear();
    this.groups.clear();
    this.revision++;
  }
}

/**
 * Return a name in a form in which similar names are equal. Players could confuse names that differ
 * only in upper and lower case or in the Unicode form of their letters. @param {string} text
 */
const normalised = (text) => text.normalize("NFKC").toLowerCase();
