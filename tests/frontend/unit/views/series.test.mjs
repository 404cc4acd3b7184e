// Tests that a match's headline suggests possible actions, but no disabled buttons and no moves
// that the page repeats automatically.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ANN, at, page, useBrowser } from "../app/page.mjs";
import { find, textOf } from "./tree.mjs";
import { matchPage } from "../../../../frontend-static/views/match/page.js";

useBrowser();

const MATCH = "touche-coule/2";

async function sea() {
  const app = await page({ own: [ANN] });
  app.server.price = 10n ** 9n;
  app.server.health.development = false;
  at(app, `#/match/${MATCH}`);
  const seen = (fits) => find(matchPage(app, MATCH), fits);
  return { app, seen, headline: () => textOf(seen(({ id }) => id === "whose")) };
}

test("the cost of a repeated move is shown per turn and in total", async () => {
  const { app, seen } = await sea();
  const [series] = seen((props) => props.class === "series");
  const [cost] = find(series, (props) => props["data-cost"] === "turn");
  assert.equal(textOf(cost), "A turn costs about 0.00004 ETH; 80 turns cost about 0.0032 ETH.");
  app.server.price = 0n;
  const [unknown] = find(seen((props) => props.class === "series")[0], (props) => props.class === "cost unknown");
  assert.equal(unknown.props["aria-hidden"], "true", "the space is reserved before the cost is known");
});

test("while the page fires by itself, the headline does not ask the player to fire", async () => {
  const { app, headline } = await sea();
  assert.match(headline(), /press Fire/);
  const { board: before } = app.server.socket.entries.get(MATCH);
  app.series.current = {
    match: MATCH,
    account: ANN,
    actionId: "turn",
    before,
    seq: 1,
    sent: 3,
    fees: 0n,
    tx: null,
    end: null,
  };
  assert.match(headline(), /your ships keep firing$/);
  app.series.current.end = { key: "series.stopped" };
  assert.match(headline(), /press Fire/);
});

test("a player without ether is not asked to press a disabled button", async () => {
  const { app, headline } = await sea();
  app.accounts.balances.set(ANN, 0n);
  assert.equal(headline(), "You need some ETH to play");
});
