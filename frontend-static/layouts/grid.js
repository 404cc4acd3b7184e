/**
 * The grid layout, which draws boards of square cells and moves their pieces. It draws small boards
 * as SVG, and large boards on a canvas.
 */

import { movedPieces } from "../lib/board.js";
import { h } from "../lib/dom.js";
import { paint } from "./canvas.js";
import { middle, printGeometry } from "./geometry.js";
import { BoardLayout, drawingOf } from "./layout.js";
import { motions, poseAt } from "./motion.js";
import { svg } from "./svg.js";

/** @import { Drawing, Picture } from "../types.js" */
/** @import { Geometry } from "./geometry.js" */
/** @import { Motion, Pose } from "./motion.js" */

const MAX_SVG_CELLS = 32 * 32;
const MOTION_MS = 180;
/** The distance from a cell to the box with the cell's details, in cells. */
const DETAILS_GAP = 1.6;

export class Grid extends BoardLayout {
  /** @param {Picture} picture @returns {Drawing} */
  static drawing(picture) {
    const geometry = printGeometry(picture);
    return drawingOf(svg(picture, geometry, -1), geometry);
  }

  /** @type {Map<string, {x: number, y: number}>} */
  offsets = new Map();
  /** The motions of pieces that are rolling or jumping now. @type {Motion[]} */
  motions = [];
  motionStart = 0;
  media = window.matchMedia("(prefers-reduced-motion: reduce)");

  listen() {
    super.listen();
    this.host.onpointerleave = () => {
      this.inspect(this.cursor);
      this.input.point(this.cursor);
    };
  }

  /** @param {PointerEvent} event */
  hover(event) {
    super.hover(event);
    this.input.point(this.targetUnder(event));
  }

  /** @param {MouseEvent} event */
  click(event) {
    this.finishMotions();
    super.click(event);
  }

  /**
   * Return the cell of the keyboard's cursor. If the cursor hasn't moved yet, it is at the cell of
   * a pending move. If there is no pending move, it is at the top left, even on a rotated board.
   */
  cursorOrFirst() {
    return this.cursor < 0 ? (this.picture?.waiting?.[0] ?? this.cellAt(0, 0)) : this.cursor;
  }

  /** @param {string} key */
  onKey(key) {
    this.finishMotions();
    return super.onKey(key);
  }

  stop() {
    super.stop();
    this.motions = [];
  }

  /** @param {Picture} picture */
  show(picture) {
    const before = this.picture;
    this.host.style.setProperty("--ratio", String(picture.width / picture.height));
    const moves = before !== null && !this.media.matches && !document.hidden;
    const turning = moves && before.width === picture.width ? motions(before, picture) : [];
    if (turning.length) {
      this.motions = turning;
      this.motionStart = performance.now();
      requestAnimationFrame(() => this.advance());
    }
    super.show(picture);
    if (moves) this.animate(before, picture);
  }

  /** Draw one frame of the pieces that are rolling or jumping. */
  advance() {
    if (!this.motions.length) return;
    this.render();
    requestAnimationFrame(() => this.advance());
  }

  /** End all motions at once, so that all pieces are in their cells. */
  finishMotions() {
    if (!this.motions.length) return;
    this.motions = [];
    this.render();
  }

  /**
   * Return the poses of the pieces that are still moving. The key is the piece's ID. Remove the
   * motions that have ended.
   * @param {Geometry} geometry @returns {Map<string, Pose>}
   */
  poses(geometry) {
    const elapsed = performance.now() - this.motionStart;
    const found = this.motions.map((motion) => ({ motion, pose: poseAt(motion, geometry, elapsed) }));
    this.motions = found.filter(({ pose }) => pose).map(({ motion }) => motion);
    return new Map(found.flatMap(({ motion, pose }) => (pose ? [[motion.piece.id, pose]] : [])));
  }

  render() {
    const geometry = this.geometry();
    if (!this.picture || !geometry) return;
    const large = this.picture.width * this.picture.height > MAX_SVG_CELLS;
    const poses = this.poses(geometry);
    const present = new Set(this.picture.pieces.map(({ id }) => id));
    const leaving = this.motions.map(({ piece }) => piece).filter(({ id }) => !present.has(id));
    const picture = leaving.length ? { ...this.picture, pieces: [...this.picture.pieces, ...leaving] } : this.picture;
    const tree = large
      ? h("canvas", { key: "canvas", "aria-hidden": "true" })
      : { ...svg(picture, geometry, this.cursor, poses) };
    this.drawWithDetails(tree, geometry, DETAILS_GAP * geometry.cell);
    if (large) this.paint(geometry);
  }

  /** @param {Geometry} geometry */
  paint(geometry) {
    const canvas = this.host.querySelector("canvas");
    if (canvas && this.picture) paint(canvas, this.picture, geometry, this.cursor, this.offsets);
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
    if (this.host.querySelector("canvas")) this.setOffsets(shifts, performance.now());
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
  setOffsets(shifts, start) {
    const remaining = Math.max(0, 1 - (performance.now() - start) / MOTION_MS) ** 2;
    this.offsets = new Map(
      remaining > 0 ? shifts.map(({ id, x, y }) => [id, { x: x * remaining, y: y * remaining }]) : [],
    );
    const geometry = this.geometry();
    if (geometry) this.paint(geometry);
    if (remaining > 0) requestAnimationFrame(() => this.setOffsets(shifts, start));
  }
}

export default Grid;
