/**
 * Loads a game's renderer, texts and layout. It derives the addresses of these modules from the
 * game's name, so the page's code contains no list of games.
 */

import { loadGameTexts } from "../../i18n/tables.js";
import { LAYOUTS } from "../../layouts/layouts.js";
import { LazyModule } from "../../lib/lazy-module.js";
import { nameCompanions } from "../../names/names.js";
import { abiOf } from "../../server/abi.js";
import { Offline, Problem, get } from "../../server/rest.js";

/** @import { ServerState } from "../server-state.js" */
/** @import { GameInfo, Renderer } from "../../types.js" */
/** @typedef {{redraw: () => void, server: Pick<ServerState, "games"|"layouts"|"modules"|"renderers">}} Uses */

const RETRY_MS = 1000;
const NAME = /^[a-z0-9-]{1,40}$/;

/**
 * Add games, in the order in which the server lists them. For games that are already loaded, also
 * load the ABI of their newest contract.
 * @param {{server: Pick<ServerState, "games"|"modules">}} app @param {GameInfo[]} games Throws Offline or Problem.
 */
export async function addGames({ server }, games) {
  for (const game of games) {
    const { abi, abiHash } = server.games.get(game.slug) ?? {};
    if (abi && abiHash === game.abiHash) game.abi = abi;
    else if (server.modules.has(game.slug)) await abiOf(game);
  }
  for (const game of games) {
    server.games.set(game.slug, game);
    nameCompanions(game);
  }
}

/**
 * Fetch the list of games again. This is needed when the server has newer contracts, because it
 * doesn't index new matches in the old contracts. @param {{redraw: () => void, server: ServerState}} app
 */
export async function reloadGames(app) {
  try {
    await addGames(app, (await get("/games", { abi: "false" })).games);
    app.redraw();
  } catch (error) {
    if (!(error instanceof Offline || error instanceof Problem)) throw error;
    setTimeout(() => void reloadGames(app), RETRY_MS);
  }
}

/**
 * Load a game's renderer and layout. The promise doesn't reject if loading fails, because
 * `server.modules` records the failure. @param {Uses} app @param {string} slug @param {{signs: boolean}} [page] `signs`: true if the page sends transactions, so that it also needs the game's ABI
 */
export async function loadGame(app, slug, { signs } = { signs: true }) {
  const { server, redraw } = app;
  const game = server.games.get(slug);
  if (!game || server.renderers.has(slug)) return;
  let module = server.modules.get(slug);
  if (!module) server.modules.set(slug, (module = new LazyModule(() => load(app, game, signs), redraw)));
  if (!module.failed) await module.load();
}

/** @param {Uses} app @param {GameInfo} game @param {boolean} signs @returns {Promise<{renderer?: Renderer}>} an object without `renderer` if this page can't draw the game */
async function load({ server }, game, signs) {
  const [drawing] = await Promise.all([loadDrawing(game), signs && abiOf(game)]);
  const listed = server.games.get(game.slug); // if a new list of games has arrived in the meantime, this object isn't `game`
  if (listed?.abiHash === game.abiHash) listed.abi = game.abi;
  if (!drawing) return {};
  server.layouts.set(game.layout, drawing.layout);
  server.renderers.set(game.slug, drawing.renderer);
  return drawing;
}

/** @param {GameInfo} game @returns {Promise<{renderer: Renderer, layout: any}|null>} null if this page can't draw the game */
async function loadDrawing({ slug, layout: name }) {
  if (!NAME.test(slug) || !Object.hasOwn(LAYOUTS, name)) return null;
  try {
    const [{ default: layout }, renderer] = await Promise.all([LAYOUTS[name](), loadRenderer(slug)]);
    return { layout, renderer };
  } catch (error) {
    if (!/^Module not found in bundle/.test(String(/** @type {Error} */ (error).message))) throw error;
    console.warn(`${slug} can't be drawn: ${error}`);
    return null;
  }
}

/** @param {string} slug @returns {Promise<Renderer>} */
async function loadRenderer(slug) {
  const [renderer] = await Promise.all([
    import(`../../games/${slug}/renderer.js`),
    loadGameTexts(
      slug,
      (language) => import(`../../games/${slug}/messages/${language}.json`, { with: { type: "json" } }),
    ),
  ]);
  return renderer;
}
