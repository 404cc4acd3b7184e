/**
 * The accounts that the page names now. Where two of them are called alike a digit of the address tells them apart: the first in
 * which they differ. The list only grows until the page shows another place, so that what is drawn twice is drawn alike.
 */

/** The digits that tell some addresses apart: as few as do, from the left. @param {string[]} addresses that differ, in small letters @returns {Map<string, string>} */
export function digitsApart(addresses) {
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

/** By their letter there. @param {string[]} group @param {number} at */
function splitAt(group, at) {
  /** @type {Map<string, string[]>} */
  const parts = new Map();
  for (const address of group) parts.set(address[at], [...(parts.get(address[at]) ?? []), address]);
  return [...parts.values()];
}

export class NamesInView {
  /** @param {(address: string) => string} calledBy what an address is called, without a digit */
  constructor(calledBy) {
    this.calledBy = calledBy;
    /** Changes whenever a name that was drawn is not right any more. */
    this.revision = 0;
    /** @type {Set<string>} */
    this.addresses = new Set();
    /** By what they are called. @type {Map<string, string[]>} */
    this.groups = new Map();
  }

  /** The name, with a digit where it needs one. @param {string} address in small letters */
  name(address) {
    const called = this.calledBy(address);
    if (!this.addresses.has(address)) this.add(address, called);
    const group = this.groups.get(alike(called)) ?? [];
    return group.length > 1 ? `${called} ${digitsApart(group).get(address)}` : called;
  }

  /** @param {string} address @param {string} called */
  add(address, called) {
    this.addresses.add(address);
    const group = [...(this.groups.get(alike(called)) ?? []), address];
    this.groups.set(alike(called), group);
    if (group.length > 1) this.revision++;
  }

  /** Another language, nickname or petname: the same accounts are called otherwise. */
  regroup() {
    const addresses = [...this.addresses];
    this.forget();
    for (const address of addresses) this.add(address, this.calledBy(address));
  }

  /** Another place: nobody is named yet. */
  forget() {
    this.addresses.clear();
    this.groups.clear();
    this.revision++;
  }
}

/** Two texts that are the same but for their case or the form of their letters look alike. @param {string} text */
const alike = (text) => text.normalize("NFKC").toLowerCase();
