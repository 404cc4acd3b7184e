/** Loads a game's renderer, texts, style sheet and layout, each by its name: the page keeps no list of games. */

import { addGameTexts } from "../i18n/translate.js";

/** @import { App } from "./app.js" */
/** @import { GameInfo, Renderer } from "../types.js" */
/** @typedef {Pick<App, "server">} Needs What it uses of the page. */

const NAME = /^[a-z0-9-]{1,40}$/;

/** @param {Needs} app @param {GameInfo} game */
export async function loadGame(app, game) {
  if (!NAME.test(game.slug) || !NAME.test(game.layout)) return;
  try {
    if (!app.server.renderers.has(game.slug)) await loadRenderer(app, game.slug);
    if (!app.server.layouts.has(game.layout))
      app.server.layouts.set(game.layout, (await import(`../layouts/${game.layout}.js`)).default);
  } catch (error) {
    console.warn(`${game.slug} can't be drawn: ${error}`);
  }
  app.server.games.set(game.slug, game);
}

/** @param {Needs} app @param {string} slug */
async function loadRenderer(app, slug) {
  /** @type {Renderer} */
  const renderer = await import(`../games/${slug}.js`);
  addGameTexts(slug, renderer.texts);
  if (renderer.styled) await loadStyleSheet(slug);
  app.server.renderers.set(slug, renderer);
}

/** A game's own style sheet, there before the game is drawn. @param {string} slug @returns {Promise<void>} */
function loadStyleSheet(slug) {
  const href = new URL(`games/${slug}.css`, document.baseURI).pathname;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  return new Promise((done) => {
    link.onload = link.onerror = () => done();
  });
}
