/** The page's entry: routes, one drawing for each change, keys. */

import { accountDrawer } from "./views/account/drawer.js";
import { App } from "./app/app.js";
import { newCareer } from "./app/ui.js";
import { draw, h } from "./lib/dom.js";
import { arrive, playbackOf, update } from "./app/update.js";
import { filePage, fileSection } from "./views/replay-file.js";
import { Focus } from "./views/focus.js";
import { helpDialog, pageHeader } from "./views/header.js";
import { Keys } from "./chain/wallet/keys.js";
import { lobbyPage } from "./views/lobby/page.js";
import { matchPage } from "./views/match/page.js";
import { newPage } from "./views/new-match.js";
import { closeFile, takeDrops } from "./app/open-file.js";
import { routeOf } from "./app/route.js";
import { expose as probed } from "./app/debug.js";
import { leaderboardPage } from "./views/players/leaderboard.js";
import { playerPage } from "./views/players/player.js";
import { onTimelineKey } from "./views/match/timeline/keys.js";
import { recallTheme, switchTheme } from "./lib/theme.js";
import { rulesPage } from "./views/rules.js";
import { sponsorLine } from "./views/account/sponsor-line.js";
import { waitingStrip } from "./views/waiting-matches.js";
import { recallLanguage } from "./i18n/language.js";
import { t } from "./i18n/translate.js";
import { forgetNames, nameOf, recallNicknames, settled } from "./names/names.js";
import { STORAGE as NICKNAMES } from "./names/nicknames.js";

/** @import { Route } from "./app/route.js" */
/** @import { Tree } from "./lib/dom.js" */

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
const focus = new Focus();
let waiting = false;
/** Key of the route that was drawn last. */
let drawnKey = "";

/** Many changes, one drawing. */
function redraw() {
  if (waiting) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    render();
  }, 0);
}

const app = probed(new App(redraw, await new Keys().open()));

/** What is drawn of each view, and what the window is called. @type {Record<Route["view"], {draw: (route: Route) => Tree[], title?: (route: Route) => string}>} */
const PAGES = {
  lobby: { draw: () => lobbyPage(app, fileSection(app)) },
  new: { draw: ({ game = "" }) => newPage(app, game), title: () => t("lobby.new") },
  rules: {
    draw: ({ game = "", origin }) => rulesPage(app, game, origin),
    title: ({ game = "" }) => t("rules.heading", { game: app.server.games.get(game)?.title ?? game }),
  },
  replay: { draw: () => filePage(app), title: () => app.ui.openedFile?.match ?? t("replay.heading") },
  player: { draw: ({ player = "" }) => playerPage(app, player), title: ({ player = "" }) => nameOf(player) },
  players: { draw: () => leaderboardPage(app), title: () => t("players.heading") },
  match: { draw: ({ name = "" }) => matchPage(app, name), title: ({ match = "" }) => match },
};

/** Seeks the event that the address names, or the present. */
function onRouteChange() {
  const route = routeOf(location.hash);
  arrive(app, route);
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
  try {
    settled(() => drawRoute(route));
  } catch (error) {
    if (route.view !== "replay" || !app.ui.openedFile) throw error;
    closeFile(app); // any event of a file may be the first whose board can't be drawn
    drawRoute(route);
  }
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
  const inert = app.ui.help; // behind the list of keys nothing can be focused
  const page = [
    pageHeader(app),
    waitingStrip(app, route.match),
    sponsorLine(app),
    ...PAGES[route.view].draw(route).map((tree) => withProps(tree, { key: `main-${route.key}`, tabindex: -1 })),
    accountDrawer(app),
  ];
  const rendered = [skip, ...page.map((tree) => tree && withProps(tree, { inert })), helpDialog(app)].filter(
    (tree) => tree !== null,
  );
  focus.keep(app.ui, () => draw(root, rendered));
  const title = PAGES[route.view].title?.(route);
  const turn = app.notices.title((game) => app.server.games.get(game)?.title ?? game);
  document.title = turn ?? (title ? `${title} · ${t("page.title")}` : t("page.title"));
}

/** @param {Tree} tree @param {Record<string, any>} props @returns {Tree} */
const withProps = (tree, props) => ({ ...tree, props: { ...tree.props, ...props } });

function closeAll() {
  app.hints.close(routeOf(location.hash).match ?? "");
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
  l: () => {
    location.hash = "#/";
  },
  t: switchTheme,
  Escape: closeAll,
};

/** A button's own key held down is one press, so that no second thought is skipped. @param {KeyboardEvent} event */
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
  const action = /^[1-9]$/.test(event.key)
    ? document.querySelectorAll(".actions button[data-action]")[Number(event.key) - 1]
    : null;
  if (action instanceof HTMLButtonElement)
    action.focus(); // no key alone sends anything
  else if (Object.hasOwn(KEYS, event.key)) KEYS[event.key]();
  else return;
  redraw();
}

recallLanguage();
recallTheme();
takeDrops(app);
window.addEventListener("resize", redraw); // a hint stays beside what it explains
window.addEventListener("hashchange", onRouteChange);
window.addEventListener("keydown", onKey);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
window.addEventListener("storage", ({ key }) => {
  if (key !== NICKNAMES) return;
  recallNicknames();
  redraw();
});
onRouteChange();
render();
void app.start();
