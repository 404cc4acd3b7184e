// Tests the state of the connection and the chain in the page's header. The header shows a problem
// only if it lasts for a while.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ServerState } from "../../../../frontend-static/app/server-state.js";

/** Return a `ServerState` whose clock the test controls. */
function serverState(t, onLine = true) {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  Object.defineProperty(globalThis, "navigator", { value: { onLine }, configurable: true });
  const server = new ServerState({ entries: new Map() }, { get: () => null, set: () => undefined });
  server.connection = "live";
  server.noteHeard();
  return server;
}

test("the header does not show trouble that lasts less than three seconds", (t) => {
  const server = serverState(t);
  const states = ["ok", "catching-up", "catching-up", "ok", "node-lost", "node-lost", "node-lost", "ok"].map(
    (state) => {
      t.mock.timers.tick(2000);
      server.setHealth({ state });
      return server.state();
    },
  );
  assert.deepEqual(states, ["live", "live", "live", "live", "live", "live", "node-lost", "live"]);
});

test("the header hides a connection loss of less than three seconds, but shows a missing network immediately", (t) => {
  const server = serverState(t);
  server.connection = "lost";
  t.mock.timers.tick(2999);
  assert.equal(server.state(), "live");
  t.mock.timers.tick(1);
  assert.equal(server.state(), "lost");
  navigator.onLine = false;
  assert.equal(server.state(), "offline");
  server.connection = "live";
  assert.equal(server.state(), "live", "without a network, a server on this machine still answers");
});

test("before the first answer, the header shows that the page is connecting", (t) => {
  const server = serverState(t);
  server.connection = "connecting";
  assert.equal(server.state(), "connecting");
});
