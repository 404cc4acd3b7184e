/** The page's entry: routes, one drawing for each change, keys. */

import { accountDrawer } from "./views/account/drawer.js";
import { App } from "./app/app.js";
import { noteSeen } from "./app/privacy.js";
import { draw, h } from "./lib/dom.js";
import { filePage, refuse, takeDrops } from "./views/replay-file.js";
import { Focus } from "./views/focus.js";
import { helpDialog, pageHeader } from "./views/header.js";
import { switchToMover } from "./app/hot-seat.js";
import { Keys } from "./chain/wallet/keys.js";
import { lobbyPage, withoutBoard } from "./views/lobby.js";
import { matchPage } from "./views/match/page.js";
import { newPage } from "./views/new-match.js";
import { expose as probed } from "./app/debug.js";
import { leaderboardPage, playerPage } from "./views/leaderboard.js";
import { onTimelineKey } from "./views/match/timeline-keys.js";
import { recallTheme, switchTheme } from "./lib/theme.js";
import { waitingStrip } from "./views/waiting-matches.js";
import { t } from "./i18n/translate.js";

/** @import { Tree } from "./lib/dom.js" */

/** A match, maybe at an event: `#/match/GAME/ID@SEQ`. */
const MATCH = /^#\/match\/([a-z0-9-]{1,40}\/[0-9]{1,15})(?:@([0-9]{1,15}))?$/;
const REPLAY = /^#\/replay(?:@([0-9]{1,15}))?$/;
const NEW = /^#\/new\/([a-z0-9-]{1,40})$/;
const PLAYER = /^#\/player\/(0x[0-9a-fA-F]{40})$/;
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

/** The route of the address; for an unknown one, a match that can't exist. */
function currentRoute() {
  const [match, game] = [MATCH.exec(location.hash)?.[1], NEW.exec(location.hash)?.[1]];
  if (["", "#", "#/"].includes(location.hash))
    return { key: "lobby", watched: [], previews: withoutBoard(app), page: () => lobbyPage(app) };
  if (game) return { key: `new-${game}`, watched: [], title: t("lobby.new"), page: () => newPage(app, game) };
  if (REPLAY.test(location.hash))
    return {
      key: "replay",
      watched: [],
      title: app.openedFile?.match ?? t("replay.heading"),
      playback: app.openedFile?.playback,
      page: () => filePage(app),
    };
  const player = PLAYER.exec(location.hash)?.[1];
  if (player)
    return { key: `player-${player}`, watched: [], title: t("players.one"), page: () => playerPage(app, player) };
  if (location.hash === "#/players")
    return { key: "players", watched: [], title: t("players.heading"), page: () => leaderboardPage(app) };
  const named = match ?? location.hash.slice(2);
  if (match) app.playback.open(match, () => app.historyOf(match));
  return {
    key: `match-${named}`,
    watched: match ? [match] : [],
    title: match,
    playback: app.playback,
    match,
    page: () => matchPage(app, named),
  };
}

/** Seeks the event that the address names, or the present. */
function onRouteChange() {
  const { key, playback } = currentRoute();
  if (playback !== app.playback) app.playback.close();
  if (playback !== app.openedFile?.playback) app.openedFile?.playback.pause();
  const seq = MATCH.exec(location.hash)?.[2] ?? REPLAY.exec(location.hash)?.[1];
  if (seq !== undefined) playback?.visit(Number(seq));
  else if (playback?.playhead && !playback.playhead.orphan) playback.present();
  if (key === drawnKey) return redraw();
  drawnKey = key;
  Object.assign(app.ui, { selected: 0, pointed: -1, drawer: false, armed: "" });
  window.scrollTo(0, 0);
  redraw();
}

function render() {
  const here = currentRoute();
  try {
    drawRoute(here);
  } catch (error) {
    if (here.key !== "replay" || !app.openedFile) throw error;
    refuse(app); // a file may hold any board, and any moment of it may be the first that can't be drawn
    drawRoute(currentRoute());
  }
}

/** @param {ReturnType<typeof currentRoute>} where */
function drawRoute({ key, watched, previews, title, match, page: inside }) {
  if (match && !app.playback.playhead) switchToMover(app, match);
  app.watchOnly([...new Set([...watched, ...app.autoMoves.matches()])], previews);
  if (match) noteSeen(app, match);
  const main = inside();
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
    waitingStrip(app, key.startsWith("match-") ? watched : []),
    ...main.map((tree) => withProps(tree, { key: `main-${key}`, tabindex: -1 })),
    accountDrawer(app),
  ];
  const whole = [skip, ...page.map((tree) => tree && withProps(tree, { inert })), helpDialog(app)].filter(
    (tree) => tree !== null,
  );
  focus.keep(app.ui, () => draw(root, whole));
  document.title = title ? `${title} · ${t("page.title")}` : t("page.title");
}

/** @param {Tree} tree @param {Record<string, any>} props @returns {Tree} */
const withProps = (tree, props) => ({ ...tree, props: { ...tree.props, ...props } });

function closeAll() {
  Object.assign(app.ui, { help: false, drawer: false, selected: 0, armed: "" });
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
  if (onTimelineKey(event, app.ui.help || app.ui.drawer ? null : (currentRoute().playback ?? null))) return redraw();
  const action = /^[1-9]$/.test(event.key)
    ? document.querySelectorAll(".actions button[data-action]")[Number(event.key) - 1]
    : null;
  if (action instanceof HTMLButtonElement)
    action.focus(); // no key alone sends anything
  else if (Object.hasOwn(KEYS, event.key)) KEYS[event.key]();
  else return;
  redraw();
}

recallTheme();
takeDrops(app);
window.addEventListener("hashchange", onRouteChange);
window.addEventListener("keydown", onKey);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
onRouteChange();
render();
void app.start();
