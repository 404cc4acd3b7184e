// Where a hint lies: over nothing that it must keep free, and over news only where there is no other room.
import assert from "node:assert/strict";
import { test } from "node:test";

import { spotBeside } from "../../../../frontend-static/views/match/hints.js";

const [WIDE, HIGH] = [390, 844];
const OWN = { width: 300, height: 120 };
const line = { left: 0, top: 60, width: 390, height: 40 };
const loud = { left: 10, top: 760, width: 370, height: 44 };
const caption = { left: 10, top: 120, width: 370, height: 40 };

const covers = ({ left, top }, one) =>
  left < one.left + one.width &&
  one.left < left + OWN.width &&
  top < one.top + one.height &&
  one.top < top + OWN.height;

test("what is new stays to be seen where there is room elsewhere", () => {
  assert.equal(covers(spotBeside([line, loud], OWN, WIDE, HIGH), caption), true, "it would be covered");
  const spot = spotBeside([line, loud], OWN, WIDE, HIGH, [caption]);
  assert.deepEqual(
    [line, loud, caption].map((one) => covers(spot, one)),
    [false, false, false],
  );
});

test("where all room has something, what must be free is free", () => {
  const rest = { left: 0, top: 100, width: 390, height: 660 };
  const spot = spotBeside([line, loud], OWN, WIDE, HIGH, [rest]);
  assert.deepEqual(
    [line, loud].map((one) => covers(spot, one)),
    [false, false],
  );
});
