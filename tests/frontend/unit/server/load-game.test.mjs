// Tests that the page loads a game's ABI with the game. If a newer contract replaces the game's
// contract, the page must load the new ABI.
import assert from "node:assert/strict";
import { test } from "node:test";

import { addGames, loadGame } from "../../../../frontend-static/app/loading/load-game.js";
import { siteUrl } from "../../../../frontend-static/lib/site.js";

const [OLD, NEW] = [[{ type: "error", name: "Old", inputs: [] }], [{ type: "error", name: "New", inputs: [] }]];
const ABIS = { "0x01": OLD, "0x02": NEW };

/** Return a page, its server, and a list of the requests that the page sends. */
function pageAndServer(context) {
  const asked = [];
  context.mock.method(globalThis, "fetch", async (url) => {
    asked.push(String(url));
    return Response.json({ abi: ABIS[String(url).split("/").at(-1)] });
  });
  const server = { games: new Map(), layouts: new Map(), modules: new Map(), renderers: new Map() };
  return { app: { server, redraw: () => undefined }, server, asked };
}

/** Return the server's list entry for a game that the page has no renderer for. */
const chess = (abiHash) => ({ slug: "chess", title: "Chess", layout: "none", abiHash, deployments: [], actions: [] });

test("a listed game has no ABI yet, and a loaded game has its ABI", async (context) => {
  const { app, server, asked } = pageAndServer(context);
  await addGames(app, [chess("0x01")]);
  assert.deepEqual(asked, []);
  await loadGame(app, "chess");
  assert.deepEqual(asked, [String(siteUrl("api/abis/0x01"))]);
  assert.deepEqual(server.games.get("chess").abi, OLD);
});

test("a list with the same contracts keeps the ABI, and a list with newer contracts loads their ABI", async (context) => {
  const { app, server, asked } = pageAndServer(context);
  await addGames(app, [chess("0x01")]);
  await loadGame(app, "chess");
  await addGames(app, [chess("0x01")]);
  assert.deepEqual(server.games.get("chess").abi, OLD);
  assert.equal(asked.length, 1);
  await addGames(app, [chess("0x02")]);
  assert.deepEqual(server.games.get("chess").abi, NEW);
});

test("a list that arrives while a game is loading does not lose the ABI", async (context) => {
  const { app, server } = pageAndServer(context);
  await addGames(app, [chess("0x01")]);
  const loading = loadGame(app, "chess");
  server.games.set("chess", chess("0x01"));
  await loading;
  assert.deepEqual(server.games.get("chess").abi, OLD);
  server.games.set("chess", chess("0x01")); // the server's new entry has no ABI, but the page has already loaded the ABI
  await addGames(app, [chess("0x02")]);
  assert.deepEqual(server.games.get("chess").abi, NEW);
});

test("a page without transactions requests no ABI", async (context) => {
  const { app, asked } = pageAndServer(context);
  await addGames(app, [chess("0x01")]);
  await loadGame(app, "chess", { signs: false });
  assert.deepEqual(asked, []);
});
