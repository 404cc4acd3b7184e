/** The pair layout: two grids side by side, below each other where it is narrow; one keyboard walks over both. */

import { draw, h } from "../lib/dom.js";
import { EDGE, cellAt, fit, printed } from "./geometry.js";
import { svg } from "./svg.js";

/** @import { Tree } from "../lib/dom.js" */
/** @import { BoardInput, Drawing, Picture } from "../types.js" */
/** @import { Geometry } from "./geometry.js" */

/** Between two grids, and above each for its title. CSS pixels. */
const GAP = 20;
const GAP_SMALL = 8;
const TITLE = 26;
/** As in the style sheet. */
const NARROW = "(max-width: 56rem)";
/** Below each other the second grid is played on: it comes first, and the other one is smaller. */
const SMALLER = 0.62;
/** A typical cell in CSS pixels, from which the aspect ratio of the layout is computed. */
const USUAL = 46;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Width over height of both. @param {Picture} picture @param {number} edge @param {number} gap @param {number} title */
const ratioOf = ({ width, height }, edge, gap, title) =>
  (2 * (width * USUAL + edge + 2) + gap) / (height * USUAL + edge + 2 + title);

export class Pair {
  /** Width over height of both with their titles. @param {Picture} picture */
  static ratio(picture) {
    return ratioOf(picture, EDGE, GAP, TITLE);
  }

  /** Both beside each other. @param {Picture} picture @returns {Drawing} */
  static drawing(picture) {
    const { parts = [] } = picture;
    const geometry = printed(picture, parts.length);
    const each = geometry.right + 2 + GAP;
    const trees = parts.map((part, side) =>
      h(
        "g",
        { transform: `translate(${side * each},0)`, vars: { "--cell": `${geometry.cell}px` } },
        part.title &&
          h("text", { x: EDGE, y: TITLE - 8, fill: "var(--ink)", "font-size": 13, "font-weight": 600 }, part.title),
        h("g", { transform: `translate(0,${TITLE})` }, svg(part, geometry, -1).children),
      ),
    );
    return { trees, width: parts.length * each - GAP, height: geometry.bottom + 2 + TITLE };
  }

  /** @param {HTMLElement} host @param {BoardInput} input @param {{still?: boolean}} [options] `still`: to look at only */
  constructor(host, input, { still = false } = {}) {
    this.host = host;
    this.input = input;
    this.still = still;
    this.focused = false;
    this.cursor = -1;
    /** @type {Picture|null} */
    this.picture = null;
    this.narrow = window.matchMedia(NARROW);
    this.observer = new ResizeObserver(() => this.render());
    this.observer.observe(host);
    if (!still) this.listen();
  }

  listen() {
    this.host.onkeydown = (event) => this.key(event);
    this.host.onfocus = () => {
      this.focused = true;
      this.move(this.cursor < 0 ? this.size() : this.cursor);
    };
    this.host.onblur = () => {
      this.focused = false;
      this.render();
    };
    this.host.onpointermove = (event) => this.input.point(this.under(event));
    this.host.onpointerleave = () => this.input.point(this.focused ? this.cursor : -1);
    this.host.onclick = (event) => {
      const cell = this.under(event);
      if (cell >= 0) {
        this.cursor = cell;
        this.input.press(cell);
      }
    };
  }

  stop() {
    this.observer.disconnect();
    this.host.replaceChildren();
  }

  /** @param {Picture} picture */
  show(picture) {
    this.picture = picture;
    if (this.still) this.host.style.setProperty("--ratio", String(ratioOf(picture, 1, GAP_SMALL, 0)));
    this.render();
  }

  /** Cells of one grid. */
  size() {
    return this.picture ? this.picture.width * this.picture.height : 0;
  }

  stacked() {
    return this.narrow.matches && !this.still;
  }

