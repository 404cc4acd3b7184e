// Tests that a map with a maximum size keeps the most recently used entries.
import assert from "node:assert/strict";
import { test } from "node:test";

import { LruMap } from "../../../../frontend-static/lib/lru-map.js";

test("the map drops the least recently used entry beyond its limit", () => {
  const map = new LruMap(2).set("a", 1).set("b", 2);
  assert.equal(map.get("a"), 1);
  map.set("c", 3);
  assert.deepEqual(
    [...map],
    [
      ["a", 1],
      ["c", 3],
    ],
  );
  map.set("a", 4).set("d", undefined);
  assert.deepEqual(
    [...map],
    [
      ["a", 4],
      ["d", undefined],
    ],
  );
  assert.deepEqual([map.get("b"), map.size], [undefined, 2], "looking up a missing key adds nothing");
});
