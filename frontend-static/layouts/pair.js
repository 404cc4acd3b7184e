/**
 * The pair layout, which draws two grids next to each other. In a narrow window, the second grid is
 * above the first. The keyboard's cursor moves across both grids.
 */

import { draw, h } from "../lib/dom.js";
import { EDGE_WIDTH, cellAt, fit, middle, printGeometry } from "./geometry.js";
import { BoardLayout } from "./layout.js";
import { svg } from "./svg.js";

/** @import { Tree } from "../lib/dom.js" */
/** @import { Drawing, Picture } from "../types.js" */
/** @import { Positions } from "./effects/animation.js" */
/** @import { Geometry } from "./geometry.js" */

/** The gap between the grids, and the space for a title above each grid, in CSS pixels. */
const GAP = 20;
const GAP_SMALL = 8;
const TITLE_HEIGHT = 26;
/**
 * The media query for narrow windows, as in styles/match.css. On a phone in landscape, the grids
 * are next to each other.
 */
const NARROW_SCREEN = "(max-width: 56rem) and (min-height: 30.01rem)";
/**
 * The size of the first grid when the grids are stacked, as a fraction of the second grid's size.
 * The second grid is larger and on top, because the player plays on it.
 */
const SMALL_GRID_SCALE = 0.5;
/**
 * The height of the headline, the players and the buttons together, in CSS pixels. The grids shrink
 * until everything fits in the window, but their cells don't get smaller than MIN_STACKED_CELL.
 */
const OTHER_HEIGHT = 320;
const MIN_STACKED_CELL = 24;
/** The cell size at which the layout computes its aspect ratio, in CSS pixels. */
const TYPICAL_CELL = 46;
/** Return the aspect ratio of both grids together: their total width divided by their total height. @param {Picture} picture @param {number} edge @param {number} gap @param {number} title */
const ratioOf = ({ width, height }, edge, gap, title) =>
  (2 * (width * TYPICAL_CELL + edge + 2) + gap) / (height * TYPICAL_CELL + edge + 2 + title);

export class Pair extends BoardLayout {
  /** Return the aspect ratio of both grids together, including their titles. @param {Picture} picture */
  static ratio(picture) {
    return ratioOf(picture, EDGE_WIDTH, GAP, TITLE_HEIGHT);
  }

  /** Draw both grids next to each other. @param {Picture} picture @returns {Drawing} */
  static drawing(picture) {
    const { parts = [] } = picture;
    const geometry = printGeometry(picture, parts.length);
    const each = geometry.right + 2 + GAP;
    const trees = parts.map((part, side) =>
      h(
        "g",
        { transform: `translate(${side * each},0)`, vars: { "--cell": `${geometry.cell}px` } },
        part.title &&
          h(
            "text",
            { x: EDGE_WIDTH, y: TITLE_HEIGHT - 8, fill: "var(--ink)", "font-size": 13, "font-weight": 600 },
            part.title,
          ),
        h("g", { transform: `translate(0,${TITLE_HEIGHT})` }, svg(part, geometry, -1).children),
      ),
    );
    return { trees, width: parts.length * each - GAP, height: geometry.bottom + 2 + TITLE_HEIGHT };
  }

  focused = false;
  narrow = window.matchMedia(NARROW_SCREEN);

  listen() {
    super.listen();
    this.host.onfocus = () => {
      this.focused = true;
      this.moveCursor(this.cursorOrFirst());
    };
    this.host.onblur = () => {
      this.focused = false;
      this.render();
    };
    this.host.onpointerleave = () => this.input.point(this.focused ? this.cursor : -1);
  }

  /** @param {PointerEvent} event */
  hover(event) {
    this.input.point(this.targetUnder(event));
  }

  /** Do nothing, because this layout shows no details of cells. */
  startLongPress() {}

  /** @param {Picture} picture */
  show(picture) {
    if (this.still) this.host.style.setProperty("--ratio", String(ratioOf(picture, 1, GAP_SMALL, 0)));
    super.show(picture);
  }

  /** Return the number of cells in each of the two grids. */
  size() {
    return this.picture ? this.picture.width * this.picture.height : 0;
  }

  stacked() {
    return this.narrow.matches && !this.still;
  }

  /** @param {number} side @returns {Geometry|null} */
  partGeometry(side) {
    const all = this.width;
    if (!this.picture || all <= 0) return null;
    const stacked = this.stacked();
    const large = Math.min(all, this.stackedWidth());
    const width = stacked ? large * (side === 0 ? SMALL_GRID_SCALE : 1) : (all - (this.still ? GAP_SMALL : GAP)) / 2;
    return fit(this.picture, { width, height: Infinity }, this.edge());
  }

