/**
 * Starts the page, handles its addresses and keyboard shortcuts, and draws it after each change.
 */

import { App } from "./app/app.js";
import { restoreTyped } from "./app/loading/new-version.js";
import { newCareer } from "./app/ui.js";
import { draw, h } from "./lib/dom.js";
import { LazyModule } from "./lib/lazy-module.js";
import { batched, whenIdle } from "./lib/retry.js";
import { missingPart, whyMissing } from "./views/parts/missing-part.js";
import { onRoute, playbackOf, update } from "./app/update.js";
import { fileSection } from "./views/parts/file-chooser.js";
import { FocusManager } from "./views/focus.js";
import { helpDialog, pageHeader } from "./views/header.js";
import { Keys } from "./chain/wallet/keys.js";
import { lobbyPage } from "./views/lobby/page.js";
import { acceptDrops, closeFile } from "./app/loading/open-file.js";
import { routeOf } from "./app/route.js";
import { expose as probed } from "./app/debug.js";
import { onTimelineKey } from "./views/match/timeline/keys.js";
import { restoreTheme, switchTheme } from "./lib/theme.js";
import { challengeStrip } from "./views/lobby/challenges.js";
import { pairingStrip } from "./views/lobby/pairing.js";
import { sponsorLine } from "./views/account/sponsor-line.js";
import { waitingStrip } from "./views/waiting-matches.js";
import { t } from "./i18n/translate.js";
import { drawUntilStable, forgetNames, nameOf, reloadPetnames } from "./names/names.js";
import { STORAGE as PETNAMES } from "./names/petnames.js";

/** @import { Route } from "./app/route.js" */
/** @import { Tree } from "./lib/dom.js" */

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
const focus = new FocusManager();
/** The `key` of the route that the page drew last. */
let drawnKey = "";

const redraw = batched(() => render());

/** @type {App} */
let app;

/** @template T @param {() => Promise<T>} importModule */
const lazy = (importModule) => new LazyModule(importModule, redraw);

/**
 * The modules that the lobby doesn't need. They are loaded when needed or when the page is idle.
 */
const parts = {
  match: lazy(() => import("./views/match/page.js")),
  new: lazy(() => import("./views/new-match.js")),
  drawer: lazy(() => import("./views/account/drawer.js")),
  rules: lazy(() => import("./views/rules/page.js")),
  learn: lazy(async () => {
    const [{ learnPage }, { Lessons }] = await Promise.all([
      import("./views/rules/learn.js"),
      import("./app/match/lesson.js"),
    ]);
    const lessons = new Lessons(redraw);
    return {
      learnPage: (/** @type {string} */ game, /** @type {string} */ origin) => learnPage(app, lessons, game, origin),
    };
  }),
  leaderboard: lazy(() => import("./views/players/leaderboard.js")),
  player: lazy(() => import("./views/players/player.js")),
  replay: lazy(async () => {
    const [view] = await Promise.all([import("./views/replay-file.js"), import("./app/loading/replay-file.js")]);
    return view;
  }),
};

/**
 * Return what a module draws if the module is loaded. Otherwise, return a note that it is being
 * loaded or can't be loaded. @template T @param {LazyModule<T>} part @param {(module: T) => Tree[]} drawing @param {string} [slug] the slug of the game on the page, whose renderer must also be loaded @returns {Tree[]}
 */
function partOf(part, drawing, slug = "") {
  const module = part.get();
  const game = app.server.modules.get(slug);
  if (module && (!game || game.loaded)) return drawing(module);
  return [missingPart(app, module && game ? game : part)];
}

/** Return the drawer with the player's accounts. If its module can't be loaded, return a note. */
function drawer() {
  const { drawer: part } = parts;
  const module = part.get();
  if (module) return module.accountDrawer(app);
  const note = whyMissing(app, part);
  return note && h("div", { class: "drawer", key: "drawer" }, note);
}

