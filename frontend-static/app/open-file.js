/** Opening a replay file: which one is shown, or why it can't be. */

import { FileMatch } from "../history/file-match.js";
import { UnreadableReplay, readReplay } from "../history/replay-parser.js";

/** @import { App } from "./app.js" */
/** @import { Replay } from "../history/replay-parser.js" */

const ROUTE = "#/replay";

/** Shows a file, or says why it can't be shown. @param {App} app @param {Blob|undefined} file */
export async function openFile(app, file) {
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

/** The file that is shown turns out to be one that can't be. @param {App} app */
export function refuseFile(app) {
  app.openedFile?.playback.close();
  app.openedFile = null;
  app.openError = { key: "replay.not-drawn" };
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
    void openFile(app, event.dataTransfer?.files[0]);
  });
}
