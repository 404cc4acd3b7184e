/** The page: which place the address names, one drawing for each change, the keys. */

import { accountDrawer } from "./views/account/drawer.js";
import { App } from "./app/app.js";
import { noteSeen } from "./app/privacy.js";
import { draw, h } from "./lib/dom.js";
import { filePage, refuse, takeDrops } from "./views/replay-file.js";
import { Focus } from "./views/focus.js";
import { frameHead, helpDialog } from "./views/header.js";
import { followMover } from "./app/hot-seat.js";
import { Keys } from "./chain/wallet/keys.js";
import { large, lobbyPage } from "./views/lobby.js";
import { matchPage } from "./views/match/page.js";
import { newPage } from "./views/new-match.js";
import { show as probed } from "./app/debug.js";
import { playerPage, standingsPage } from "./views/leaderboard.js";
import { onTimeKey } from "./views/match/timeline-keys.js";
import { recallTheme, switchTheme } from "./lib/theme.js";
import { waitingStrip } from "./views/waiting-matches.js";
import { t } from "./i18n/translate.js";

/** @import { Tree } from "./lib/dom.js" */

/** A match, maybe at a moment: `#/match/GAME/ID@SEQ`. */
const MATCH = /^#\/match\/([a-z0-9-]{1,40}\/[0-9]{1,15})(?:@([0-9]{1,15}))?$/;
const REPLAY = /^#\/replay(?:@([0-9]{1,15}))?$/;
const NEW = /^#\/new\/([a-z0-9-]{1,40})$/;
const PLAYER = /^#\/player\/(0x[0-9a-fA-F]{40})$/;
const root = /** @type {HTMLElement} */ (document.getElementById("page"));
const focus = new Focus();
let waiting = false;
/** The place that was shown last, whatever its moment. */
let shownKey = "";

/** Many changes, one drawing. */
function redraw() {
  if (waiting) return;
  waiting = true;
  setTimeout(() => { waiting = false; render(); }, 0);
}

const app = probed(new App(redraw, await new Keys().open()));

/** What the address names; a match that can't be one, for an address that names nothing. */
function place() {
  const [match, game] = [MATCH.exec(location.hash)?.[1], NEW.exec(location.hash)?.[1]];
  if (["", "#", "#/"].includes(location.hash)) return { key: "lobby", shown: [], peeks: large(app), page: () => lobbyPage(app) };
  if (game) return { key: `new-${game}`, shown: [], title: t("lobby.new"), page: () => newPage(app, game) };
  if (REPLAY.test(location.hash)) return { key: "replay", shown: [], title: app.opened?.match ?? t("replay.heading"), past: app.opened?.past, page: () => filePage(app) };
  const player = PLAYER.exec(location.hash)?.[1];
  if (player) return { key: `player-${player}`, shown: [], title: t("players.one"), page: () => playerPage(app, player) };
  if (location.hash === "#/players") return { key: "players", shown: [], title: t("players.heading"), page: () => standingsPage(app) };
  const named = match ?? location.hash.slice(2);
  if (match) app.past.open(match, () => app.record(match));
  return { key: `match-${named}`, shown: match ? [match] : [], title: match, past: app.past, match, page: () => matchPage(app, named) };
}

/** Goes to the moment that the address names, or to the present. */
function arrive() {
  const { key, past } = place();
  if (past !== app.past) app.past.close();
  if (past !== app.opened?.past) app.opened?.past.pause();
  const seq = MATCH.exec(location.hash)?.[2] ?? REPLAY.exec(location.hash)?.[1];
  if (seq !== undefined) past?.visit(Number(seq));
  else if (past?.at && !past.at.ghost) past.present();
  if (key === shownKey) return redraw();
  shownKey = key;
  Object.assign(app.ui, { selected: 0, pointed: -1, drawer: false, armed: "" });
  window.scrollTo(0, 0);
  redraw();
}

function render() {
  const here = place();
  try {
    show(here);
  } catch (error) {
    if (here.key !== "replay" || !app.opened) throw error;
    refuse(app); // a file may hold any board, and any moment of it may be the first that can't be drawn
    show(place());
  }
}

/** @param {ReturnType<typeof place>} where */
function show({ key, shown, peeks, title, match, page: inside }) {
  if (match && !app.past.at) followMover(app, match);
  app.follow([...new Set([...shown, ...app.automatic.matches()])], peeks);
  if (match) noteSeen(app, match);
  const main = inside();
  const skip = h("a", { class: "skip", href: "#main", onclick: (/** @type {Event} */ event) => { event.preventDefault(); (document.getElementById("board") ?? document.querySelector("main a, main button"))?.focus(); } }, t("page.skip"));
  const inert = app.ui.help; // behind the list of keys nothing can be focused
  const page = [frameHead(app), waitingStrip(app, key.startsWith("match-") ? shown : []), ...main.map((tree) => withProps(tree, { key: `main-${key}`, tabindex: -1 })), accountDrawer(app)];
  const whole = [skip, ...page.map((tree) => tree && withProps(tree, { inert })), helpDialog(app)].filter((tree) => tree !== null);
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
  "?": () => { app.ui.help = !app.ui.help; },
  a: () => { app.ui.drawer = !app.ui.drawer; },
  l: () => { location.hash = "#/"; },
  t: switchTheme,
  Escape: closeAll,
};

/** A button's own key held down is one press, so that no second thought is skipped. @param {KeyboardEvent} event */
const isHeld = ({ repeat, key, target }) => repeat && (key === "Enter" || key === " ") && target instanceof HTMLButtonElement;

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (isHeld(event)) event.preventDefault();
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(/** @type {Element} */ (event.target).tagName) && event.key !== "Escape";
  if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
  if (onTimeKey(event, app.ui.help || app.ui.drawer ? null : place().past ?? null)) return redraw();
  const action = /^[1-9]$/.test(event.key) ? document.querySelectorAll(".actions button[data-action]")[Number(event.key) - 1] : null;
  if (action instanceof HTMLButtonElement) action.focus(); // no key alone sends anything
  else if (Object.hasOwn(KEYS, event.key)) KEYS[event.key]();
  else return;
  redraw();
}

recallTheme();
takeDrops(app);
window.addEventListener("hashchange", arrive);
window.addEventListener("keydown", onKey);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
arrive();
render();
void app.start();
