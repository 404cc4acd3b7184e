/**
 * The note that replaces a part of the page while the part's module is loading, or if it can't be
 * loaded.
 */

import { t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";

/** @import { NewVersion } from "../../app/loading/new-version.js" */

/** @typedef {{newVersion: Pick<NewVersion, "state"|"retry">}} Uses */

/** @param {Uses} app @param {{failed: boolean}} part */
export function missingPart(app, part) {
  const note = whyMissing(app, part);
  return h("main", { id: "main", class: "alone", "aria-busy": note ? undefined : "true" }, note);
}

/** Return a sentence and a button if loading failed, or null while the module is loading. @param {Uses} app @param {{failed: boolean}} part */
export function whyMissing({ newVersion }, { failed }) {
  const { state } = newVersion;
  if (!failed || state === "unknown" || state === "checking") return null;
  const [text, label] =
    state === "here" ? ["page.new-version", "page.reload"] : ["page.part-missing", "page.load-again"];
  const sentence = h("p", { class: state === "here" ? "" : "trouble", role: "alert" }, t(text));
  const button = h("button", { id: "load-again", type: "button", onclick: () => void newVersion.retry() }, t(label));
  return h("div", { class: "card nothing" }, sentence, button);
}
