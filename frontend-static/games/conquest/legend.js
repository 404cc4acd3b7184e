/** The map's legend, which explains signs, outlines and arrows. This module has no side effects. */

import { h } from "../../lib/dom.js";
import { sign } from "../../layouts/map/signs.js";
import { t } from "../../i18n/translate.js";

/**
 * The signs in the legend. Their names are from layouts/map/signs.js, except `quay`, which is the
 * square that marks a port.
 */
const SIGNS = ["crown", "hero", "fort", "quay", "gift", "star", "shield", "grass", "tree", "dune", "peak", "wave"];
const OUTLINES = ["capture", "beatable", "chance", "weakened", "strong"];
const BOX = "M-7,-6H7V6H-7Z";

/** @param {string} name @param {import("../../lib/dom.js").Tree[]} drawing */
const row = (name, drawing) =>
  h(
    "li",
    { key: name },
    h("svg", { width: 18, height: 18, viewBox: "-9 -9 18 18", "aria-hidden": "true" }, drawing),
    t(`conquest.sign.${name}`),
  );

export function signsLegend() {
  const signRow = (/** @type {string} */ name) =>
    row(name, [h("path", { class: "legend-sign", d: name === "quay" ? "M-5,-5H5V5H-5Z" : sign(name, 7) })]);
  const outlineRow = (/** @type {string} */ mark) =>
    row(`mark-${mark}`, [
      h(
        "g",
        { class: `region-mark ${mark}`, vars: { "--kind": `var(--region-${mark})` } },
        h("path", { class: "foam", d: BOX }),
        h("path", { d: BOX }),
      ),
    ]);
  const arrow = row("arrow", [h("path", { class: "legend-sign", d: "M-8,-1.5H1V-6L8,0L1,6V1.5H-8Z" })]);
  return h(
    "details",
    { class: "map-legend", id: "map-legend", key: "legend" },
    h("summary", null, t("conquest.sign.title")),
    h("ul", null, SIGNS.map(signRow), OUTLINES.map(outlineRow), arrow),
  );
}
