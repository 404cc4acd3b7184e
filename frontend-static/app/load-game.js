/** Loads a game's renderer, texts, style sheet and layout, each by its name: the page keeps no list of games. */

import { addGameTexts } from "../i18n/translate.js";
import { LAYOUTS } from "../layouts/layouts.js";
import { nameCompanions } from "../names/names.js";
import { Offline, Problem, get } from "../server/rest.js";

/** @import { App } from "./app.js" */
/** @import { GameInfo, Renderer } from "../types.js" */
/** @typedef {{server: Pick<App["server"], "games"|"renderers"|"layouts">}} Needs What it uses of the page. */

const RETRY_MS = 1000;
const NAME = /^[a-z0-9-]{1,40}$/;

/** All at once, and there at once in the server's order: nothing on the page moves because another one comes. @param {Needs} app @param {GameInfo[]} games */
export async function loadGames({ server }, games) {
  const loaded = await Promise.all(games.map((game) => load(server, game)));
  for (const [i, { renderer, layout }] of loaded.entries()) {
    const game = games[i];
    if (renderer) server.renderers.set(game.slug, renderer);
    if (layout) server.layouts.set(game.layout, layout);
    server.games.set(game.slug, game);
    nameCompanions(game);
  }
}

/** Asks the server for its games again, as it may have newer contracts: what opened by an older one now would be lost. @param {Needs & Pick<App, "redraw">} app */
export async function reloadGames(app) {
  try {
    await loadGames(app, (await get("/games")).games);
    app.redraw();
  } catch (error) {
    if (!(error instanceof Offline || error instanceof Problem)) throw error;
    setTimeout(() => void reloadGames(app), RETRY_MS);
  }
}

/** @param {Needs["server"]} server @param {GameInfo} game @returns {Promise<{renderer?: Renderer, layout?: any}>} what is there of it */
async function load(server, { slug, layout: name }) {
  if (!NAME.test(slug) || !Object.hasOwn(LAYOUTS, name)) return {};
  try {
    const layout = server.layouts.get(name) ?? LAYOUTS[name]().then((module) => module.default);
    const renderer = server.renderers.get(slug) ?? (await loadRenderer(slug));
    return { renderer, layout: await layout };
  } catch (error) {
    console.warn(`${slug} can't be drawn: ${error}`);
    return {};
  }
}

/** @param {string} slug */
async function loadRenderer(slug) {
  /** @type {Renderer} */
  const renderer = await import(`../games/${slug}/renderer.js`);
  addGameTexts(slug, renderer.texts);
  return renderer;
}
