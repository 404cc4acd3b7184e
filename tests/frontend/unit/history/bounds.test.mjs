// Tests the limits of replay files with the same cases as in Python (test_bounds.py).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { isBounded } from "../../../../frontend-static/history/bounds.js";

const { cases } = JSON.parse(
  readFileSync(new URL("../../../fixtures/vectors/replay_bounds.json", import.meta.url), "utf8"),
);
const times = (n) => Array.from({ length: n }, (_, i) => i);
const MADE = {
  "objects inside of each other": (n) => times(n - 1).reduce((inner) => ({ inner }), {}),
  "lists inside of each other": (n) => times(n - 1).reduce((inner) => [inner], []),
  "members of an object": (n) => Object.fromEntries(times(n).map((i) => [i, i])),
  "items of a list": times,
  letters: (n) => "x".repeat(n),
  "letters outside of the Basic Multilingual Plane": (n) => "🚢".repeat(n),
  "letters of a key": (n) => ({ ["x".repeat(n)]: 1 }),
  itself: (value) => value,
};

for (const { made, of, fits } of cases) {
  test(`${JSON.stringify(of)} ${made} ${fits ? "is within the limits" : "is too large"}`, () =>
    assert.equal(isBounded(MADE[made](of)), fits));
}
