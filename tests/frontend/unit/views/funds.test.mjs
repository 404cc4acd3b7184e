// Tests that the page explains once how a player without ether can get ether. The page also shows
// the player's address, to which others can send ether.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ANN, at, page, useBrowser } from "../app/page.mjs";
import { find, textOf } from "./tree.mjs";
import { translate } from "../../../../frontend-static/i18n/translate.js";
import { newPage } from "../../../../frontend-static/views/new-match.js";

useBrowser();

/** Open the page for a new match. Return its part that shows a player how to get ether. */
async function remedy(rejection) {
  const app = await page({ own: [ANN] });
  Object.assign(app.server.health, { development: false, sponsor: Boolean(rejection) });
  app.accounts.balances.set(ANN, 0n);
  if (rejection) app.accounts.sponsorship.rejections.set(ANN, rejection);
  at(app, "#/new/tic-tac-toe");
  return find(newPage(app, "tic-tac-toe"), (props) => props["data-remedy"] === "get-ether");
}

test("if nobody pays for the player, the page shows where to get ether and the address to copy", async () => {
  const [tree] = await remedy();
  assert.match(textOf(tree), /^Each move costs a little ETH, and this site doesn’t pay for it/);
  assert.match(textOf(tree), new RegExp(`your address\\.${ANN}`));
  assert.equal(find(tree, ({ id }) => id === "copy-me-new-match-tic-tac-toe").length, 1);
});

test("a sponsor that has reached its limit is distinguished from a sponsor that pays nothing", async () => {
  const [tree] = await remedy({ key: "problem.sponsor-spent.address", args: { ether: "0.1" } });
  assert.match(textOf(tree), /Come back tomorrow \(UTC\)\.Or get some of this chain’s ETH from an exchange/);
  assert.doesNotMatch(textOf(tree), /doesn’t pay/);
});

test("a sponsor's grant is shown as a number of moves in the game for which it was made", async (context) => {
  const app = await page({ own: [ANN] });
  const { sponsorship } = app.accounts;
  sponsorship.untilAbove = async () => undefined;
  const gift = { sent: "1000000000000000", moves: 24 };
  context.mock.method(globalThis, "fetch", async () => ({ ok: true, status: 200, json: async () => gift }));
  await sponsorship.requestGrant(ANN, { slug: "tic-tac-toe", title: "Tic-tac-toe" }, 0n);
  assert.match(translate(sponsorship.notes.get(ANN)), /0\.001 ETH: enough for about 24 moves in Tic-tac-toe\.$/);
});
