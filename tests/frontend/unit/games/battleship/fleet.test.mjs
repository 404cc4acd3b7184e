// Tests fleets as text, tiles and commitments, with the same vectors as the tests of the contract
// and the index. Also tests that random fleets are legal and equally likely.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { bipf, commitmentOf, newNonce } from "../../../../../frontend-static/games/battleship/fleet/commitment.js";
import {
  FLEET_TILES,
  LETTERS,
  faultsOf,
  fits,
  fleetFault,
  fleetText,
  maskOf,
  parseFleet,
  parseLegalFleet,
  randomFleet,
  secureRandomBelow,
  shipAt,
  tilesOf,
} from "../../../../../frontend-static/games/battleship/fleet/fleet.js";

const VECTORS = JSON.parse(
  readFileSync(new URL("../../../../fixtures/vectors/battleship.json", import.meta.url), "utf8"),
);
const V1 = "PH12 SH81 DV7 BV51 CH40";

for (const { note, ships, mask, boats } of VECTORS.legal) {
  test(`${note}, ${ships}, is legal and is converted back to the same text`, () => {
    const found = parseLegalFleet(ships);
    assert.equal(fleetText(found), ships);
    assert.equal(maskOf(found), BigInt(mask));
    assert.deepEqual(Object.fromEntries(found.map((ship) => [ship.letter, tilesOf(ship)])), boats);
    assert.equal(found.flatMap(tilesOf).length, FLEET_TILES);
  });
}

for (const { note, ships, fault } of VECTORS.illegal) {
  test(`${note} has the fault ${fault}`, () => {
    assert.equal(fleetFault(ships), fault);
    assert.equal(parseLegalFleet(ships), null);
    assert.equal(parseFleet(ships) === null, fault < 3);
  });
}

test("a text with a line break is rejected", () => assert.equal(fleetFault(`${V1}\n`), 1));

const WRONG = [
  ["PH8 SH81 DV7 BV51 CH40", { why: "out", ship: "P" }],
  ["PH12 SH81 DV7 BV51 CH41", { why: "out", ship: "C" }],
  ["PH12 SH81 DV7 BV78 CH40", { why: "out", ship: "B" }],
  ["PV98 SH81 DV7 BV51 CH40", { why: "out", ship: "P" }],
  ["PH12 SH81 DV7 BV51 CH49", { why: "overlap", ship: "B", other: "C", tile: 51 }],
];
for (const [ships, fault] of WRONG) {
  test(`${ships} is rejected: ${fault.why}`, () => {
    assert.deepEqual(faultsOf(parseFleet(ships)), [fault]);
    assert.equal(parseLegalFleet(ships), null);
  });
}
test("a ship that begins outside fits nowhere", () => {
  for (const tile of [-9, -1, 99, 500])
    for (const down of [true, false]) assert.equal(fits({ letter: "P", down, tile }), false);
});

test("the ship on a tile is found", () => {
  const ships = parseFleet(V1);
  assert.deepEqual(
    [12, 13, 14, 81, 25, 78, 44].map((tile) => shipAt(ships, tile)),
    ["P", "P", undefined, "S", "D", "B", "C"],
  );
});

for (const { note, ships, nonce, encoded, commitment } of VECTORS.commitments) {
  test(`${note} is sealed byte for byte`, () => {
    assert.equal(bipf(ships, nonce), encoded);
    assert.equal(commitmentOf(ships, nonce), commitment);
  });
}
for (const { note, ships, nonce, commitment } of VECTORS.not_commitments)
  test(`the commitment is not ${note}`, () => assert.notEqual(commitmentOf(ships, nonce), commitment));

test("two nonces differ, and each has 32 bytes", () => {
  const [one, other] = [newNonce(), newNonce()];
  assert.match(one, /^0x[0-9a-f]{64}$/);
  assert.notEqual(one, other);
});

test("dice from the system's generator reach each side and no other number", () => {
  const seen = new Set(Array.from({ length: 2000 }, () => secureRandomBelow(5)));
  assert.deepEqual([...seen].sort(), [0, 1, 2, 3, 4]);
});

test("random fleets are legal and use the whole sea", () => {
  const fleets = Array.from({ length: 1500 }, () => randomFleet());
  for (const ships of fleets) assert.ok(parseLegalFleet(fleetText(ships)));
  assert.equal(new Set(fleets.flat().flatMap(tilesOf)).size, 99);
  assert.equal(new Set(fleets.map(fleetText)).size, fleets.length);
});

// The five ships have 178, 158, 158, 138 and 118 possible places. Of all 178·158·158·138·118
// combinations, 27,866,468,368 (38.51 %) are legal. If a fair generator places the five ships at
// random, this share of its fleets is legal.
test("a random fleet is any draw of five places that do not overlap", () => {
  let draws = 0;
  const dice = (below) => {
    draws++;
    return secureRandomBelow(below);
  };
  const wanted = 3000;
  for (let i = 0; i < wanted; i++) randomFleet(dice);
  const share = (wanted * LETTERS.length) / draws;
  assert.ok(Math.abs(share - 0.3851) < 0.05, `${share}`); // the tolerance (0.05) is more than seven standard deviations
});
