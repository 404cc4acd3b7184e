// Tests that a lazily loaded module is imported only once, even if it is requested several times.
import assert from "node:assert/strict";
import { test } from "node:test";

import { LazyModule } from "../../../../frontend-static/lib/lazy-module.js";

/**
 * Return a module, and counters for its imports and for callbacks. If `comes` is false, each import
 * fails.
 */
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
  test(`a module is imported once, however often it is requested, if the import ${comes ? "works" : "fails"}`, async () => {
    const [part, seen] = lazy(comes);
    assert.equal(part.get(), null);
    assert.equal(part.get(), null);
    await part.load();
    assert.deepEqual([part.get(), part.failed], [comes ? { name: "part" } : null, !comes]);
    assert.deepEqual(seen, { imports: 1, settled: 1 });
  });

test("if a prefetch fails, the module is imported again when it is needed", async () => {
  const [part, seen] = lazy(false);
  await part.prefetch();
  assert.equal(part.failed, false);
  await part.load();
  assert.deepEqual([part.failed, seen.imports], [true, 2]);
});
