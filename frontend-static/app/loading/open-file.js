/** Opens a replay file. If the page can't show the file, stores the reason. */

import { t } from "../../i18n/translate.js";
import { TextError } from "../../lib/text-error.js";

/** @import { Uses } from "./replay-file.js" */
/** @import { I18nText } from "../../types.js" */

const ROUTE = "#/replay";

/** Show a replay file or, if that isn't possible, the reason. If there is no file, do nothing. @param {Uses} app @param {Blob|undefined} file */
export async function openFile(app, file) {
  if (!file) return;
  closeFile(app, null);
  location.hash = ROUTE;
  try {
    const { openReplay } = await import("./replay-file.js");
    app.ui.openedFile = await openReplay(app, file, ROUTE);
  } catch (error) {
    app.ui.openError = error instanceof TextError ? error.text : { key: "replay.unread" };
  }
  app.redraw();
}

/**
 * Close the open replay file. If `why` isn't null, show it as the reason why no file is open. By
 * default, the reason is that the page can't draw the file. @param {Uses} app @param {I18nText|null} [why]
 */
export function closeFile(app, why = { key: "replay.not-drawn" }) {
  app.ui.openedFile?.playback.close();
  Object.assign(app.ui, { openedFile: null, openError: why });
}

/** Open a file that the player drops on the page, unless an element handles the drop itself. @param {Uses} app */
export function acceptDrops(app) {
  const carries = (/** @type {DragEvent} */ event) =>
    Boolean(event.dataTransfer?.types.includes("Files")) && !event.defaultPrevented;
  const mark = (/** @type {boolean} */ isOver) => {
    if (isOver) document.documentElement.dataset.drop = t("replay.drop-here");
    else delete document.documentElement.dataset.drop;
  };
  window.addEventListener("dragover", (event) => {
    mark(carries(event));
    if (carries(event)) event.preventDefault();
  });
  window.addEventListener("dragleave", ({ relatedTarget }) => relatedTarget || mark(false)); // the event has no related target if the dragged file leaves the page
  window.addEventListener("drop", (event) => {
    mark(false);
    if (!carries(event)) return;
    event.preventDefault();
    void openFile(app, event.dataTransfer?.files[0]);
  });
}