/** For each view, a function that draws the view, and a function that returns the window's title. @type {Record<Route["view"], {draw: (route: Route) => Tree[], title?: (route: Route) => string}>} */
const PAGES = {
  lobby: { draw: () => lobbyPage(app, fileSection(app)) },
  new: { draw: ({ game = "" }) => partOf(parts.new, (it) => it.newPage(app, game), game), title: () => t("lobby.new") },
  rules: {
    draw: ({ game = "", origin }) => partOf(parts.rules, (it) => it.rulesPage(app, game, origin), game),
    title: ({ game = "" }) => t("rules.heading", { game: app.server.games.get(game)?.title ?? game }),
  },
  learn: {
    draw: ({ game = "", origin = "" }) => partOf(parts.learn, (it) => it.learnPage(game, origin), game),
    title: ({ game = "" }) => t("learn.heading", { game: app.server.games.get(game)?.title ?? game }),
  },
  replay: {
    draw: () => partOf(parts.replay, (it) => it.filePage(app)),
    title: () => app.ui.openedFile?.match ?? t("replay.heading"),
  },
  player: {
    draw: ({ player = "" }) => partOf(parts.player, (it) => it.playerPage(app, player)),
    title: ({ player = "" }) => nameOf(player),
  },
  players: {
    draw: () => partOf(parts.leaderboard, (it) => it.leaderboardPage(app)),
    title: () => t("players.heading"),
  },
  match: {
    draw: ({ name = "" }) => partOf(parts.match, (it) => it.matchPage(app, name)),
    title: ({ match = "" }) => match,
  },
};

/** Handle a new address. Show the event that the address names, or else the latest board. */
function onRouteChange() {
  const route = routeOf(location.hash);
  onRoute(app, route);
  if (route.key !== drawnKey) {
    drawnKey = route.key;
    Object.assign(app.ui, { selected: 0, pointed: -1, drawer: false, armed: "", nameCard: "", career: newCareer() });
    forgetNames();
    window.scrollTo(0, 0);
  }
  redraw();
}

function render() {
  const route = routeOf(location.hash);
  update(app, route);
  for (const part of partsOf(route)) if (part.failed) void app.newVersion.check();
  prefetch(route);
  try {
    drawUntilStable(() => drawRoute(route));
  } catch (error) {
    if (route.view !== "replay" || !app.ui.openedFile) throw error;
    closeFile(app); // a replay file can contain a board that the game's code can't draw
    drawRoute(route);
  }
  app.nicknames.refresh();
}

/**
 * Return the bar about the search for an opponent. Without a search, return the bar about a
 * challenge. @param {App} app @param {Route} route
 */
const personStrip = (app, { match }) => pairingStrip(app, match) ?? challengeStrip(app, match);

/** Return the modules that the page needs to draw this route. @param {Route} route @returns {LazyModule<any>[]} */
function partsOf({ view, match, game }) {
  const part = view === "lobby" ? null : parts[view === "players" ? "leaderboard" : view];
  const ofGame = app.server.modules.get(match?.split("/")[0] ?? game ?? "");
  return [part, ofGame, app.ui.drawer && parts.drawer].filter((one) => one instanceof LazyModule);
}

let isPrefetched = false;

/** Once the page has loaded everything that it shows, load the modules that it might show next. @param {Route} route */
function prefetch({ view }) {
  const isBusy = view === "lobby" ? app.previews.state !== "idle" : !Object.values(parts).some(({ loaded }) => loaded);
  const { connection } = /** @type {any} */ (navigator);
  if (isPrefetched || isBusy || connection?.saveData) return;
  isPrefetched = true;
  whenIdle(async () => {
    for (const part of Object.values(parts)) await part.prefetch();
  });
}