  /** @param {number} side @returns {Geometry|null} */
  geometry(side) {
    const all = this.host.clientWidth;
    if (!this.picture || all <= 0) return null;
    const stacked = this.stacked();
    const width = stacked ? all * (side === 0 ? SMALLER : 1) : (all - (this.still ? GAP_SMALL : GAP)) / 2;
    return fit(this.picture, { width, height: Infinity }, this.still ? 1 : EDGE);
  }

  render() {
    const parts = this.picture?.parts;
    if (!parts || !this.geometry(0)) return;
    const inside = h(
      "div",
      { key: "pair", class: this.stacked() ? "pair stacked" : "pair", "aria-hidden": "true" },
      parts.map((part, side) => this.part(part, side)),
    );
    draw(this.host, [inside, ...this.accessibleCell()]);
  }

  /** @param {Picture} part @param {number} side @returns {Tree|null} */
  part(part, side) {
    const geometry = this.geometry(side);
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

  /** The cell of the cursor for a screen reader: a grid of which only this cell is there. */
  accessibleCell() {
    if (this.still || !this.picture) return [];
    const { x, y } = this.at(this.cursor < 0 ? this.size() : this.cursor);
    const { width, height } = this.picture;
    this.host.setAttribute("aria-rowcount", String(this.stacked() ? 2 * height : height));
    this.host.setAttribute("aria-colcount", String(this.stacked() ? width : 2 * width));
    const cellProps = { role: "gridcell", id: `${this.host.id}-cell`, "aria-colindex": x + 1 };
    const row = { key: "spoken", role: "row", class: "unseen", "aria-rowindex": y + 1 };
    return [h("div", row, h("span", cellProps, this.input.describe(this.cursor < 0 ? this.size() : this.cursor)))];
  }

  /** Where a cell is among all, as the grids stand. @param {number} cell */
  at(cell) {
    const { width, height } = /** @type {Picture} */ (this.picture);
    const [side, inside] = [Math.floor(cell / this.size()), cell % this.size()];
    const [x, y] = [inside % width, Math.floor(inside / width)];
    return this.stacked() ? { x, y: y + (1 - side) * height } : { x: x + side * width, y };
  }

  /** @param {number} x @param {number} y */
  cellAt(x, y) {
    const { width, height } = /** @type {Picture} */ (this.picture);
    const side = this.stacked() ? 1 - Math.floor(y / height) : Math.floor(x / width);
    return side * this.size() + (y % height) * width + (x % width);
  }

  /** @param {PointerEvent|MouseEvent} event */
  under(event) {
    const part = /** @type {Element} */ (event.target).closest(".part");
    const side = Number(part?.getAttribute("data-side"));
    const geometry = part && this.geometry(side);
    const box = part?.querySelector("svg")?.getBoundingClientRect();
    const cell = geometry && box ? cellAt(geometry, event.clientX - box.left, event.clientY - box.top) : -1;
    return cell < 0 ? -1 : side * this.size() + cell;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.picture || event.altKey || event.ctrlKey || event.metaKey) return;
    const delta = ARROWS[event.key];
    if (delta) this.walk(delta);
    else if (event.key === "s" || event.key === "S") this.move((this.cursor + this.size()) % (2 * this.size()));
    else if (event.key === "Enter" || event.key === " ") this.input.press(this.cursor);
    else return;
    event.preventDefault();
  }

  /** Over the edge of one grid is the other one. @param {[number, number]} step */
  walk([right, down]) {
    const { width, height } = /** @type {Picture} */ (this.picture);
    const { x, y } = this.at(this.cursor);
    const [columns, rows] = this.stacked() ? [width, 2 * height] : [2 * width, height];
    this.move(this.cellAt(Math.min(columns - 1, Math.max(0, x + right)), Math.min(rows - 1, Math.max(0, y + down))));
  }

  /** @param {number} cell */
  move(cell) {
    this.cursor = cell;
    this.input.point(cell);
    this.render();
  }
}

export default Pair;
