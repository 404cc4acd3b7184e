// Tests that the page's links and its texts about money depend on the chain.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ANN, at, page, useBrowser } from "../app/page.mjs";
import { find, textOf } from "./tree.mjs";
import { lobbyPage } from "../../../../frontend-static/views/lobby/page.js";
import { isLocalAddress } from "../../../../frontend-static/views/parts/copy.js";

useBrowser();

test("before the chain is known, the page shows nothing about money but reserves the space", async () => {
  const app = await page({ own: [ANN] });
  at(app, "#/");
  const lead = () => find(lobbyPage(app), (props) => props.class === "lead")[0].children[0];
  assert.match(textOf(lead()), /no fees/);
  assert.notEqual(lead().props.class, "unknown");
  app.server.health.development = false;
  assert.match(textOf(lead()), /Each move costs a small fee/);
  app.server.health = null;
  assert.equal(lead().props.class, "unknown", "the text is there but invisible");
});

test("only a player who may have started this development chain sees how others can join", () => {
  for (const here of ["http://localhost:8000/", "http://127.0.0.1:1/", "http://[::1]/"]) {
    assert.equal(isLocalAddress(here, true), true);
    assert.equal(isLocalAddress(here, false), false);
    assert.equal(isLocalAddress(here, undefined), false);
  }
  assert.equal(isLocalAddress("https://board.example/", true), false);
});
