/** In the place of a part of the page that is not loaded yet, or can't be. */

import { t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";

/** @import { NewVersion } from "../../app/loading/new-version.js" */

/** @param {{newVersion: Pick<NewVersion, "state"|"reload">}} app @param {{failed: boolean}} part */
export function missingPart({ newVersion }, { failed }) {
  const { state } = newVersion;
  if (!failed || state === "unknown" || state === "looking")
    return h("main", { id: "main", class: "alone", "aria-busy": "true" });
  const [text, label] =
    state === "here" ? ["page.new-version", "page.reload"] : ["page.part-missing", "page.load-again"];
  const sentence = h("p", { class: state === "here" ? "" : "trouble", role: "alert" }, t(text));
  const button = h("button", { id: "load-again", type: "button", onclick: () => newVersion.reload() }, t(label));
  return h("main", { id: "main", class: "alone" }, h("div", { class: "card nothing" }, sentence, button));
}
