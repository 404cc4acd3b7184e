/**
 * The fleets stored in this browser. One localStorage entry contains all of them, and the key of
 * each fleet is its commitment. Until a player reveals a fleet or backs it up, this is the fleet's
 * only copy.
 */

import { getAddress, isAddress } from "../../../lib/ethereum/address.js";
import { browserStore } from "../../../lib/storage.js";
import { commitmentOf, newNonce } from "./commitment.js";
import { maskOf, parseLegalFleet } from "./fleet.js";

/** @import { PlacedShip } from "./fleet.js" */

export const KEY = "chainboard.fleets";
const FORMAT = "chainboard.fleets/1";
/** The maximum length of a stored fleet's text, in characters. */
const MAX_ENTRY_LENGTH = 500;
const COMMITMENT = /^0x[0-9a-f]{64}$/;

/**
 * @typedef {"stake"|"rating"|"nothing"} Worth The possible loss in the match, recorded when
 *   the fleet was sealed. No server can change it later.
 * @typedef {{ships: string, nonce: string, account: string, at: number, reveal: boolean, worth?: Worth, computer?: boolean, saved?: boolean}} StoredFleet
 *   `at`: seconds since 1970. `reveal`: the player allows the page to reveal the fleet by itself,
 *   even while a part of the fleet is secret. `computer`: before this browser's first move, the
 *   server reported that the opponent is a computer player. `saved`: the player has downloaded a
 *   backup.
 * @typedef {StoredFleet & {commitment: string, placedShips: PlacedShip[], mask: bigint}} SealedFleet
 * @typedef {{fleets: Map<string, SealedFleet>, damaged: boolean}} FleetStore `damaged`: some of the
 *   stored data is unreadable.
 * @typedef {Pick<Storage, "getItem"|"setItem">} KeyValueStore
 */

/**
 * The result of the last read. The page reads the storage each time it draws, but parses and hashes
 * the fleets only if the stored text has changed.
 * @type {{text: string|null, found: FleetStore}}
 */
let lastRead = { text: null, found: { fleets: new Map(), damaged: false } };

/** @param {KeyValueStore} store @returns {FleetStore} never throws, even if the browser forbids storage */
export function storedFleets(store = browserStore()) {
  try {
    const text = store.getItem(KEY);
    if (text !== lastRead.text) lastRead = { text, found: read(text) };
    return lastRead.found;
  } catch {
    return { fleets: new Map(), damaged: true };
  }
}

/** @param {string|null} text @returns {FleetStore} */
function read(text) {
  const all = parseObject(text);
  if (!all) return { fleets: new Map(), damaged: true };
  const sound = Object.entries(all).flatMap(([commitment, entry]) => parseEntry(commitment, entry) ?? []);
  return {
    fleets: new Map(sound.map((sealed) => [sealed.commitment, sealed])),
    damaged: sound.length < Object.keys(all).length,
  };
}

/** @param {string|null} text @returns {Record<string, any>|null} null if the text isn't a JSON object */
function parseObject(text) {
  try {
    const all = JSON.parse(text ?? "{}");
    return typeof all === "object" && all !== null && !Array.isArray(all) ? all : null;
  } catch {
    return null;
  }
}

/** Parse a stored fleet. Return null if it's illegal or contradicts its commitment. @param {string} commitment @param {any} entry @returns {SealedFleet|null} */
function parseEntry(commitment, entry) {
  const { ships, nonce, account } = entry ?? {};
  const placedShips = typeof ships === "string" ? parseLegalFleet(ships) : null;
  if (!placedShips || !COMMITMENT.test(nonce) || !isAddress(account) || commitment !== commitmentOf(ships, nonce))
    return null;
  const { at, reveal, worth, computer, saved } = entry;
  return {
    ships,
    nonce,
    account: getAddress(account),
    at: Number(at) || 0,
    reveal: reveal !== false,
    worth: worth === "rating" || worth === "nothing" ? worth : "stake",
    computer: computer === true,
    saved: saved === true,
    commitment,
    placedShips,
    mask: maskOf(placedShips),
  };
}

