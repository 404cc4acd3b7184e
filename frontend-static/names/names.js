/**
 * Names accounts by the player's own name for the account, by its nickname, or by two words made
 * from the address.
 */

import { locale } from "../i18n/language.js";
import { firstText, shortHex } from "../i18n/translate.js";
import { isolate } from "../lib/patterns.js";
import { isAddress, wordsOf } from "./hash.js";
import { NamesInView } from "./in-view.js";
import { petnames, reloadPetnames as reload, storePetname as store } from "./petnames.js";

/** @import { GameInfo, I18nText } from "../types.js" */

/** Return an account's name, without the digit that would distinguish it from another account's. @param {string} address */
const baseNameOf = (address) =>
  petnames().get(address.toLowerCase()) ??
  (nameOfCompanion(address) || nicknames.get(address.toLowerCase()) || wordsOf(address));

/**
 * The text key and the name in the source code of each companion contract, by address in lower
 * case. @type {Map<string, [string, string]>}
 */
const companions = new Map();

/** @param {string} address */
function nameOfCompanion(address) {
  const [key, name] = companions.get(address.toLowerCase()) ?? ["", ""];
  return firstText([key], name);
}

/** Register the names of the contracts that a game's players can meet. @param {Pick<GameInfo, "slug"|"companions">} game */
export function nameCompanions({ slug, companions: found = [] }) {
  for (const { name, address } of found) companions.set(address.toLowerCase(), [`${slug}.companion.${name}`, name]);
  inView.regroup();
}

/** The nicknames by account in lower case. @type {ReadonlyMap<string, string>} */
let nicknames = new Map();

/**
 * The scripts that are written from right to left. Only nicknames can use them, and they must not
 * reverse the sentence around them.
 */
const RIGHT_TO_LEFT = /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Thaana}/u;

/** @param {ReadonlyMap<string, string>} found nicknames by account in lower case */
export function setNicknames(found) {
  nicknames = new Map([...found].map(([address, name]) => [address, RIGHT_TO_LEFT.test(name) ? isolate(name) : name]));
  inView.regroup();
}

const inView = new NamesInView(baseNameOf);

/** Return the accounts that the page names now, in lower case. @returns {ReadonlySet<string>} */
export const accountsInView = () => inView.addresses;
/** The language in which the companions' names are displayed. */
let drawnLocale = locale();

function current() {
  if (drawnLocale !== locale()) {
    drawnLocale = locale();
    inView.regroup();
  }
  return inView;
}

/**
 * Return an account's name: `Calm Ibis`, or `Calm Ibis 7` if another account has the same name. A
 * text that isn't an address is shortened by `shortHex`. @param {string} address in any case
 */
export const nameOf = (address) => (isAddress(address) ? current().name(address.toLowerCase()) : shortHex(address));

/**
 * Return a number that changes when names on display might no longer be right. Caches of sentences
 * compare it.
 */
export const namesRevision = () => current().revision;

/** Forget the names. Called when the page shows a different view. */
export const forgetNames = () => inView.forget();

/** Draw. If a new name turns out to be the same as a name that was already drawn, draw again. @template T @param {() => T} draw @returns {T} */
export function drawUntilStable(draw) {
  const before = namesRevision();
  const drawn = draw();
  return namesRevision() === before ? drawn : draw();
}

/** Return the player's own name for an account, or "". @param {string} address */
export const petnameOf = (address) => petnames().get(address.toLowerCase()) ?? "";

/** @param {string} address @param {string} text "" removes the name @returns {I18nText|null} the reason if it is not stored */
export function storePetname(address, text) {
  const why = store(address, text);
  inView.regroup();
  return why;
}

/** Read the petnames that another tab has changed. */
export function reloadPetnames() {
  reload();
  inView.regroup();
}
