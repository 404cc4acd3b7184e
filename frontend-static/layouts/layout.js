/**
 * The base class of the layouts. It redraws a board when the board's size changes, handles the
 * pointer and the keyboard, and describes the current cell to screen readers.
 */

import { coordinate } from "../lib/board.js";
import { draw, h } from "../lib/dom.js";
import { EffectsLayer, mayMove } from "./effects/animation.js";
import { effectsBetween } from "./effects/between.js";
import { EDGE_WIDTH, cellAt, fit, gridPosition, middle } from "./geometry.js";

/** @import { Tree } from "../lib/dom.js" */
/** @import { BoardInput, Drawing, Picture } from "../types.js" */
/** @import { Positions } from "./effects/animation.js" */
/** @import { Shell } from "./effects/between.js" */
/** @import { Geometry } from "./geometry.js" */

const LONG_PRESS_MS = 450;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Return a board as a drawing for an image file or for paper. @param {Tree} svg @param {Geometry} geometry @returns {Drawing} */
export const drawingOf = ({ children }, { cell, right, bottom }) => ({
  trees: [h("g", { vars: { "--cell": `${cell}px` } }, children)],
  width: right + 2,
  height: bottom + 2,
});

/** Return the page's text size as a multiple of the usual text size. */
export const rootScale = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

/**
 * The base class of layouts. The pointer and the keyboard's cursor select targets. Here, each cell
 * of a grid is a target. A layout with other targets, such as lands, maps them to cells.
 */
export class BoardLayout {
  /** @param {HTMLElement} host @param {BoardInput} input @param {{still?: boolean}} [options] `still`: true for a small board that ignores clicks and keys */
  constructor(host, input, { still = false } = {}) {
    this.host = host;
    this.input = input;
    this.still = still;
    /** The target at the keyboard's cursor, or -1 if there is no cursor. */
    this.cursor = -1;
    /** The target whose details are shown (the inspected target), or -1 if there is none. */
    this.inspected = -1;
    /** True if the player has pressed the inspected target, which hides its details. */
    this.isPressed = false;
    this.isLongPress = false;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.longPressTimer = undefined;
    /** @type {Picture|null} */
    this.picture = null;
    this.effects = new EffectsLayer(host);
    this.isCelebrated = false;
    /** The size of the board's element when it was last measured, in CSS pixels. */
    this.hostSize = { width: 0, height: 0 };
    this.textScale = 1;
    this.observer = new ResizeObserver(() => {
      this.measure();
      this.render();
    });
    this.observer.observe(host);
    if (!still) this.listen();
  }

  listen() {
    for (const press of ["pointerdown", "keydown"]) this.host.addEventListener(press, () => this.effects.skip());
    this.host.onkeydown = (event) => {
      const isShortcut = event.altKey || event.ctrlKey || event.metaKey;
      if (this.picture && !isShortcut && this.onKey(event.key)) event.preventDefault();
    };
    this.host.onfocus = () => this.moveCursor(this.cursorOrFirst());
    this.host.onblur = () => this.moveCursor(-1);
    this.host.onpointermove = (event) => this.hover(event);
    this.host.onpointerleave = () => this.inspect(this.cursor);
    this.host.onpointerdown = (event) => this.startLongPress(event);
    this.host.onpointerup = this.host.onpointercancel = () => clearTimeout(this.longPressTimer);
    this.host.oncontextmenu = (event) => this.isLongPress && event.preventDefault();
    this.host.onclick = (event) => {
      if (!this.isLongPress) this.click(event);
    };
  }

  /** @param {PointerEvent} event */
  hover(event) {
    if (event.pointerType !== "touch") this.inspect(this.targetUnder(event));
  }

  /** Handle a long press on a touch screen. It shows the cell's details, and makes no move. @param {PointerEvent} event */
  startLongPress(event) {
    clearTimeout(this.longPressTimer);
    this.isLongPress = false;
    if (event.pointerType !== "touch") return;
    const target = this.targetUnder(event);
    this.inspect(-1);
    this.longPressTimer = setTimeout(() => {
      this.isLongPress = true;
      this.inspect(target);
    }, LONG_PRESS_MS);
  }

  /** @param {number} target */
  inspect(target) {
    if (this.inspected === target) return;
    this.inspected = target;
    this.isPressed = false;
    this.render();
  }

  /** Handle a click: move the cursor to the target and press it. @param {MouseEvent} event */
  click(event) {
    const target = this.targetUnder(event);
    if (target < 0) return;
    this.moveCursor(target);
    this.press(target);
  }

  /** Press a target, and hide the target's details so that they cover nothing. @param {number} target */
  press(target) {
    this.isPressed = true;
    this.input.press(this.cellOf(target));
    this.render();
  }

  /** @param {string} key @returns {boolean} true if the board handles the key */
  onKey(key) {
    if (Object.hasOwn(ARROWS, key)) this.step(ARROWS[key]);
    else if (key === "Enter" || key === " ") this.press(this.cursor);
    else return false;
    return true;
  }

  /** @param {[number, number]} step */
  step([right, down]) {
    const { x, y, columns, rows } = this.position(this.cursor);
    this.moveCursor(
      this.cellAt(Math.min(columns - 1, Math.max(0, x + right)), Math.min(rows - 1, Math.max(0, y + down))),
    );
  }

  /** Return the target at the keyboard's cursor, or the first target if there is no cursor. */
  cursorOrFirst() {
    return Math.max(0, this.cursor);
  }

  /** @param {number} target */
  moveCursor(target) {
    if (this.inspected !== target) this.isPressed = false;
    this.cursor = this.inspected = target;
    this.input.point(this.cellOf(target));
    this.render();
  }

