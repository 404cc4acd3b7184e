/**
 * Finds the name of an account. It is the name that the player has given to the account (petname),
 * the account's public nickname, or two words that are derived from its address.
 */

import { locale } from "../i18n/language.js";
import { firstText, shortHex } from "../i18n/translate.js";
import { isolate } from "../lib/patterns.js";
import { isAddress, wordsOf } from "./hash.js";
import { NamesInView } from "./in-view.js";
import { petnames, reloadPetnames as reload, storePetname as store } from "./petnames.js";

/** @import { GameInfo, I18nText } from "../types.js" */

/** Return an account's name without distinguishing digits. @param {string} address */
const baseNameOf = (address) =>
  petnames().get(address.toLowerCase()) ??
  (nameOfCompanion(address) || nicknames.get(address.toLowerCase()) || wordsOf(address));

/**
 * The message key of each companion contract, and the contract's name in the source code. The map's
 * keys are the contracts' addresses in lower case. Companions are contracts that players choose in
 * a match, such as captains. @type {Map<string, [string, string]>}
 */
const companions = new Map();

/** @param {string} address */
function nameOfCompanion(address) {
  const [key, name] = companions.get(address.toLowerCase()) ?? ["", ""];
  return firstText([key], name);
}

/** Store the names of a game's companion contracts, such as captains. @param {Pick<GameInfo, "slug"|"companions">} game */
export function nameCompanions({ slug, companions: found = [] }) {
  for (const { name, address } of found) companions.set(address.toLowerCase(), [`${slug}.companion.${name}`, name]);
  inView.regroup();
}

/** The nicknames of the accounts on the page. The key is the address in lower case. @type {ReadonlyMap<string, string>} */
let nicknames = new Map();

/**
 * Matches letters of scripts that are written from right to left. A nickname with these letters is
 * isolated, so that it doesn't reverse the sentence around it.
 */
const RIGHT_TO_LEFT = /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Thaana}/u;

/** @param {ReadonlyMap<string, string>} found the nicknames of the accounts on the page; the key is the address in lower case */
export function setNicknames(found) {
  nicknames = new Map([...found].map(([address, name]) => [address, RIGHT_TO_LEFT.test(name) ? isolate(name) : name]));
  inView.regroup();
}

const inView = new NamesInView(baseNameOf);

/** Return the addresses of the accounts whose names the page shows, in lower case. @returns {ReadonlySet<string>} */
export const accountsInView = () => inView.addresses;
/** The language in which the page last showed the names of companion contracts. */
let drawnLocale = locale();

function current() {
  if (drawnLocale !== locale()) {
    drawnLocale = locale();
    inView.regroup();
  }
  return inView;
}

/**
 * Return an account's name, such as `Calm Ibis`. If another account has the same name, add digits,
 * as in `Calm Ibis 7`. If the text isn't an address, return it shortened by `shortHex`. @param {string} address an address in upper or lower case
 */
export const nameOf = (address) => (isAddress(address) ? current().name(address.toLowerCase()) : shortHex(address));

/**
 * Return a number that changes whenever a displayed name might be outdated. Code that caches
 * sentences with names must drop the sentences when the number changes.
 */
export const namesRevision = () => current().revision;

/** Forget the accounts on the page. Called when the page shows a different view. */
export const forgetNames = () => inView.forget();

/**
 * Draw the page. If a new name is the same as an earlier name in this drawing, both names need
 * distinguishing digits, so draw the page again. @template T @param {() => T} draw @returns {T}
 */
export function drawUntilStable(draw) {
  const before = namesRevision();
  const drawn = draw();
  return namesRevision() === before ? drawn : draw();
}

/** Return the name that the player has given to an account, or "" if there is none. @param {string} address */
export const petnameOf = (address) => petnames().get(address.toLowerCase()) ?? "";

/** @param {string} address @param {string} text the new petname, or "" to remove the petname @returns {I18nText|null} the reason why the petname can't be stored, or null */
export function storePetname(address, text) {
  const why = store(address, text);
  inView.regroup();
  return why;
}

/** Read the stored petnames again, because another tab has changed them. */
export function reloadPetnames() {
  reload();
  inView.regroup();
}
