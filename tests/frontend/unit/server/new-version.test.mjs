// Tests that the page reloads automatically only if the server answers, and at most once per
// version.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { mayReload, newestPage } from "../../../../frontend-static/app/loading/first-parts.js";
import { NewVersion } from "../../../../frontend-static/app/loading/new-version.js";
import { storageOf, useGlobals } from "../../node/globals.mjs";

const kept = new Map();
let script, drawn, reloads;
useGlobals({
  fetch: undefined, // each test sets fetch
  sessionStorage: storageOf(kept),
  document: { querySelector: () => ({ getAttribute: () => script }) },
  location: { pathname: "/", reload: () => reloads++ },
});
beforeEach(() => {
  kept.clear();
  mock.restoreAll();
  [script, drawn, reloads] = ["main-A.js", 0, 0];
});

const looked = async (answer, more = {}) => {
  globalThis.fetch = answer;
  const ui = { typed: {}, drafts: new Map(), selected: 0 };
  const version = new NewVersion({ redraw: () => drawn++, ui, ...more });
  await version.check();
  return version.state;
};
const page =
  (html, ok = true) =>
  async () => ({ ok, text: async () => html });

test("each version of a path reloads once, even if another version came in between", () => {
  assert.deepEqual([mayReload(), mayReload()], [true, false]);
  script = "main-B.js";
  assert.equal(mayReload(), true);
  script = "main-A.js";
  assert.equal(mayReload(), false);
  location.pathname = "/embed/hill/1";
  assert.equal(mayReload(), true);
  location.pathname = "/";
});

test("without storage, no version reloads", () => {
  mock.method(sessionStorage, "setItem", () => {
    throw new DOMException("full", "QuotaExceededError");
  });
  assert.equal(mayReload(), false);
});

const UNANSWERED = {
  "that can't be reached": () => Promise.reject(new TypeError("no line")),
  "that is in trouble": page("", false),
  "whose answer ends in its middle": async () => ({ ok: true, text: () => Promise.reject(new TypeError("cut")) }),
  "that never answers": (_, { signal }) => new Promise((_, reject) => reject(signal.reason)),
};
for (const [which, answer] of Object.entries(UNANSWERED))
  test(`a server ${which} sends no page, so nothing reloads`, async () => {
    mock.method(AbortSignal, "timeout", () => AbortSignal.abort());
    assert.deepEqual([await looked(answer), reloads, drawn], ["none", 0, 1]);
    assert.equal(await newestPage(), null);
  });

test("keys that exist only in memory survive a failed load", async () => {
  const keys = { isPersistent: false };
  assert.deepEqual([await looked(page('"main-B.js"'), { accounts: { keys } }), reloads], ["here", 0]);
  keys.isPersistent = true;
  await looked(page('"main-B.js"'), { accounts: { keys } });
  assert.equal(reloads, 1);
});