  /** Return the greatest width of the larger grid with which both grids fit in the window. */
  stackedWidth() {
    const { width, height } = /** @type {Picture} */ (this.picture);
    const edges = 2 * (EDGE_WIDTH + 2) + GAP_SMALL;
    const cell = (window.innerHeight - OTHER_HEIGHT - edges) / (height * (1 + SMALL_GRID_SCALE));
    return width * Math.max(MIN_STACKED_CELL, cell) + EDGE_WIDTH + 2;
  }

  render() {
    const parts = this.picture?.parts;
    if (!parts || !this.partGeometry(0)) return;
    const inside = h(
      "div",
      { key: "pair", class: this.stacked() ? "pair stacked" : "pair", "aria-hidden": "true" },
      parts.map((part, side) => this.part(part, side)),
    );
    const effects = this.effectsLayer();
    draw(this.host, effects ? [inside, effects, this.accessibleCell()] : [inside]);
  }

  /** @returns {Positions|null} */
  positions() {
    const corner = this.host.getBoundingClientRect();
    const parts = [0, 1].map((side) => {
      const element = this.host.querySelector(`.part[data-side="${side}"]`);
      const box = element?.querySelector("svg")?.getBoundingClientRect();
      const geometry = this.partGeometry(side);
      return element && box && geometry
        ? { element, geometry, x: box.left - corner.left, y: box.top - corner.top }
        : null;
    });
    const [left, right] = parts;
    if (!left || !right) return null;
    const of = (/** @type {number} */ side) => (side ? right : left);
    const middleOf = (/** @type {number} */ cell, /** @type {number} */ side) => {
      const { x, y } = middle(of(side).geometry, cell);
      return { x: x + of(side).x, y: y + of(side).y };
    };
    const marks = [left, right].map(({ element }) => this.marksIn(element));
    const centre = Math.floor(this.size() / 2 + (this.picture?.width ?? 0) / 2);
    return {
      middle: middleOf,
      cell: (side) => of(side).geometry.cell,
      start: (side) => middleOf(centre, 1 - side), // each shot starts in the opposite grid
      mark: (shell) => marks[shell.part](shell),
    };
  }

  /** @param {Picture} part @param {number} side @returns {Tree|null} */
  part(part, side) {
    const geometry = this.partGeometry(side);
    if (!geometry) return null;
    const first = side * this.size();
    const mine = (/** @type {number} */ cell) => cell >= first && cell < first + this.size();
    const waiting = (this.picture?.waiting ?? []).filter(mine).map((cell) => cell - first);
    const cursor = this.focused && mine(this.cursor) ? this.cursor - first : -1;
    return h(
      "div",
      { key: `part-${side}`, class: "part", "data-side": side, vars: { "--cell": `${geometry.cell}px` } },
      !this.still && h("p", { class: "part-title" }, part.title),
      svg({ ...part, waiting }, geometry, cursor),
    );
  }

  /**
   * Return the cell of the keyboard's cursor. If the cursor hasn't moved yet, it is at the cell of
   * a pending move or, if there is none, on the second grid.
   */
  cursorOrFirst() {
    return this.cursor < 0 ? (this.picture?.waiting?.[0] ?? this.size()) : this.cursor;
  }

  /** Return the row and column of a cell in the arrangement of both grids. @param {number} cell */
  position(cell) {
    const { width, height } = /** @type {Picture} */ (this.picture);
    const [side, inside] = [Math.floor(cell / this.size()), cell % this.size()];
    const [x, y] = [inside % width, Math.floor(inside / width)];
    return this.stacked()
      ? { x, y: y + (1 - side) * height, columns: width, rows: 2 * height }
      : { x: x + side * width, y, columns: 2 * width, rows: height };
  }

  /** @param {number} x @param {number} y */
  cellAt(x, y) {
    const { width, height } = /** @type {Picture} */ (this.picture);
    const side = this.stacked() ? 1 - Math.floor(y / height) : Math.floor(x / width);
    return side * this.size() + (y % height) * width + (x % width);
  }

  /** @param {MouseEvent} event */
  targetUnder(event) {
    const part = /** @type {Element} */ (event.target).closest(".part");
    const side = Number(part?.getAttribute("data-side"));
    const geometry = part && this.partGeometry(side);
    const box = part?.querySelector("svg")?.getBoundingClientRect();
    const cell = geometry && box ? cellAt(geometry, event.clientX - box.left, event.clientY - box.top) : -1;
    return cell < 0 ? -1 : side * this.size() + cell;
  }

  /** @param {string} key */
  onKey(key) {
    if (key !== "s" && key !== "S") return super.onKey(key);
    this.moveCursor((this.cursor + this.size()) % (2 * this.size()));
    return true;
  }
}

export default Pair;
