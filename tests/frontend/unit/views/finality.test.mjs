// Tests that the page shows below the board whether the displayed moment is final, both for the
// current board and for earlier moments.
import assert from "node:assert/strict";
import { test } from "node:test";

import { at, page, useBrowser } from "../app/page.mjs";
import { matchPage } from "../../../../frontend-static/views/match/page.js";

useBrowser();

const MATCH = "tic-tac-toe/3";
function* parts(tree) {
  for (const one of [tree].flat(Infinity)) {
    if (!one || typeof one !== "object") continue;
    yield one;
    yield* parts(one.children ?? []);
  }
}
const stateFact = (app) => {
  const found = [...parts(matchPage(app, MATCH))].find(({ props }) => props?.["data-fact"] === "state");
  return found && [found.props["data-state"], found.children.join("")];
};

/** Return a page whose node reports no fees. */
async function opened() {
  const app = await page();
  app.chainClient.currentFees = async () => null;
  return app;
}

async function shown(saved) {
  const app = await opened();
  app.server.health.finalHead = saved;
  await app.refreshFee();
  at(app, `#/match/${MATCH}`);
  return app;
}

test("the latest board is final once the block of its last event is final", async () => {
  const last = (await page()).server.feeds.get(MATCH).at(-1).block;
  assert.deepEqual(stateFact(await shown(last)), ["final", "Final: the moves can’t be undone."]);
  const [state, text] = stateFact(await shown(last - 1));
  assert.equal(state, "recent");
  assert.match(text, new RegExp(`^In block ${last}, not final yet: `));
});

test("an earlier board has the finality of its own block", async () => {
  const app = await shown(0);
  const [event] = app.server.feeds.get(MATCH);
  app.server.finalHeight = event.block;
  app.playback.setPlayhead({ seq: event.seq, event, board: app.server.board(MATCH) });
  assert.equal(stateFact(app)[0], "final");
  app.server.finalHeight = event.block - 1;
  assert.equal(stateFact(app)[0], "recent");
});

test("nothing is shown while finality is unknown, and a board that was final stays final", async () => {
  const app = await opened();
  at(app, `#/match/${MATCH}`);
  assert.equal(stateFact(app), undefined);
  app.server.health.finalHead = 40;
  await app.refreshFee();
  app.server.health.finalHead = 30;
  await app.refreshFee();
  assert.equal(app.server.finalHeight, 40);
});
