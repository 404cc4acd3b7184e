/** The names that the player has given to accounts (petnames). Only this browser stores them. */

import { clean } from "../lib/patterns.js";
import { readJson, writeText } from "../lib/storage.js";
import { isAddress } from "./hash.js";

/** @import { I18nText } from "../types.js" */

/**
 * The localStorage key for petnames. It contains "nicknames" because petnames had this name before
 * there were public nicknames. With a different key, players would lose their petnames.
 */
export const STORAGE = "chainboard.nicknames";
/** The maximum length of a petname in characters, in the Unicode form NFC. */
export const LONGEST = 32;

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** The petname for each address in lower case, or null if they haven't been read yet. @type {Map<string, string>|null} */
let kept = null;

/**
 * Return a petname in its stored form. Apply the Unicode form NFC, trim the text, and replace
 * several spaces with one space. @param {string} text
 */
export const normalPetname = (text) => text.normalize("NFC").trim().replace(/ +/g, " ");

/** Return the reason why a text isn't a valid petname, or null if it is valid or empty. @param {string} text @returns {I18nText|null} */
export function whyNoPetname(text) {
  const name = normalPetname(text);
  const n = [...name].length;
  if (n > LONGEST) return { key: "why.petname-long", args: { n, maximum: LONGEST } };
  if (clean(name) !== name || (name && !VISIBLE.test(name))) return { key: "why.petname-hidden" };
  return null;
}

/** For each address in lower case, return the stored petname. Leave out invalid entries. @returns {Map<string, string>} */
export function petnames() {
  if (kept) return kept;
  const found = readJson(STORAGE);
  const entries = found && typeof found === "object" && !Array.isArray(found) ? Object.entries(found) : [];
  kept = new Map(
    entries
      .filter(([address, name]) => isAddress(address) && typeof name === "string" && !whyNoPetname(name))
      .map(([address, name]) => /** @type {[string, string]} */ ([address.toLowerCase(), normalPetname(name)]))
      .filter(([, name]) => name !== ""),
  );
  return kept;
}

/**
 * Forget the petnames that were read, because another tab has changed them. The next access reads
 * them again.
 */
export function reloadPetnames() {
  kept = null;
}

/** Store an account's petname, or remove it if `text` is "". If that fails, return the reason. @param {string} address @param {string} text @returns {I18nText|null} */
export function storePetname(address, text) {
  const why = whyNoPetname(text);
  if (why) return why;
  reloadPetnames(); // another tab might have changed the petnames of other accounts
  const [name, changed] = [normalPetname(text), new Map(petnames())];
  if (name) changed.set(address.toLowerCase(), name);
  else changed.delete(address.toLowerCase());
  kept = changed;
  const isWritten = writeText(STORAGE, JSON.stringify(Object.fromEntries(changed))) !== null;
  return isWritten ? null : { key: "why.petname-not-kept" };
}
