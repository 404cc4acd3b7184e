/** The page of a replay file, which is dropped anywhere or chosen: its match, with what that proves and what not. */

import { h } from "../lib/dom.js";
import { provenance } from "./provenance.js";
import { matchBody } from "./match/body.js";
import { openFile } from "../app/open-file.js";
import { t, translate } from "../i18n/translate.js";

/** @import { App } from "../app/app.js" */
/** @import { I18nText } from "../types.js" */
/** @typedef {Pick<App, "redraw"|"server"|"setAddress"|"ui">} Needs What it uses of the page. */

/** @param {Needs} app */
export function filePage(app) {
  const { openedFile } = app.ui;
  if (!openedFile) return [h("main", { id: "main", class: "alone" }, nothingYet(app))];
  return [matchBody(openedFile.current(), openedFile.match, { actions: provenance(openedFile.replay) })];
}

/** @param {Needs} app */
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

/** @param {Needs} app @param {string} id */
function chooser(app, id) {
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

/** At the lobby's foot. @param {Needs} app */
export function fileSection(app) {
  return h(
    "section",
    { key: "replay", class: "list", "aria-labelledby": "list-replay" },
    h("h2", { id: "list-replay" }, t("replay.heading")),
    chooser(app, "open-replay"),
  );
}
