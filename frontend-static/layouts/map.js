/** The map layout: lands of any shape, each under the pointer and the keyboard's cursor as a whole; drawn anew where it changed. */

import { draw, h } from "../lib/dom.js";
import { EDGE, cellAt, fit, middle, printed } from "./geometry.js";
import { WATER } from "./map-outline.js";
import { mapSvg } from "./map-svg.js";

/** @import { BoardInput, Drawing, Picture, RegionMap } from "../types.js" */
/** @import { Geometry } from "./geometry.js" */
/** @import { Cache } from "./map-svg.js" */

const LONG_PRESS_MS = 450;
const REPEATED_MS = 400;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** How much worse it is to lie beside the way than along it. */
const SIDEWAYS = 2.2;

export class RegionLayout {
  /** @param {Picture} picture @returns {Drawing} */
  static drawing(picture) {
    const geometry = printed(picture);
    const { children } = mapSvg(picture, geometry);
    const trees = [h("g", { vars: { "--cell": `${geometry.cell}px` } }, children)];
    return { trees, width: geometry.right + 2, height: geometry.bottom + 2 };
  }

  /** @param {HTMLElement} host @param {BoardInput} input @param {{still?: boolean}} [options] `still`: to look at only */
  constructor(host, input, { still = false } = {}) {
    this.host = host;
    this.input = input;
    this.still = still;
    /** The region of the keyboard's cursor; -1: none. */
    this.cursor = -1;
    /** The region that is looked at more closely; -1: none. */
    this.inspected = -1;
    this.isPressed = false;
    this.isLongPress = false;
    this.lastPress = { target: WATER, timeStamp: 0 };
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.pressing = undefined;
    /** @type {Picture|null} */
    this.picture = null;
    /** @type {Cache} */
    this.cache = new Map();
    this.observer = new ResizeObserver(() => this.render());
    this.observer.observe(host);
    if (!still) this.listen();
  }

  listen() {
    this.host.onkeydown = (event) => this.key(event);
    this.host.onfocus = () => this.host.matches(":focus-visible") && this.move(Math.max(0, this.cursor));
    this.host.onblur = () => this.move(-1);
    this.host.onpointermove = (event) => event.pointerType !== "touch" && this.inspect(this.under(event));
    this.host.onpointerleave = () => this.inspect(this.cursor);
    this.host.onpointerdown = (event) => this.hold(event);
    this.host.onpointerup = this.host.onpointercancel = () => clearTimeout(this.pressing);
    this.host.oncontextmenu = (event) => this.isLongPress && event.preventDefault();
    this.host.onclick = (event) => this.click(event);
  }

  /** Where nothing hovers, a long press looks more closely, and is no move. @param {PointerEvent} event */
  hold(event) {
    clearTimeout(this.pressing);
    this.isLongPress = false;
    if (event.pointerType !== "touch") return;
    const region = this.under(event);
    this.inspect(-1);
    this.pressing = setTimeout(() => {
      this.isLongPress = true;
      this.inspect(region);
    }, LONG_PRESS_MS);
  }

  /** @param {number} region */
  inspect(region) {
    if (this.inspected === region) return;
    this.inspected = region;
    this.isPressed = false;
    this.input.point(this.cellOf(region));
    this.render();
  }

  /** An arrow, a land, or the sea. @param {MouseEvent} event */
  click(event) {
    if (this.isLongPress) return;
    const arrow = /** @type {Element} */ (event.target).closest("[data-press]");
    const cell = arrow ? Number(arrow.getAttribute("data-press")) : this.cellUnder(event);
    if (cell < 0 || this.isRepeated(event, arrow ? cell : this.regionOf(cell))) return;
    this.isPressed = true;
    this.inspected = arrow ? -1 : this.regionOf(cell);
    this.input.point(this.cellOf(this.inspected));
    this.input.press(cell);
    this.render();
  }

  /** A double press is one press. @param {MouseEvent} event @param {number} target */
  isRepeated(event, target) {
    const { timeStamp } = event;
    const isSame = target === this.lastPress.target && timeStamp - this.lastPress.timeStamp < REPEATED_MS;
    const isQuick = isSame && (event.detail > 1 || /** @type {PointerEvent} */ (event).pointerType === "touch");
    this.lastPress = { target, timeStamp };
    return isQuick;
  }

  stop() {
    this.observer.disconnect();
    clearTimeout(this.pressing);
    this.host.replaceChildren();
  }

  /** @param {Picture} picture */
  show(picture) {
    if (picture.map?.id !== this.picture?.map?.id) {
      this.cache.clear();
      this.cursor = this.inspected = -1;
    }
    this.picture = picture;
    this.host.style.setProperty("--ratio", "1");
    this.render();
  }

