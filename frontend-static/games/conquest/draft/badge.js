/**
 * The badge of a seat: the seat's shape in the seat's colour. The page shows it next to the
 * player's name. This module has no side effects.
 */

import { h } from "../../../lib/dom.js";
import { outline } from "../../../layouts/shapes.js";

/** @param {{colour: number, shape: number}} badge */
export const badgeTree = ({ colour, shape }) =>
  h(
    "svg",
    { class: `badge owner-${colour}`, width: 18, height: 18, viewBox: "-9 -9 18 18", "aria-hidden": "true" },
    h("path", { d: outline(shape, 6.2), class: "hull" }),
  );
