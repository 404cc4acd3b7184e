// Runs all test files in one process. `node --test` starts one process per file, which takes more
// than twice the CPU time. The arguments can name the files to run, in order. A different order
// shows if a file depends on what another file leaves behind.
import { AsyncResource } from "node:async_hooks";
import { readdirSync } from "node:fs";
import { describe, test } from "node:test";

const UNIT = new URL("../unit/", import.meta.url);
const named = process.argv.slice(2);
const found = readdirSync(UNIT, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".test.mjs"));

/**
 * An asynchronous context outside all suites. Without it, the loop would continue in the suite of
 * the file that it has just imported.
 */
const outside = new AsyncResource("test files");

for (const file of named.length ? named : found.sort()) {
  /** @type {Promise<unknown>} */
  let loading;
  // each file gets a suite, so that the hooks in a file apply to that file only
  outside.runInAsyncScope(() =>
    describe(file, () => {
      loading = import(new URL(file, UNIT).href).catch((error) => test(`${file} loads`, () => Promise.reject(error)));
      return loading;
    }),
  );
  await loading;
}