/**
 * Add fleets to the stored fleets, and preserve unreadable data. Throws an error if the browser
 * can't store the result.
 * @param {KeyValueStore} store @param {Record<string, StoredFleet>} entries
 */
function writeEntries(store, entries) {
  const text = store.getItem(KEY);
  const all = parseObject(text) ?? { unreadable: text };
  const next = JSON.stringify({ ...all, ...entries });
  store.setItem(KEY, next);
  if (store.getItem(KEY) !== next) throw new Error("this browser does not keep its storage");
}

/** @type {WeakSet<KeyValueStore>} */
const storesWithRoom = new WeakSet();

/** Return true if `testStorage` has found that the browser can store another fleet. @param {KeyValueStore} store */
export function canStoreFleet(store = browserStore()) {
  return storesWithRoom.has(store);
}

/**
 * Test whether the browser can store another fleet: add spaces to the stored text and remove them
 * again. After the first success, do nothing, because each write could collide with a write by
 * another tab.
 * @param {KeyValueStore} store
 */
export function testStorage(store = browserStore()) {
  if (storesWithRoom.has(store)) return;
  try {
    const text = store.getItem(KEY) ?? "{}";
    store.setItem(KEY, text + " ".repeat(MAX_ENTRY_LENGTH));
    if (store.getItem(KEY)?.length === text.length + MAX_ENTRY_LENGTH) storesWithRoom.add(store);
    store.setItem(KEY, text);
  } catch {
    // the browser forbids storage, or the storage is full
  }
}

/** @param {string} commitment @param {KeyValueStore} store @returns {SealedFleet|undefined} */
export const sealedFleet = (commitment, store = browserStore()) =>
  storedFleets(store).fleets.get(String(commitment).toLowerCase());

/**
 * Seal a fleet with a new nonce, and store both. Call this before you send the commitment anywhere.
 * @param {string} ships @param {string} account @param {{reveal: boolean, worth?: Worth}} terms @param {KeyValueStore} store @returns {string} the commitment to the fleet
 */
export function sealFleet(ships, account, terms, store = browserStore()) {
  const nonce = newNonce();
  const commitment = commitmentOf(ships, nonce);
  writeEntries(store, { [commitment]: { ships, nonce, account, at: Math.floor(Date.now() / 1000), ...terms } });
  return commitment;
}

/** @param {string} commitment @param {Partial<StoredFleet>} more @param {KeyValueStore} store */
export function updateFleet(commitment, more, store = browserStore()) {
  const found = sealedFleet(commitment, store);
  if (found) writeEntries(store, { [found.commitment]: { ...storedFields(found), ...more } });
}

/** @param {SealedFleet} sealed @returns {StoredFleet} */
const storedFields = ({ ships, nonce, account, at, reveal, worth, computer, saved }) => ({
  ships,
  nonce,
  account,
  at,
  reveal,
  worth,
  computer,
  saved,
});

/** Return a backup of these fleets as text. The backup has the same format as the storage. @param {SealedFleet[]} fleets */
export function backup(fleets) {
  const entries = fleets.map((one) => [one.commitment, { ...storedFields(one), saved: true }]);
  return JSON.stringify({ format: FORMAT, fleets: Object.fromEntries(entries) }, null, 2);
}

/** Restore the fleets from a backup, except those that the browser already stores. @param {string} text @param {KeyValueStore} store @returns {number} the number of fleets in the backup */
export function restore(text, store = browserStore()) {
  const found = parseObject(text)?.fleets;
  if (typeof found !== "object" || found === null) return 0;
  const sound = Object.entries(found).flatMap(([commitment, entry]) => parseEntry(commitment, entry) ?? []);
  const missing = sound.filter(({ commitment }) => !sealedFleet(commitment, store));
  if (missing.length)
    writeEntries(
      store,
      Object.fromEntries(missing.map((one) => [one.commitment, { ...storedFields(one), saved: true }])),
    );
  return sound.length;
}
