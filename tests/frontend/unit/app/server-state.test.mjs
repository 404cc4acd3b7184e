// What the header says of the line and the chain, and when.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ServerState } from "../../../../frontend-static/app/server-state.js";

/** A state at a clock that the test moves. */
function serverState(t, onLine = true) {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  Object.defineProperty(globalThis, "navigator", { value: { onLine }, configurable: true });
  const server = new ServerState({ entries: new Map() }, { get: () => null, set: () => undefined });
  server.line = "live";
  server.noteHeard();
  return server;
}

test("trouble of less than three seconds is not told", (t) => {
  const server = serverState(t);
  const told = ["ok", "catching-up", "catching-up", "ok", "node-lost", "node-lost", "node-lost", "ok"].map((state) => {
    t.mock.timers.tick(2000);
    server.setHealth({ state });
    return server.state();
  });
  assert.deepEqual(told, ["live", "live", "live", "live", "live", "live", "node-lost", "live"]);
});

test("a line that is lost for less than three seconds is not told, and a browser without a network at once", (t) => {
  const server = serverState(t);
  server.line = "lost";
  t.mock.timers.tick(2999);
  assert.equal(server.state(), "live");
  t.mock.timers.tick(1);
  assert.equal(server.state(), "lost");
  navigator.onLine = false;
  assert.equal(server.state(), "offline");
  server.line = "live";
  assert.equal(server.state(), "live", "the server may be on this machine");
});

test("before the first answer it connects", (t) => {
  const server = serverState(t);
  server.line = "connecting";
  assert.equal(server.state(), "connecting");
});