  stop() {
    this.observer.disconnect();
    clearTimeout(this.longPressTimer);
    this.effects.skip();
    this.host.replaceChildren();
  }

  /** @param {Picture} picture */
  show(picture) {
    const before = this.picture;
    this.picture = picture;
    this.render();
    if (before && !this.still && mayMove()) this.playEffects(before, picture);
  }

  /** @param {Picture} before @param {Picture} after */
  playEffects(before, after) {
    const effects = effectsBetween(before, after);
    if (this.isCelebrated) effects.won = false;
    this.isCelebrated ||= effects.won;
    const positions = this.positions();
    if (positions) this.effects.play(effects, positions);
  }

  /** Return the functions that compute the positions of effects on the board. @returns {Positions|null} */
  positions() {
    const geometry = this.geometry();
    if (!geometry) return null;
    return {
      middle: (cell) => middle(geometry, cell),
      cell: () => geometry.cell,
      start: () => ({ x: geometry.edge, y: geometry.bottom }),
      mark: this.marksIn(this.host),
    };
  }

  /** Return a function that finds, among the marks in this element, the one where a shell lands. @param {Element} parent @returns {(shell: Shell) => Element|null} */
  marksIn(parent) {
    /** @param {Element} mark */
    const keyOf = (mark) => `${mark.getAttribute("data-mark")} ${mark.getAttribute("data-cell")}`;
    const marks = new Map([...parent.querySelectorAll("[data-mark]")].map((mark) => [keyOf(mark), mark]));
    return ({ to, kind }) => marks.get(`${kind} ${coordinate(to, this.picture?.width ?? 1)}`) ?? null;
  }

  /** Return the layer for effects above the board. Redrawing the board doesn't change the layer. */
  effectsLayer() {
    return this.still ? null : h("div", { key: "effects", class: "effects", opaque: true, "aria-hidden": "true" });
  }

  render() {}

  /** @param {number} target @returns {number} -1 for none */
  cellOf(target) {
    return target;
  }

  measure() {
    this.hostSize = { width: this.host.clientWidth, height: this.host.clientHeight };
    this.textScale = rootScale();
  }

  /**
   * The board's width when it was last measured. Measuring it while drawing would force the browser
   * to lay out the whole page.
   */
  get width() {
    if (!this.hostSize.width) this.measure();
    return this.hostSize.width;
  }

  /** @returns {Geometry|null} */
  geometry() {
    return this.picture && this.width > 0 ? fit(this.picture, this.hostSize, this.edge()) : null;
  }

  /** Return the width of the edge with the coordinates, which grows with the text size. */
  edge() {
    return this.still ? 1 : EDGE_WIDTH * this.textScale;
  }

  /** @param {MouseEvent} event @returns {number} -1 for none */
  cellUnder(event) {
    const geometry = this.geometry();
    const box = this.host.getBoundingClientRect();
    return geometry ? cellAt(geometry, event.clientX - box.left, event.clientY - box.top) : -1;
  }

  /** Return the target under the pointer, or -1 if there is none. @param {MouseEvent} event */
  targetUnder(event) {
    return this.cellUnder(event);
  }

  /** @param {Tree} tree @param {Geometry} geometry @param {number} gap the distance from the inspected cell, in CSS pixels */
  drawWithDetails(tree, geometry, gap) {
    draw(
      this.host,
      [tree, this.details(geometry, gap), this.effectsLayer(), this.still ? null : this.accessibleCell()].filter(
        (one) => one !== null,
      ),
    );
  }

  /**
   * Return the box with the details of the inspected cell. The box keeps a distance from the cell,
   * so that it doesn't cover the cell's possible moves.
   * @param {Geometry} geometry @param {number} gap
   */
  details(geometry, gap) {
    const isLooking = !this.still && this.inspected >= 0 && !this.isPressed;
    const cell = this.cellOf(this.inspected);
    const tree = isLooking ? this.input.inspect(cell) : null;
    if (!tree) return null;
    const { x, y } = middle(geometry, cell);
    const isLeft = gridPosition(geometry, cell) % geometry.width >= geometry.width / 2;
    const vars = { "--away": `${(isLeft ? this.width - x : x) + gap}px`, "--at": `${y}px` };
    return h(
      "div",
      { key: "details", class: isLeft ? "cell-details left" : "cell-details", vars, "aria-hidden": "true" },
      tree,
    );
  }

  /** Return a row that contains only the cell at the cursor, for screen readers. */
  accessibleCell() {
    const cell = this.cellOf(this.cursorOrFirst());
    const { x, y, columns, rows } = this.position(cell);
    this.host.setAttribute("aria-rowcount", String(rows));
    this.host.setAttribute("aria-colcount", String(columns));
    const cellProps = { role: "gridcell", id: `${this.host.id}-cell`, "aria-colindex": x + 1 };
    const rowProps = { key: "spoken", role: "row", class: "unseen", "aria-rowindex": y + 1 };
    return h("div", rowProps, h("span", cellProps, this.input.describe(cell)));
  }

  /** Return the row and the column where a cell is displayed, and the total numbers of both. @param {number} cell */
  position(cell) {
    const picture = /** @type {Picture} */ (this.picture);
    const { width, height } = picture;
    const position = gridPosition(picture, cell);
    return { x: position % width, y: Math.floor(position / width), columns: width, rows: height };
  }

  /** @param {number} x @param {number} y */
  cellAt(x, y) {
    const picture = /** @type {Picture} */ (this.picture);
    return gridPosition(picture, y * picture.width + x);
  }
}
