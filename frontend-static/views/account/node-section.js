/**
 * The account drawer's section for the player's own node, which the page uses to check boards. The
 * section also explains what a check proves.
 */

import { h } from "../../lib/dom.js";
import { t, translate } from "../../i18n/translate.js";

/** @import { ServerState } from "../../app/server-state.js" */
/** @import { BoardChecker } from "../../chain/verify/checker.js" */
/** @import { OwnNode } from "../../chain/verify/own-node.js" */
/** @typedef {{boardChecker: BoardChecker, ownNode: OwnNode, redraw: () => void, server: ServerState}} Uses */

/** @param {Uses} app */
export function nodeSection(app) {
  const { ownNode } = app;
  if (!app.server.health) return null;
  return h(
    "section",
    { class: "own-node", "aria-labelledby": "own-node-title" },
    h("h3", { id: "own-node-title" }, t("asked.heading")),
    ownNode.url ? using(app) : field(app),
    ownNode.asking && h("p", { class: "hint", role: "status" }, t("asked.asking")),
    ownNode.trouble &&
      h(
        "p",
        { class: "trouble", role: "alert", id: "own-node-trouble", "data-why": ownNode.trouble.key },
        translate(ownNode.trouble),
      ),
    h(
      "details",
      null,
      h("summary", { class: "hint" }, t("asked.worth")),
      h("p", { class: "hint" }, t("asked.worth-lead")),
      h("p", { class: "hint" }, t("asked.worth-contract")),
    ),
  );
}

/** @param {Uses} app */
function field(app) {
  const { ownNode } = app;
  const use = (/** @type {Event} */ event) => {
    event.preventDefault();
    void ownNode.use(ownNode.text);
  };
  const typed = (/** @type {Event} */ event) => {
    ownNode.text = /** @type {HTMLInputElement} */ (event.target).value;
    ownNode.trouble = null;
    app.redraw();
  };
  return h(
    "form",
    { class: "typed", novalidate: true, onsubmit: use },
    h(
      "label",
      { class: "field address" },
      t("asked.label"),
      h("input", {
        id: "own-node",
        type: "url",
        value: ownNode.text,
        placeholder: "https://…",
        autocomplete: "off",
        spellcheck: false,
        oninput: typed,
        "aria-describedby": "own-node-lead",
      }),
    ),
    h(
      "button",
      { id: "own-node-use", type: "submit", disabled: ownNode.asking || !ownNode.text.trim() },
      t("asked.use"),
    ),
    h("p", { class: "hint lead-of", id: "own-node-lead" }, t("asked.lead")),
  );
}

/** @param {Uses} app */
function using(app) {
  const { ownNode } = app;
  const forget = () => {
    ownNode.forget();
    app.boardChecker.reset();
  };
  return h(
    "div",
    { class: "row" },
    h("span", { class: "mono whole", id: "own-node-used" }, ownNode.url),
    h("button", { id: "own-node-forget", type: "button", class: "small", onclick: forget }, t("asked.forget")),
  );
}
