// Tests that the page works in a browser that forbids it to use storage, for example because the
// page is in a frame on another site.
import assert from "node:assert/strict";
import { test } from "node:test";

import { sealedFleet, storedFleets } from "../../../../frontend-static/games/battleship/fleet/storage.js";
import { browserStore, readJson, readText, writeText } from "../../../../frontend-static/lib/storage.js";
import { replaceGlobals } from "../../node/globals.mjs";

test("if the browser forbids even access to its storage, the storage reads as empty", (context) => {
  const forbidden = {
    get localStorage() {
      throw new Error("SecurityError");
    },
  };
  context.after(replaceGlobals(forbidden));
  assert.equal(readText("key"), null);
  assert.equal(readJson("key"), null);
  assert.equal(writeText("key", "text"), null);
  assert.throws(() => browserStore().setItem("key", "text"));
  assert.deepEqual([storedFleets().fleets.size, storedFleets().damaged], [0, true]);
  assert.equal(sealedFleet(`0x${"ab".repeat(32)}`) ?? null, null);
});
