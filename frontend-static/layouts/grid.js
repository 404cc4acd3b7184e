/** The grid layout: sizing, pointer, keys and motion around a picture; SVG for small boards, canvas for large ones. */

import { movedPieces } from "../lib/board.js";
import { draw, h } from "../lib/dom.js";
import { paint } from "./canvas.js";
import { EDGE, cellAt, fit, middle } from "./geometry.js";
import { svg } from "./svg.js";

/** @import { BoardInput, Picture } from "../types.js" */
/** @import { Geometry } from "./geometry.js" */

const SVG_CELLS = 32 * 32;
const MOTION_MS = 180;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Grid {
  /** @param {HTMLElement} host @param {BoardInput} input @param {{still?: boolean}} [options] `still`: a small board to look at only */
  constructor(host, input, { still = false } = {}) {
    this.host = host;
    this.input = input;
    this.still = still;
    this.cursor = -1;
    /** @type {Picture|null} */
    this.picture = null;
    /** @type {Map<string, {x: number, y: number}>} */
    this.offsets = new Map();
    this.observer = new ResizeObserver(() => this.render());
    this.observer.observe(host);
    this.media = window.matchMedia("(prefers-reduced-motion: reduce)");
    if (!still) this.listen();
  }

  listen() {
    this.host.onkeydown = (event) => this.key(event);
    this.host.onfocus = () => this.move(this.cursor < 0 ? 0 : this.cursor);
    this.host.onblur = () => this.move(-1);
    this.host.onpointermove = (event) => this.input.point(this.under(event));
    this.host.onpointerleave = () => this.input.point(this.cursor);
    this.host.onclick = (event) => this.click(this.under(event));
  }

  /** The cursor goes where a press was. @param {number} cell */
  click(cell) {
    if (cell < 0) return;
    this.move(cell);
    this.input.press(cell);
  }

  stop() {
    this.observer.disconnect();
    this.host.replaceChildren();
  }

  /** @param {Picture} picture */
  show(picture) {
    const before = this.picture;
    this.picture = picture;
    this.host.style.setProperty("--ratio", String(picture.width / picture.height));
    this.render();
    if (before && !this.media.matches && !document.hidden) this.animate(before, picture);
  }

  /** @returns {Geometry|null} */
  geometry() {
    const box = { width: this.host.clientWidth, height: this.host.clientHeight };
    return this.picture && box.width > 0 ? fit(this.picture, box, this.still ? 1 : EDGE) : null;
  }

  render() {
    const geometry = this.geometry();
    if (!this.picture || !geometry) return;
    const large = this.picture.width * this.picture.height > SVG_CELLS;
    const tree = large
      ? h("canvas", { key: "canvas", "aria-hidden": "true" })
      : { ...svg(this.picture, geometry, this.cursor) };
    draw(this.host, [tree, ...this.accessibleCell()]);
    if (large) this.paint(geometry);
  }

  /** @param {Geometry} geometry */
  paint(geometry) {
    const canvas = this.host.querySelector("canvas");
    if (canvas && this.picture) paint(canvas, this.picture, geometry, this.cursor, this.offsets);
  }

  /** The cell of the cursor for a screen reader: a grid of which only this cell is there. */
  accessibleCell() {
    if (this.still || !this.picture) return [];
    const { width } = this.picture;
    const cell = Math.max(0, this.cursor);
    this.host.setAttribute("aria-rowcount", String(this.picture.height));
    this.host.setAttribute("aria-colcount", String(width));
    const cellProps = { role: "gridcell", id: `${this.host.id}-cell`, "aria-colindex": (cell % width) + 1 };
    const row = { key: "spoken", role: "row", class: "unseen", "aria-rowindex": Math.floor(cell / width) + 1 };
    return [h("div", row, h("span", cellProps, this.input.describe(cell)))];
  }

  /** @param {PointerEvent|MouseEvent} event */
  under(event) {
    const geometry = this.geometry();
    const box = this.host.getBoundingClientRect();
    return geometry ? cellAt(geometry, event.clientX - box.left, event.clientY - box.top) : -1;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.picture || event.altKey || event.ctrlKey || event.metaKey) return;
    const delta = ARROWS[event.key];
    if (delta) {
      const { width, height } = this.picture;
      const x = Math.min(width - 1, Math.max(0, (this.cursor % width) + delta[0]));
      const y = Math.min(height - 1, Math.max(0, Math.floor(this.cursor / width) + delta[1]));
      this.move(y * width + x);
    } else if (event.key === "Enter" || event.key === " ") this.input.press(this.cursor);
    else return;
    event.preventDefault();
  }

  /** @param {number} cell */
  move(cell) {
    this.cursor = cell;
    this.input.point(cell);
    this.render();
  }

  /** @param {Picture} before @param {Picture} after */
  animate(before, after) {
    const geometry = this.geometry();
    if (!geometry || before.width !== after.width || before.height !== after.height) return;
    const shifts = movedPieces(before.pieces, after.pieces).map(({ id, from, to }) => {
      const [a, b] = [middle(geometry, from), middle(geometry, to)];
      return { id, x: a.x - b.x, y: a.y - b.y };
    });
    if (shifts.length === 0) return;
    if (this.host.querySelector("canvas")) this.glide(shifts, performance.now());
    else for (const { id, x, y } of shifts) this.slide(id, x, y);
  }

  /** @param {string} id @param {number} x @param {number} y */
  slide(id, x, y) {
    const body = this.host.querySelector(`[data-piece="${CSS.escape(id)}"] > .body`);
    body?.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], {
      duration: MOTION_MS,
      easing: "ease-out",
    });
  }

  /** @param {{id: string, x: number, y: number}[]} shifts @param {number} start */
  glide(shifts, start) {
    const remaining = Math.max(0, 1 - (performance.now() - start) / MOTION_MS) ** 2;
    this.offsets = new Map(
      remaining > 0 ? shifts.map(({ id, x, y }) => [id, { x: x * remaining, y: y * remaining }]) : [],
    );
    const geometry = this.geometry();
    if (geometry) this.paint(geometry);
    if (remaining > 0) requestAnimationFrame(() => this.glide(shifts, start));
  }
}

export default Grid;
