// Runs all test files in one process. `node --test` starts one process per file, which takes more
// than twice the CPU time. The arguments can name the files to run, in this order. Running the
// files in a different order shows if a file depends on what another file leaves behind.
import { AsyncResource } from "node:async_hooks";
import { readdirSync } from "node:fs";
import { describe, test } from "node:test";

const UNIT = new URL("../unit/", import.meta.url);
const named = process.argv.slice(2);
const found = readdirSync(UNIT, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".test.mjs"));

/**
 * An asynchronous context outside all suites. Without this context, the loop would nest each file's
 * suite in the suite of the file before it.
 */
const outside = new AsyncResource("test files");

for (const file of named.length ? named : found.sort()) {
  /** @type {Promise<unknown>} */
  let loading;
  // each file gets a suite, so that the hooks in a file apply only to this file
  outside.runInAsyncScope(() =>
    describe(file, () => {
      loading = import(new URL(file, UNIT).href).catch((error) => test(`${file} loads`, () => Promise.reject(error)));
      return loading;
    }),
  );
  await loading;
}
