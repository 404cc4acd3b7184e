/** What the page calls an account: the player's own name for it, its nickname, else two words made from its address. */

import { locale } from "../i18n/language.js";
import { firstText, shortHex } from "../i18n/translate.js";
import { isolate } from "../lib/patterns.js";
import { isAddress, wordsOf } from "./hash.js";
import { NamesInView } from "./in-view.js";
import { keepPetname as keep, petnames, recallPetnames as recall } from "./petnames.js";

/** @import { GameInfo, I18nText } from "../types.js" */

/** Without the digit that tells two apart. @param {string} address */
const calledBy = (address) =>
  petnames().get(address.toLowerCase()) ??
  (nameOfCompanion(address) || nicknames.get(address.toLowerCase()) || wordsOf(address));

/** By address in small letters: the key of its text, and its name in the sources. @type {Map<string, [string, string]>} */
const companions = new Map();

/** @param {string} address */
function nameOfCompanion(address) {
  const [key, name] = companions.get(address.toLowerCase()) ?? ["", ""];
  return firstText([key], name);
}

/** Contracts that a game's players can name have names of their own. @param {Pick<GameInfo, "slug"|"companions">} game */
export function nameCompanions({ slug, companions: found = [] }) {
  for (const { name, address } of found) companions.set(address.toLowerCase(), [`${slug}.companion.${name}`, name]);
  inView.regroup();
}

/** By account, in small letters. @type {ReadonlyMap<string, string>} */
let nicknames = new Map();

/** From right to left, as no other name is: it must not turn the sentence around in which it stands. */
const RIGHT_TO_LEFT = /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Thaana}/u;

/** @param {ReadonlyMap<string, string>} found by account, in small letters */
export function setNicknames(found) {
  nicknames = new Map([...found].map(([address, name]) => [address, RIGHT_TO_LEFT.test(name) ? isolate(name) : name]));
  inView.regroup();
}

const inView = new NamesInView(calledBy);

/** The accounts that the page names now, in small letters. @returns {ReadonlySet<string>} */
export const accountsInView = () => inView.addresses;
/** The language of the companions' names in view. */
let spoken = locale();

function current() {
  if (spoken !== locale()) {
    spoken = locale();
    inView.regroup();
  }
  return inView;
}

/** `Calm Ibis`, `Calm Ibis 7` beside another one; what is no address as `shortHex` has it. @param {string} address in any case of its letters */
export const nameOf = (address) => (isAddress(address) ? current().name(address.toLowerCase()) : shortHex(address));

/** Differs when names that were drawn before may not be right any more: for who keeps sentences. */
export const namesRevision = () => current().revision;

/** Another place is shown. */
export const forgetNames = () => inView.forget();

/** Draws again if drawing added a name that must be told apart from one already drawn. @template T @param {() => T} draw @returns {T} */
export function settled(draw) {
  const before = namesRevision();
  const drawn = draw();
  return namesRevision() === before ? drawn : draw();
}

/** The player's own name for an account; "" where there is none. @param {string} address */
export const petnameOf = (address) => petnames().get(address.toLowerCase()) ?? "";

/** @param {string} address @param {string} text "" takes it away @returns {I18nText|null} why it is not kept */
export function keepPetname(address, text) {
  const why = keep(address, text);
  inView.regroup();
  return why;
}

/** Another tab has named somebody. */
export function recallPetnames() {
  recall();
  inView.regroup();
}
