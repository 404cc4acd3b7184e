// Tests that the page's address follows the displayed moment of a match, a few times per second.
// If the player goes back to an earlier address, the page doesn't replace that address.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { addressBar } from "../../../../frontend-static/history/address-bar.js";
import { useGlobals } from "../../node/globals.mjs";

/** @type {Record<string, (event?: any) => void>} */
let listeners = {};
let entries = [];

useGlobals({ addEventListener: undefined, location: undefined, history: undefined }); // each test sets these globals
beforeEach((context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  listeners = {};
  entries = ["#/match/nim/1"];
  globalThis.addEventListener = (name, listener) => (listeners[name] = listener);
  globalThis.location = { hash: entries[0] };
  globalThis.history = {
    state: null,
    replaceState: (_state, _title, hash) => {
      entries[entries.length - 1] = hash;
      location.hash = hash;
    },
  };
});

const back = (hash) => {
  entries.pop();
  location.hash = hash;
  listeners.popstate?.();
};

test("the first change is written immediately, and later changes are written together", (context) => {
  const show = addressBar();
  show("#/match/nim/1@1");
  assert.deepEqual(entries, ["#/match/nim/1@1"]);
  show("#/match/nim/1@2");
  show("#/match/nim/1@3");
  assert.deepEqual(entries, ["#/match/nim/1@1"]);
  context.mock.timers.tick(400);
  assert.deepEqual(entries, ["#/match/nim/1@3"]);
});

test("a press writes the pending address, because it may lead elsewhere", () => {
  const show = addressBar();
  show("#/match/nim/1@1");
  show("#/match/nim/1@2");
  listeners.pointerdown();
  assert.deepEqual(entries, ["#/match/nim/1@2"]);
});

test("on the page of another match, the pending address is not written", (context) => {
  const show = addressBar();
  show("#/match/nim/1@1");
  show("#/match/nim/1@2");
  location.hash = "#/match/nim/2";
  context.mock.timers.tick(400);
  assert.equal(location.hash, "#/match/nim/2");
});

test("going back twice quickly works, because the pending address belongs to the earlier step", (context) => {
  const show = addressBar();
  entries = ["#/match/nim/1@5", "#/match/nim/1@7", "#/match/nim/1@10"];
  location.hash = "#/match/nim/1@10";
  show("#/match/nim/1@10");
  back("#/match/nim/1@7");
  show("#/match/nim/1@7");
  back("#/match/nim/1@5");
  context.mock.timers.tick(400);
  assert.deepEqual([location.hash, entries], ["#/match/nim/1@5", ["#/match/nim/1@5"]]);
});
