/**
 * Names accounts. An account's name is the player's own name for it (petname), its public nickname,
 * or two words that are derived from the address.
 */

import { locale } from "../i18n/language.js";
import { firstText, shortHex } from "../i18n/translate.js";
import { isolate } from "../lib/patterns.js";
import { isAddress, wordsOf } from "./hash.js";
import { NamesInView } from "./in-view.js";
import { petnames, reloadPetnames as reload, storePetname as store } from "./petnames.js";

/** @import { GameInfo, I18nText } from "../types.js" */

/** Return an account's name without a distinguishing digit. @param {string} address */
const baseNameOf = (address) =>
  petnames().get(address.toLowerCase()) ??
  (nameOfCompanion(address) || nicknames.get(address.toLowerCase()) || wordsOf(address));

/**
 * The message key and the name in the source code of each companion contract, by lower-case
 * address. Companions are contracts that players choose in a match, such as captains. @type {Map<string, [string, string]>}
 */
const companions = new Map();

/** @param {string} address */
function nameOfCompanion(address) {
  const [key, name] = companions.get(address.toLowerCase()) ?? ["", ""];
  return firstText([key], name);
}

/** Register the names of a game's companion contracts. @param {Pick<GameInfo, "slug"|"companions">} game */
export function nameCompanions({ slug, companions: found = [] }) {
  for (const { name, address } of found) companions.set(address.toLowerCase(), [`${slug}.companion.${name}`, name]);
  inView.regroup();
}

/** The nicknames, by lower-case address. @type {ReadonlyMap<string, string>} */
let nicknames = new Map();

/**
 * Matches scripts that are written from right to left. A nickname in one of these scripts must not
 * reverse the sentence around it.
 */
const RIGHT_TO_LEFT = /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Thaana}/u;

/** @param {ReadonlyMap<string, string>} found the nicknames, by lower-case address */
export function setNicknames(found) {
  nicknames = new Map([...found].map(([address, name]) => [address, RIGHT_TO_LEFT.test(name) ? isolate(name) : name]));
  inView.regroup();
}

const inView = new NamesInView(baseNameOf);

/** Return the addresses whose names are on the page, in lower case. @returns {ReadonlySet<string>} */
export const accountsInView = () => inView.addresses;
/** The language of the companions' names on the page. */
let drawnLocale = locale();

function current() {
  if (drawnLocale !== locale()) {
    drawnLocale = locale();
    inView.regroup();
  }
  return inView;
}

/**
 * Return an account's name, such as `Calm Ibis`, or `Calm Ibis 7` if another account has the same
 * name. If the text isn't an address, shorten it with `shortHex`. @param {string} address an address in upper or lower case
 */
export const nameOf = (address) => (isAddress(address) ? current().name(address.toLowerCase()) : shortHex(address));

/**
 * Return a number that changes whenever a displayed name may be out of date. Code that caches
 * sentences with names compares it.
 */
export const namesRevision = () => current().revision;

/** Forget the names. Called when the page shows a different view. */
export const forgetNames = () => inView.forget();

/**
 * Draw the page. If a name turns out to be the same as a name that was drawn before it, draw the
 * page again. @template T @param {() => T} draw @returns {T}
 */
export function drawUntilStable(draw) {
  const before = namesRevision();
  const drawn = draw();
  return namesRevision() === before ? drawn : draw();
}

/** Return the player's own name for an account, or "" if there is none. @param {string} address */
export const petnameOf = (address) => petnames().get(address.toLowerCase()) ?? "";

/** @param {string} address @param {string} text the name, or "" to remove it @returns {I18nText|null} the reason why the name can't be stored, or null */
export function storePetname(address, text) {
  const why = store(address, text);
  inView.regroup();
  return why;
}

/** Read the petnames again, because another tab has changed them. */
export function reloadPetnames() {
  reload();
  inView.regroup();
}
