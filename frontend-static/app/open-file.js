/** Opening a replay file: which one is shown, or why it can't be. */

import { fileMatch } from "../history/file-match.js";
import { UnreadableReplay, readReplay } from "../history/replay-parser.js";

/** @import { App } from "./app.js" */
/** @import { Replay } from "../history/replay-parser.js" */
/** @import { I18nText } from "../types.js" */
/** @typedef {Pick<App, "redraw"|"server"|"setAddress"|"ui">} Needs What it uses of the page. */

const ROUTE = "#/replay";

/** Shows a file, or says why it can't be shown. @param {Needs} app @param {Blob|undefined} file */
export async function openFile(app, file) {
  if (!file) return;
  closeFile(app, null);
  location.hash = ROUTE;
  try {
    app.ui.openedFile = matchOf(app, await readReplay(file));
  } catch (error) {
    app.ui.openError = error instanceof UnreadableReplay ? error.text : { key: "replay.unread" };
  }
  app.redraw();
}

/** @param {Needs} app @param {{replay: Replay, history: import("../history/match-history.js").FileHistory}} file */
function matchOf(app, file) {
  const { slug, layout } = file.replay.game;
  const means = { renderer: app.server.renderers.get(slug), layout: app.server.layouts.get(layout) };
  if (!means.renderer || !means.layout)
    throw new UnreadableReplay("replay.unknown-game", {
      game: slug,
      known: [...app.server.renderers.keys()].join(", "),
    });
  const address = (/** @type {number} */ seq) => (seq ? `${ROUTE}@${seq}` : ROUTE);
  const opened = fileMatch(file, /** @type {any} */ (means), app.ui, app.redraw, address, app.setAddress);
  if (!opened.isDrawable()) throw new UnreadableReplay("replay.not-drawn");
  return opened;
}

/** Closes the file that is shown, by default as one that can't be. @param {Needs} app @param {I18nText|null} [why] */
export function closeFile(app, why = { key: "replay.not-drawn" }) {
  app.ui.openedFile?.playback.close();
  Object.assign(app.ui, { openedFile: null, openError: why });
}

/** A file that is let fall anywhere on the page, where nothing else takes it. @param {Needs} app */
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
