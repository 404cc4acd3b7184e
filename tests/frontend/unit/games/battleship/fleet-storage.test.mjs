// Tests that the page stores the player's fleets in one place, before it sends a transaction.
// Damaged storage must not cause an exception.
import assert from "node:assert/strict";
import { test } from "node:test";

import { commitmentOf } from "../../../../../frontend-static/games/battleship/fleet/commitment.js";
import {
  KEY,
  backup,
  canStoreFleet,
  restore,
  sealFleet,
  sealedFleet,
  storedFleets,
  testStorage,
  updateFleet,
} from "../../../../../frontend-static/games/battleship/fleet/storage.js";

const ANN = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const SHIPS = "PH12 SH81 DV7 BV51 CH40";

/** A model of a browser's storage, which keeps its entries in memory. */
class Store extends Map {
  getItem(key) {
    return this.get(key) ?? null;
  }
  setItem(key, text) {
    this.set(key, text);
  }
}

test("a sealed fleet is found by its commitment, in one place", () => {
  const store = new Store();
  const commitment = sealFleet(SHIPS, ANN, { reveal: true }, store);
  const found = sealedFleet(commitment, store);
  assert.equal(commitment, commitmentOf(SHIPS, found.nonce));
  assert.deepEqual([found.ships, found.account, found.reveal, found.saved], [SHIPS, ANN, true, false]);
  assert.deepEqual([...store.keys()], [KEY]);
  assert.equal(sealedFleet(commitment.toUpperCase().replace("0X", "0x"), store).ships, SHIPS);
});

test("if the same fleet is sealed again, it has a different nonce, and both entries are kept", () => {
  const store = new Store();
  const made = [sealFleet(SHIPS, ANN, { reveal: true }, store), sealFleet(SHIPS, ANN, { reveal: false }, store)];
  assert.notEqual(made[0], made[1]);
  assert.deepEqual(
    made.map((one) => sealedFleet(one, store).reveal),
    [true, false],
  );
});

test("a storage that keeps nothing is reported immediately, and the fleet is not sealed", () => {
  const store = { getItem: () => null, setItem: () => undefined };
  assert.throws(() => sealFleet(SHIPS, ANN, { reveal: true }, store), /does not keep/);
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error("full");
    },
  };
  assert.throws(() => sealFleet(SHIPS, ANN, { reveal: true }, full), /full/);
});

/** Try to store a value. Return true if the storage has enough space. */
function tried(store) {
  testStorage(store);
  return canStoreFleet(store);
}

test("the page finds out if there is space for a fleet before it is sealed, and changes nothing", () => {
  const store = new Store();
  assert.equal(canStoreFleet(store), false, "nobody tried");
  assert.equal(tried(store), true);
  const commitment = sealFleet(SHIPS, ANN, { reveal: true }, store);
  const before = store.get(KEY);
  assert.equal(tried(store), true);
  assert.equal(store.get(KEY), before);
  assert.equal(sealedFleet(commitment, store).ships, SHIPS);
  const full = {
    getItem: () => "{ }",
    setItem: () => {
      throw new Error("full");
    },
  };
  assert.equal(tried(full), false);
  assert.equal(tried({ getItem: () => "{  }", setItem: () => undefined }), false);
});

for (const text of ["{", "[]", "null", "7", '"fleet"']) {
  test(`the damaged entry ${text} is reported without an exception, and kept when a fleet is added`, () => {
    const store = new Store([[KEY, text]]);
    assert.deepEqual([storedFleets(store).damaged, storedFleets(store).fleets.size], [true, 0]);
    const commitment = sealFleet(SHIPS, ANN, { reveal: true }, store);
    assert.equal(sealedFleet(commitment, store).ships, SHIPS);
    assert.ok(store.get(KEY).includes(JSON.stringify(text)));
  });
}

test("a forbidden storage is reported without an exception", () => {
  const store = {
    getItem: () => {
      throw new Error("forbidden");
    },
  };
  assert.equal(storedFleets(store).damaged, true);
});

const SPOILT = { ships: "PH8 SH81 DV7 BV51 CH40", nonce: `0x${"1".repeat(64)}`, account: "0x1" };
for (const [field, value] of Object.entries(SPOILT)) {
  test(`an entry with a different ${field} is not mistaken for the sealed fleet`, () => {
    const store = new Store();
    const [kept, spoilt] = [
      sealFleet(SHIPS, ANN, { reveal: true }, store),
      sealFleet(SHIPS, ANN, { reveal: true }, store),
    ];
    const all = JSON.parse(store.get(KEY));
    all[spoilt][field] = value;
    store.set(KEY, JSON.stringify(all));
    assert.equal(sealedFleet(spoilt, store), undefined);
    assert.equal(sealedFleet(kept, store).ships, SHIPS);
    assert.equal(storedFleets(store).damaged, true);
  });
}

test("a note on a fleet changes nothing else in its entry", () => {
  const store = new Store();
  const commitment = sealFleet(SHIPS, ANN, { reveal: true }, store);
  const { nonce } = sealedFleet(commitment, store);
  updateFleet(commitment, { reveal: false, saved: true }, store);
  const { ships, nonce: now, reveal, saved } = sealedFleet(commitment, store);
  assert.deepEqual([ships, now, reveal, saved], [SHIPS, nonce, false, true]);
});

test("a backup brings the fleets to another browser", () => {
  const [here, there] = [new Store(), new Store()];
  const commitment = sealFleet(SHIPS, ANN, { reveal: false, worth: "nothing" }, here);
  const text = backup([...storedFleets(here).fleets.values()]);
  assert.equal(restore(text, there), 1);
  const [one, other] = [sealedFleet(commitment, here), sealedFleet(commitment, there)];
  assert.deepEqual({ ...other, saved: false }, one);
  assert.equal(other.saved, true);
});

test("a backup does not change existing fleets, and repairs damaged ones", () => {
  const store = new Store();
  const commitment = sealFleet(SHIPS, ANN, { reveal: true }, store);
  const text = backup([sealedFleet(commitment, store)]);
  updateFleet(commitment, { reveal: false }, store);
  assert.equal(restore(text, store), 1);
  assert.equal(sealedFleet(commitment, store).reveal, false);
  store.set(KEY, store.get(KEY).replace(SHIPS, "spoilt"));
  assert.equal(sealedFleet(commitment, store), undefined);
  restore(text, store);
  assert.equal(sealedFleet(commitment, store).ships, SHIPS);
});

for (const text of [
  "",
  "{",
  "{}",
  "[]",
  '{"fleets": 7}',
  '{"fleets": null}',
  '{"fleets": {"0x1": null, "__proto__": {"ships": 1}}}',
  JSON.stringify({ fleets: { [`0x${"a".repeat(64)}`]: { ships: SHIPS, nonce: `0x${"0".repeat(64)}`, account: ANN } } }),
]) {
  test(`this text is not a backup: ${text.slice(0, 40)}`, () => {
    const store = new Store();
    assert.equal(restore(text, store), 0);
    assert.equal(store.size, 0);
  });
}
