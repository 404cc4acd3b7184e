// All test files in one process: `node --test` starts one per file, which takes more than twice the CPU time.
// Files can be named as arguments, and run in that order: no file may depend on another one's leftovers.
import { AsyncResource } from "node:async_hooks";
import { readdirSync } from "node:fs";
import { describe, test } from "node:test";

const UNIT = new URL("../unit/", import.meta.url);
const named = process.argv.slice(2);
const found = readdirSync(UNIT, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".test.mjs"));

/** Where no suite is open. Without it the loop would go on inside the suite of the file that it awaited. */
const outside = new AsyncResource("test files");

for (const file of named.length ? named : found.sort()) {
  /** @type {Promise<unknown>} */
  let loading;
  // a suite per file, so that hooks at the top of a file apply to that file alone
  outside.runInAsyncScope(() =>
    describe(file, () => {
      loading = import(new URL(file, UNIT).href).catch((error) => test(`${file} loads`, () => Promise.reject(error)));
      return loading;
    }),
  );
  await loading;
}
