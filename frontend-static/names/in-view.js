/**
 * The accounts that the page currently names. If two of them have the same name, each name is
 * followed by the first digit in which their addresses differ. To keep names stable, the list only
 * grows until the page shows a different view.
 */

/**
 * Return as few digits of each address as are needed to distinguish the addresses, from left to
 * right.
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

/** Group addresses by their digit at a position. @param {string[]} group @param {number} at */
function splitAt(group, at) {
  /** @type {Map<string, string[]>} */
  const parts = new Map();
  for (const address of group) parts.set(address[at], [...(parts.get(address[at]) ?? []), address]);
  return [...parts.values()];
}

export class NamesInView {
  /** @param {(address: string) => string} baseNameOf returns an address's name, which has no digit yet */
  constructor(baseNameOf) {
    this.baseNameOf = baseNameOf;
    /** A number that changes whenever a drawn name is no longer right. */
    this.revision = 0;
    /** @type {Set<string>} */
    this.addresses = new Set();
    /** The addresses by name. @type {Map<string, string[]>} */
    this.groups = new Map();
  }

  /** Return the account's name, followed by a digit if it needs one. @param {string} address in lower case */
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

  /** Rename all accounts after a change of language, nickname or petname. */
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

/** Normalise a text, because texts that differ only in the case or form of letters look alike. @param {string} text */
const normalised = (text) => text.normalize("NFKC").toLowerCase();
