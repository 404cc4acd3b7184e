/** A replay file opened in the page: dropped anywhere, or chosen; shown as its match was, with what that proves and what not. */

import { h } from "../lib/dom.js";
import { provenance } from "./provenance.js";
import { Unreadable, readReplay } from "../history/replay-parser.js";
import { scene } from "./match/body.js";
import { Theatre } from "../history/file-match.js";
import { say, t } from "../i18n/translate.js";

/** @import { App } from "../app/app.js" */
/** @import { Replay } from "../history/replay-parser.js" */
/** @import { Phrase } from "../types.js" */

const PLACE = "#/replay";

/** Shows a file, or says why it can't be shown. @param {App} app @param {Blob|undefined} file */
export async function open(app, file) {
  if (!file) return;
  app.unopened = null;
  app.opened?.past.close();
  app.opened = null;
  location.hash = PLACE;
  try {
    app.opened = staged(app, await readReplay(file));
  } catch (error) {
    app.unopened = error instanceof Unreadable ? error.phrase : { key: "replay.unread" };
  }
  app.redraw();
}

/** @param {App} app @param {{replay: Replay, record: import("../history/match-history.js").Filed}} file */
function staged(app, file) {
  const { slug, layout } = file.replay.game;
  const means = { renderer: app.renderers.get(slug), layout: app.layouts.get(layout) };
  if (!means.renderer || !means.layout) throw new Unreadable("replay.unknown-game", { game: slug, known: [...app.renderers.keys()].join(", ") });
  const theatre = new Theatre(file, /** @type {any} */ (means), app.ui, app.redraw, (seq) => (seq ? `${PLACE}@${seq}` : PLACE));
  theatre.tell = app.tell;
  if (!theatre.draws()) throw new Unreadable("replay.not-drawn");
  return theatre;
}

/** @param {App} app */
export function filePage(app) {
  const { opened } = app;
  if (opened && !opened.draws()) refuse(app);
  if (!opened || !app.opened) return [h("main", { id: "main", class: "alone" }, nothingYet(app))];
  return [scene(opened.seen(), opened.match, { actions: provenance(opened.replay) })];
}

/** The file that is shown turns out to be one that can't be. @param {App} app */
export function refuse(app) {
  app.opened?.past.close();
  app.opened = null;
  app.unopened = { key: "replay.not-drawn" };
}

/** @param {App} app */
function nothingYet(app) {
  return h("div", { class: "card nothing", id: "no-replay" }, h("h1", null, t("replay.heading")), wrong(app.unopened), chooser(app, "replay-file"), h("a", { href: "#/", class: "button" }, t("page.to-lobby")));
}

/** @param {Phrase|null} why */
const wrong = (why) => why && h("p", { class: "trouble", id: "replay-wrong", role: "alert", "data-why": why.key }, say(why));

/** @param {App} app @param {string} id */
function chooser(app, id) {
  const take = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    void open(app, input.files?.[0]);
    input.value = "";
  };
  return h("label", { class: "drop", id: `${id}-drop`, for: id }, h("span", null, t("replay.drop")), h("input", { id, type: "file", accept: ".json,application/json", onchange: take }));
}

/** At the lobby's foot. @param {App} app */
export function opener(app) {
  return h("section", { key: "replay", class: "list", "aria-labelledby": "list-replay" }, h("h2", { id: "list-replay" }, t("replay.heading")), chooser(app, "open-replay"));
}

/** A file that is let fall anywhere on the page, where nothing else takes it. @param {App} app */
export function takeDrops(app) {
  const carries = (/** @type {DragEvent} */ event) => Boolean(event.dataTransfer?.types.includes("Files")) && !event.defaultPrevented;
  window.addEventListener("dragover", (event) => { if (carries(event)) event.preventDefault(); });
  window.addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    void open(app, event.dataTransfer?.files[0]);
  });
}