  /** @returns {Geometry|null} */
  geometry() {
    const box = { width: this.host.clientWidth, height: this.host.clientHeight };
    return this.picture && box.width > 0 ? fit(this.picture, box, this.still ? 1 : EDGE) : null;
  }

  render() {
    const geometry = this.geometry();
    if (!this.picture?.map || !geometry) return;
    const cursor = this.still ? -1 : this.cursor >= 0 ? this.cursor : this.inspected;
    const tree = mapSvg(this.picture, geometry, { cursor, cache: this.cache });
    draw(
      this.host,
      [tree, this.closer(geometry), ...this.accessibleCell()].filter((one) => one !== null),
    );
  }

  /** What is looked at more closely, beside its land. @param {Geometry} geometry */
  closer(geometry) {
    const isLooking = !this.still && this.inspected >= 0 && !this.isPressed;
    const tree = isLooking ? this.input.inspect(this.cellOf(this.inspected)) : null;
    if (!tree) return null;
    const { x, y } = middle(geometry, this.cellOf(this.inspected));
    const isLeft = x > (geometry.edge + geometry.right) / 2;
    const gap = Math.max(34, 4.5 * geometry.cell);
    const vars = { "--away": `${(isLeft ? this.host.clientWidth - x : x) + gap}px`, "--at": `${y}px` };
    return h("div", { key: "closer", class: isLeft ? "closer left" : "closer", vars, "aria-hidden": "true" }, tree);
  }

  /** The land of the cursor for a screen reader: a grid of which only this cell is there. */
  accessibleCell() {
    if (this.still || !this.picture?.map) return [];
    const cell = this.cellOf(Math.max(0, this.cursor));
    const { width, height, map } = this.picture;
    const [column, row] = [cell % width, Math.floor(cell / width)].map((at) => Math.floor(at / map.sector) + 1);
    this.host.setAttribute("aria-rowcount", String(Math.ceil(height / map.sector)));
    this.host.setAttribute("aria-colcount", String(Math.ceil(width / map.sector)));
    const cellProps = { role: "gridcell", id: `${this.host.id}-cell`, "aria-colindex": column };
    const rowProps = { key: "spoken", role: "row", class: "unseen", "aria-rowindex": row };
    return [h("div", rowProps, h("span", cellProps, this.input.describe(cell)))];
  }

  /** @param {number} region @returns {number} -1: none */
  cellOf(region) {
    return this.picture?.map?.regions[region]?.cell ?? -1;
  }

  /** @param {number} cell @returns {number} -1: water */
  regionOf(cell) {
    const region = this.picture?.map?.cells[cell] ?? WATER;
    return region < WATER ? region : -1;
  }

  /** @param {PointerEvent|MouseEvent} event */
  cellUnder(event) {
    const geometry = this.geometry();
    const box = this.host.getBoundingClientRect();
    return geometry ? cellAt(geometry, event.clientX - box.left, event.clientY - box.top) : -1;
  }

  /** @param {PointerEvent|MouseEvent} event */
  under(event) {
    return this.regionOf(this.cellUnder(event));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.picture?.map || event.altKey || event.ctrlKey || event.metaKey) return;
    const direction = ARROWS[event.key];
    if (direction) this.move(this.next(direction));
    else if ((event.key === "Enter" || event.key === " ") && this.cursor >= 0) {
      this.isPressed = true;
      this.input.press(this.cellOf(this.cursor));
      this.render();
    } else return;
    event.preventDefault();
  }

  /** The nearest land in a direction. @param {[number, number]} direction */
  next([right, down]) {
    const { width, map } = /** @type {Picture & {map: RegionMap}} */ (this.picture);
    if (this.cursor < 0) return 0;
    const from = this.cellOf(this.cursor);
    let [best, cost] = [this.cursor, Infinity];
    map.regions.forEach(({ cell }, region) => {
      const [x, y] = [(cell % width) - (from % width), Math.floor(cell / width) - Math.floor(from / width)];
      const [ahead, beside] = [x * right + y * down, Math.abs(x * down + y * right)];
      const far = ahead + SIDEWAYS * beside;
      if (ahead > 0 && beside <= 2 * ahead && far < cost) [best, cost] = [region, far];
    });
    return best;
  }

  /** @param {number} region */
  move(region) {
    if (this.inspected !== region) this.isPressed = false;
    this.cursor = this.inspected = region;
    this.input.point(this.cellOf(region));
    this.render();
  }
}

export default RegionLayout;
