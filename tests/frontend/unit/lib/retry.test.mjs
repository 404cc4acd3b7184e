// Tests that `retry` repeats work after temporary errors, with growing pauses, and throws other
// errors immediately.
import assert from "node:assert/strict";
import { test } from "node:test";

import { retry } from "../../../../frontend-static/lib/retry.js";

const passes = (error) => error.message === "busy";

/**
 * Retry work that first fails `failures` times with the error `message`. Return the result and the
 * pauses.
 */
async function tried(failures, message, tries) {
  const pauses = [];
  const work = async () => {
    if (failures-- > 0) throw new Error(message);
    return "done";
  };
  const end = await retry(work, passes, tries, async (ms) => pauses.push(ms)).catch((error) => error.message);
  return [end, pauses];
}

test("work is retried until it succeeds, with pauses that grow up to a maximum", async () => {
  assert.deepEqual(await tried(0, "busy"), ["done", []]);
  assert.deepEqual(await tried(6, "busy"), ["done", [100, 300, 1000, 2000, 2000, 2000]]);
});

test("retrying stops at the maximum number of tries, and a permanent error is not retried", async () => {
  assert.deepEqual(await tried(2, "busy", 3), ["done", [100, 300]]);
  assert.deepEqual(await tried(3, "busy", 3), ["busy", [100, 300]]);
  assert.deepEqual(await tried(1, "no"), ["no", []]);
});
