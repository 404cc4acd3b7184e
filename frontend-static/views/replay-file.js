/**
 * The page for a replay file that the player has opened. It shows the match and says what the file
 * proves.
 */

import { h } from "../lib/dom.js";
import { chooser } from "./parts/file-chooser.js";
import { provenance } from "./provenance.js";
import { matchBody } from "./match/body.js";
import { t, translate } from "../i18n/translate.js";

/** @import { ServerState } from "../app/server-state.js" */
/** @import { Ui } from "../app/ui.js" */
/** @import { I18nText } from "../types.js" */
/** @import { BoardChecker } from "../chain/verify/checker.js" */
/** @typedef {{boardChecker: BoardChecker, redraw: () => void, server: ServerState, setAddress: (address: string) => void, ui: Ui}} Uses */

/** @param {Uses} app */
export function filePage(app) {
  const { openedFile } = app.ui;
  if (!openedFile) return [h("main", { id: "main", class: "alone" }, nothingYet(app))];
  return [
    matchBody(openedFile.current(), openedFile.match, { actions: provenance(openedFile.replay, openedFile.checker) }),
  ];
}

/** @param {Uses} app */
function nothingYet(app) {
  return h(
    "div",
    { class: "card nothing", id: "no-replay" },
    h("h1", null, t("replay.heading")),
    wrong(app.ui.openError),
    chooser(app, "replay-file"),
    h("a", { href: "#/", class: "button" }, t("page.to-lobby")),
  );
}

/** @param {I18nText|null} why */
const wrong = (why) =>
  why && h("p", { class: "trouble", id: "replay-wrong", role: "alert", "data-why": why.key }, translate(why));
