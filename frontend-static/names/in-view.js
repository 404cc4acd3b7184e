/**
 * Tracks the accounts whose names are on the page. If two accounts have the same name, the page
 * adds the first digit in which their addresses differ. The list only grows until the page shows a
 * different view, so that names don't change back and forth.
 */

/**
 * For each address, return the digits that distinguish it from the others. They are as few as
 * possible, from left to right.
 * @param {string[]} addresses distinct addresses in lower case @returns {Map<string, string>}
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

/** Group addresses by the digit at a position. @param {string[]} group @param {number} at */
function splitAt(group, at) {
  /** @type {Map<string, string[]>} */
  const parts = new Map();
  for (const address of group) parts.set(address[at], [...(parts.get(address[at]) ?? []), address]);
  return [...parts.values()];
}

export class NamesInView {
  /** @param {(address: string) => string} baseNameOf returns an address's name without a distinguishing digit */
  constructor(baseNameOf) {
    this.baseNameOf = baseNameOf;
    /** A number that changes whenever a name on the page might be wrong. */
    this.revision = 0;
    /** @type {Set<string>} */
    this.addresses = new Set();
    /** The addresses that have the same name, by normalised name. @type {Map<string, string[]>} */
    this.groups = new Map();
  }

  /** Return an account's name. If another account has the same name, add a distinguishing digit. @param {string} address in lower case */
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

  /** Compute all names again. Called after a change of language, nickname or petname. */
  regroup() {
    const addresses = [...this.addresses];
    this.forget();
    for (const address of addresses) this.add(address, this.baseNameOf(address));
  }

  /** Forget all names. Called when the page shows a different view. */
  forget() {
    this.addresses.clear();
    this.groups.clear();
    this.revision++;
  }
}

/**
 * Normalise a name. Names that differ only in the case or the form of their letters look alike, so
 * they count as the same. @param {string} text
 */
const normalised = (text) => text.normalize("NFKC").toLowerCase();
