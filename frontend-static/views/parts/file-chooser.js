/** The field where the player chooses a replay file to open. */

import { openFile } from "../../app/loading/open-file.js";
import { t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";

/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Ui } from "../../app/ui.js" */
/** @import { BoardChecker } from "../../chain/verify/checker.js" */
/** @typedef {{boardChecker: BoardChecker, redraw: () => void, server: ServerState, setAddress: (address: string) => void, ui: Ui}} Uses */

/** @param {Uses} app @param {string} id */
export function chooser(app, id) {
  const take = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    void openFile(app, input.files?.[0]);
    input.value = "";
  };
  return h(
    "label",
    { class: "drop", id: `${id}-drop`, for: id },
    h("span", null, t("replay.drop")),
    h("input", { id, type: "file", accept: ".json,application/json", onchange: take }),
  );
}

/** Return the lobby's section for opening replay files. @param {Uses} app */
export function fileSection(app) {
  return h(
    "section",
    { key: "replay", class: "list", "aria-labelledby": "list-replay" },
    h("h2", { id: "list-replay" }, t("replay.heading")),
    chooser(app, "open-replay"),
  );
}
