/** The grid layout: sizing, pointer, keys and motion around a picture; SVG for small boards, canvas for large ones. */

import { movedPieces } from "../lib/board.js";
import { draw, h } from "../lib/dom.js";
import { paint } from "./canvas.js";
import { EDGE, cellAt, fit, middle, printed } from "./geometry.js";
import { motions, poseAt } from "./motion.js";
import { svg } from "./svg.js";

/** @import { BoardInput, Drawing, Picture } from "../types.js" */
/** @import { Geometry } from "./geometry.js" */
/** @import { Motion, Pose } from "./motion.js" */

const SVG_CELLS = 32 * 32;
const MOTION_MS = 180;
const LONG_PRESS_MS = 450;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Grid {
  /** @param {Picture} picture @returns {Drawing} */
  static drawing(picture) {
    const geometry = printed(picture);
    const { children } = svg(picture, geometry, -1);
    const trees = [h("g", { vars: { "--cell": `${geometry.cell}px` } }, children)];
    return { trees, width: geometry.right + 2, height: geometry.bottom + 2 };
  }

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
    /** Pieces with faces on their way. @type {Motion[]} */
    this.motions = [];
    this.begun = 0;
    /** The cell that is looked at more closely; -1: none. */
    this.inspected = -1;
    /** It was pressed since. */
    this.isPressed = false;
    this.isLongPress = false;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.pressing = undefined;
    this.observer = new ResizeObserver(() => this.render());
    this.observer.observe(host);
    this.media = window.matchMedia("(prefers-reduced-motion: reduce)");
    if (!still) this.listen();
  }

  listen() {
    this.host.onkeydown = (event) => this.key(event);
    this.host.onfocus = () => this.move(this.cursor < 0 ? 0 : this.cursor);
    this.host.onblur = () => this.move(-1);
    this.host.onpointermove = (event) => this.hover(event);
    this.host.onpointerleave = () => {
      this.inspect(this.cursor);
      this.input.point(this.cursor);
    };
    this.host.onpointerdown = (event) => this.hold(event);
    this.host.onpointerup = this.host.onpointercancel = () => clearTimeout(this.pressing);
    this.host.oncontextmenu = (event) => this.isLongPress && event.preventDefault();
    this.host.onclick = (event) => {
      if (!this.isLongPress) this.click(this.under(event));
    };
  }

  /** @param {PointerEvent} event */
  hover(event) {
    const cell = this.under(event);
    if (event.pointerType !== "touch") this.inspect(cell);
    this.input.point(cell);
  }

  /** Where nothing hovers, a long press looks more closely, and is no move. @param {PointerEvent} event */
  hold(event) {
    clearTimeout(this.pressing);
    this.isLongPress = false;
    if (event.pointerType !== "touch") return;
    const cell = this.under(event);
    this.inspect(-1);
    this.pressing = setTimeout(() => {
      this.isLongPress = true;
      this.inspect(cell);
    }, LONG_PRESS_MS);
  }

  /** @param {number} cell */
  inspect(cell) {
    if (this.inspected === cell) return;
    this.inspected = cell;
    this.isPressed = false;
    this.render();
  }

  /** The cursor goes where a press was. @param {number} cell */
  click(cell) {
    this.arrive();
    if (cell < 0) return;
    this.move(cell);
    this.press(cell);
  }

  /** One looks at the whole board then. @param {number} cell */
  press(cell) {
    this.isPressed = true;
    this.input.press(cell);
    this.render();
  }

  stop() {
    this.observer.disconnect();
    clearTimeout(this.pressing);
    this.motions = [];
    this.host.replaceChildren();
  }

  /** @param {Picture} picture */
  show(picture) {
    const before = this.picture;
    this.picture = picture;
    this.host.style.setProperty("--ratio", String(picture.width / picture.height));
    const moves = before !== null && !this.media.matches && !document.hidden;
    const turning = moves && before.width === picture.width ? motions(before, picture) : [];
    if (turning.length) {
      this.motions = turning;
      this.begun = performance.now();
      requestAnimationFrame(() => this.advance());
    }
    this.render();
    if (moves) this.animate(before, picture);
  }

  /** A frame of the pieces that turn over and jump. */
  advance() {
    if (!this.motions.length) return;
    this.render();
    requestAnimationFrame(() => this.advance());
  }

  /** All are where they belong, at once. */
  arrive() {
    if (!this.motions.length) return;
    this.motions = [];
    this.render();
  }

  /** Of the pieces that are on their way still. @param {Geometry} geometry @returns {Map<string, Pose>} */
  poses(geometry) {
    const elapsed = performance.now() - this.begun;
    const found = this.motions.map((motion) => ({ motion, pose: poseAt(motion, geometry, elapsed) }));
    this.motions = found.filter(({ pose }) => pose).map(({ motion }) => motion);
    return new Map(found.flatMap(({ motion, pose }) => (pose ? [[motion.piece.id, pose]] : [])));
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
    const poses = this.poses(geometry);
    const present = new Set(this.picture.pieces.map(({ id }) => id));
    const leaving = this.motions.map(({ piece }) => piece).filter(({ id }) => !present.has(id));
    const picture = leaving.length ? { ...this.picture, pieces: [...this.picture.pieces, ...leaving] } : this.picture;
    const tree = large
      ? h("canvas", { key: "canvas", "aria-hidden": "true" })
      : { ...svg(picture, geometry, this.cursor, poses) };
    draw(
      this.host,
      [tree, this.closer(geometry), ...this.accessibleCell()].filter((one) => one !== null),
    );
    if (large) this.paint(geometry);
  }

  /** What is looked at more closely, a cell away from it, so that one sees where it can go. @param {Geometry} geometry */
  closer(geometry) {
    const isLooking = !this.still && this.inspected >= 0 && !this.isPressed;
    const tree = isLooking ? this.input.inspect(this.inspected) : null;
    if (!tree) return null;
    const { x, y } = middle(geometry, this.inspected);
    const isLeft = this.inspected % geometry.width >= geometry.width / 2;
    const away = isLeft ? this.host.clientWidth - x + 1.6 * geometry.cell : x + 1.6 * geometry.cell;
    const vars = { "--away": `${away}px`, "--at": `${y}px` };
    return h("div", { key: "closer", class: isLeft ? "closer left" : "closer", vars, "aria-hidden": "true" }, tree);
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
    this.arrive();
    if (delta) {
      const { width, height } = this.picture;
      const x = Math.min(width - 1, Math.max(0, (this.cursor % width) + delta[0]));
      const y = Math.min(height - 1, Math.max(0, Math.floor(this.cursor / width) + delta[1]));
      this.move(y * width + x);
    } else if (event.key === "Enter" || event.key === " ") this.press(this.cursor);
    else return;
    event.preventDefault();
  }

  /** @param {number} cell */
  move(cell) {
    if (this.inspected !== cell) this.isPressed = false;
    this.cursor = this.inspected = cell;
    this.input.point(cell);
    this.render();
  }

  /** @param {Picture} before @param {Picture} after */
  animate(before, after) {
    const geometry = this.geometry();
    if (!geometry || before.width !== after.width || before.height !== after.height) return;
    const plain = after.pieces.filter(({ faces }) => !faces);
    const shifts = movedPieces(before.pieces, plain).map(({ id, from, to }) => {
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