/** @param {Route} route */
function drawRoute(route) {
  const skip = h(
    "a",
    {
      class: "skip",
      href: "#main",
      onclick: (/** @type {Event} */ event) => {
        event.preventDefault();
        (document.getElementById("board") ?? document.querySelector("main a, main button"))?.focus();
      },
    },
    t("page.skip"),
  );
  const inert = app.ui.help; // while the list of shortcuts is open, nothing behind it can get the focus
  const page = [
    pageHeader(app),
    waitingStrip(app, route.match),
    h("div", { class: "strips", key: "strips", "aria-live": "polite" }, personStrip(app, route)),
    sponsorLine(app),
    ...PAGES[route.view].draw(route).map((tree) => withProps(tree, { key: `main-${route.key}`, tabindex: -1 })),
    app.ui.drawer ? drawer() : null,
  ];
  const rendered = [skip, ...page.map((tree) => tree && withProps(tree, { inert })), helpDialog(app)].filter(
    (tree) => tree !== null,
  );
  focus.drawKeepingFocus(app.ui, () => draw(root, rendered));
  const title = PAGES[route.view].title?.(route);
  const turn = app.notices.title((game) => app.server.games.get(game)?.title ?? game);
  document.title = turn ?? (title ? `${title} · ${t("page.title")}` : t("page.title"));
}

/** @param {Tree} tree @param {Record<string, any>} props @returns {Tree} */
const withProps = (tree, props) => ({ ...tree, props: { ...tree.props, ...props } });

function closeAll() {
  app.hints.close(routeOf(location.hash).match ?? "");
  app.pairing.openCard = app.emotes.open = "";
  Object.assign(app.ui, { help: false, drawer: false, selected: 0, armed: "", nameCard: "" });
}

/** @type {Record<string, () => void>} */
const KEYS = {
  "?": () => {
    app.ui.help = !app.ui.help;
  },
  a: () => {
    app.ui.drawer = !app.ui.drawer;
  },
  e: () => {
    const { match } = routeOf(location.hash);
    if (!app.playback.playhead) app.emotes.toggle(match);
  },
  l: () => {
    location.hash = "#/";
  },
  t: switchTheme,
  Escape: closeAll,
};

/**
 * Return true if the player is holding down a key on a button. A held key must not count as a
 * second click, because a second click confirms a question. @param {KeyboardEvent} event
 */
const isHeld = ({ repeat, key, target }) =>
  repeat && (key === "Enter" || key === " ") && target instanceof HTMLButtonElement;

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (isHeld(event)) event.preventDefault();
  const typing =
    /^(INPUT|SELECT|TEXTAREA)$/.test(/** @type {Element} */ (event.target).tagName) && event.key !== "Escape";
  if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
  if (
    onTimelineKey(event, app.ui.help || app.ui.drawer ? null : (playbackOf(app, routeOf(location.hash).view) ?? null))
  )
    return redraw();
  const buttons = app.emotes.open ? ".emotes [data-emote]" : ".actions button[data-action]";
  const action = /^[1-9]$/.test(event.key) ? document.querySelectorAll(buttons)[Number(event.key) - 1] : null;
  if (app.emotes.open && action instanceof HTMLButtonElement)
    action.click(); // click the button at once, because an emote costs nothing and isn't a move
  else if (action instanceof HTMLButtonElement)
    action.focus(); // only focus the button, because a single key must never send a transaction
  else if (Object.hasOwn(KEYS, event.key)) KEYS[event.key]();
  else return;
  redraw();
}

/** Start the page. The texts in the player's language must already be loaded. */
export async function start() {
  app = probed(new App(redraw, await new Keys().open()));
  restoreTyped(app.ui);
  restoreTheme();
  acceptDrops(app);
  window.addEventListener("hashchange", onRouteChange);
  window.addEventListener("keydown", onKey);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  window.addEventListener("storage", ({ key }) => {
    if (key !== PETNAMES) return;
    reloadPetnames();
    redraw();
  });
  window.addEventListener("beforeunload", (event) => {
    if (!app.accounts.keys.isPersistent) event.preventDefault(); // if the player has used the page, the browser asks whether to leave it
  });
  onRouteChange();
  render();
  void app.start();
}
