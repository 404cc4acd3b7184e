/** The page of a replay file, which is dropped anywhere or chosen: its match, with what that proves and what not. */

import { h } from "../lib/dom.js";
import { provenance } from "./provenance.js";
import { UnreadableReplay, readReplay } from "../history/replay-parser.js";
import { matchBody } from "./match/body.js";
import { FileMatch } from "../history/file-match.js";
import { t, translate } from "../i18n/translate.js";

/** @import { App } from "../app/app.js" */
/** @import { Replay } from "../history/replay-parser.js" */
/** @import { I18nText } from "../types.js" */

const ROUTE = "#/replay";

/** Shows a file, or says why it can't be shown. @param {App} app @param {Blob|undefined} file */
export async function open(app, file) {
  if (!file) return;
  app.openError = null;
  app.openedFile?.playback.close();
  app.openedFile = null;
  location.hash = ROUTE;
  try {
    app.openedFile = fileMatch(app, await readReplay(file));
  } catch (error) {
    app.openError = error instanceof UnreadableReplay ? error.text : { key: "replay.unread" };
  }
  app.redraw();
}

/** @param {App} app @param {{replay: Replay, history: import("../history/match-history.js").FileHistory}} file */
function fileMatch(app, file) {
  const { slug, layout } = file.replay.game;
  const means = { renderer: app.renderers.get(slug), layout: app.layouts.get(layout) };
  if (!means.renderer || !means.layout)
    throw new UnreadableReplay("replay.unknown-game", { game: slug, known: [...app.renderers.keys()].join(", ") });
  const fileMatch = new FileMatch(file, /** @type {any} */ (means), app.ui, app.redraw, (seq) =>
    seq ? `${ROUTE}@${seq}` : ROUTE,
  );
  fileMatch.setAddress = app.setAddress;
  if (!fileMatch.isDrawable()) throw new UnreadableReplay("replay.not-drawn");
  return fileMatch;
}

/** @param {App} app */
export function filePage(app) {
  const { openedFile } = app;
  if (openedFile && !openedFile.isDrawable()) refuse(app);
  if (!openedFile || !app.openedFile) return [h("main", { id: "main", class: "alone" }, nothingYet(app))];
  return [matchBody(openedFile.current(), openedFile.match, { actions: provenance(openedFile.replay) })];
}

/** The file that is shown turns out to be one that can't be. @param {App} app */
export function refuse(app) {
  app.openedFile?.playback.close();
  app.openedFile = null;
  app.openError = { key: "replay.not-drawn" };
}

/** @param {App} app */
function nothingYet(app) {
  return h(
    "div",
    { class: "card nothing", id: "no-replay" },
    h("h1", null, t("replay.heading")),
    wrong(app.openError),
    chooser(app, "replay-file"),
    h("a", { href: "#/", class: "button" }, t("page.to-lobby")),
  );
}

/** @param {I18nText|null} why */
const wrong = (why) =>
  why && h("p", { class: "trouble", id: "replay-wrong", role: "alert", "data-why": why.key }, translate(why));

/** @param {App} app @param {string} id */
function chooser(app, id) {
  const take = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    void open(app, input.files?.[0]);
    input.value = "";
  };
  return h(
    "label",
    { class: "drop", id: `${id}-drop`, for: id },
    h("span", null, t("replay.drop")),
    h("input", { id, type: "file", accept: ".json,application/json", onchange: take }),
  );
}

/** At the lobby's foot. @param {App} app */
export function fileSection(app) {
  return h(
    "section",
    { key: "replay", class: "list", "aria-labelledby": "list-replay" },
    h("h2", { id: "list-replay" }, t("replay.heading")),
    chooser(app, "open-replay"),
  );
}

/** A file that is let fall anywhere on the page, where nothing else takes it. @param {App} app */
export function takeDrops(app) {
  const carries = (/** @type {DragEvent} */ event) =>
    Boolean(event.dataTransfer?.types.includes("Files")) && !event.defaultPrevented;
  window.addEventListener("dragover", (event) => {
    if (carries(event)) event.preventDefault();
  });
  window.addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    void open(app, event.dataTransfer?.files[0]);
  });
}
