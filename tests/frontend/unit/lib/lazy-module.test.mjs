// A module that is loaded late: once, however often it is asked for.
import assert from "node:assert/strict";
import { test } from "node:test";

import { LazyModule } from "../../../../frontend-static/lib/lazy-module.js";

/** A module that comes or not, and what happened to it. */
function lazy(comes) {
  const seen = { imports: 0, settled: 0 };
  const importModule = async () => {
    seen.imports += 1;
    if (!comes) throw new TypeError("Failed to fetch dynamically imported module");
    return { name: "part" };
  };
  return [new LazyModule(importModule, () => (seen.settled += 1)), seen];
}

for (const comes of [true, false])
  test(`it is imported once, however often it is asked for, where that ${comes ? "works" : "fails"}`, async () => {
    const [part, seen] = lazy(comes);
    assert.equal(part.get(), null);
    assert.equal(part.get(), null);
    await part.load();
    assert.deepEqual([part.get(), part.failed], [comes ? { name: "part" } : null, !comes]);
    assert.deepEqual(seen, { imports: 1, settled: 1 });
  });

test("where it can't be had before it is needed, it is asked for again when it is", async () => {
  const [part, seen] = lazy(false);
  await part.prefetch();
  assert.equal(part.failed, false);
  await part.load();
  assert.deepEqual([part.failed, seen.imports], [true, 2]);
});
