/**
 * The net of a cube: its unfolded faces, as the player sees the cube. The first row is the front
 * face. The second row is the left, upper and right faces. The third row is the back face, and the
 * fourth is the bottom face. This module has no side effects.
 */

import { h } from "../../lib/dom.js";
import { symbol } from "../../layouts/shapes.js";
import { t } from "../../i18n/translate.js";
import { cubeOn, symbolOf, visibleSides } from "./cubes.js";
import { badge } from "./seats.js";

/** @import { Tree } from "../../lib/dom.js" */
/** @import { RenderContext } from "../../types.js" */

/** @param {RenderContext} context @param {number} cell @returns {Tree|null} */
export function inspect(context, cell) {
  const { board } = context;
  const cube = board.cubes?.[cubeOn(board, cell)];
  if (!cube) return null;
  const faces = Object.entries(visibleSides(context, cube)).map(([side, face]) =>
    h(
      "div",
      { class: `net-face net-${side}`, "data-side": side, "data-face": face },
      h(
        "svg",
        { width: 22, height: 22, viewBox: "-11 -11 22 22", "aria-hidden": "true" },
        h("path", { class: "symbol", d: symbol(symbolOf(face), 8.5) }),
      ),
      h("span", null, t(`deblockle.face.${face}`)),
    ),
  );
  return h("div", { class: `net owner-${badge(cube.seat).colour}`, id: "net" }, faces);
}
