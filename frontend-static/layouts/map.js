/**
 * The map layout, for boards with lands of any shape. The pointer and the cursor select whole
 * lands. When the board changes, only the changed parts of the map are drawn again.
 */

import { printGeometry } from "./geometry.js";
import { BoardLayout, drawingOf } from "./layout.js";
import { WATER } from "./map/outline.js";
import { mapSvg } from "./map/svg.js";

/** @import { Drawing, Picture, RegionMap } from "../types.js" */
/** @import { TreeCache } from "./map/svg.js" */

const REPEATED_MS = 400;
/**
 * An arrow key moves the cursor to the nearest land in its direction. In this search, sideways
 * distances are multiplied by this factor.
 */
const SIDEWAYS = 2.2;

export class RegionLayout extends BoardLayout {
  /** @param {Picture} picture @returns {Drawing} */
  static drawing(picture) {
    const geometry = printGeometry(picture);
    return drawingOf(mapSvg(picture, geometry), geometry);
  }

  lastPress = { target: WATER, timeStamp: 0 };
  /** @type {TreeCache} */
  cache = new Map();

  listen() {
    super.listen();
    this.host.onfocus = () => this.host.matches(":focus-visible") && this.moveCursor(this.cursorOrFirst());
  }

  /** @param {number} region */
  inspect(region) {
    if (this.inspected !== region) this.input.point(this.cellOf(region));
    super.inspect(region);
  }

  /** Handle a click on an arrow, on a land or on the sea. @param {MouseEvent} event */
  click(event) {
    const arrow = /** @type {Element} */ (event.target).closest("[data-press]");
    const cell = arrow ? Number(arrow.getAttribute("data-press")) : this.cellUnder(event);
    if (cell < 0 || this.isRepeated(event, arrow ? cell : this.regionOf(cell))) return;
    this.isPressed = true;
    this.inspected = arrow ? -1 : this.regionOf(cell);
    this.input.point(this.cellOf(this.inspected));
    this.input.press(cell);
    this.render();
  }

  /** Return true for the second click of a double click, because only the first click counts. @param {MouseEvent} event @param {number} target */
  isRepeated(event, target) {
    const { timeStamp } = event;
    const isSame = target === this.lastPress.target && timeStamp - this.lastPress.timeStamp < REPEATED_MS;
    const isQuick = isSame && (event.detail > 1 || /** @type {PointerEvent} */ (event).pointerType === "touch");
    this.lastPress = { target, timeStamp };
    return isQuick;
  }

  /** @param {Picture} picture */
  show(picture) {
    if (picture.map?.id !== this.picture?.map?.id) {
      this.cache.clear();
      this.cursor = this.inspected = -1;
    }
    this.host.style.setProperty("--ratio", "1");
    super.show(picture);
  }

  render() {
    const geometry = this.geometry();
    if (!this.picture?.map || !geometry) return;
    const cursor = this.still ? -1 : this.cursor >= 0 ? this.cursor : this.inspected;
    const tree = mapSvg(this.picture, geometry, { cursor, cache: this.cache });
    this.drawWithDetails(tree, geometry, Math.max(34, 4.5 * geometry.cell));
  }

  /**
   * Return the row and column of a cell's sector. The sectors' coordinates are at the map's edge.
   * @param {number} cell
   */
  position(cell) {
    const { width, height, map } = /** @type {Picture & {map: RegionMap}} */ (this.picture);
    const [x, y] = [cell % width, Math.floor(cell / width)].map((at) => Math.floor(at / map.sector));
    return { x, y, columns: Math.ceil(width / map.sector), rows: Math.ceil(height / map.sector) };
  }

  /** @param {number} region @returns {number} -1 for none */
  cellOf(region) {
    return this.picture?.map?.regions[region]?.cell ?? -1;
  }

  /** @param {number} cell @returns {number} -1 for water */
  regionOf(cell) {
    const region = this.picture?.map?.cells[cell] ?? WATER;
    return region < WATER ? region : -1;
  }

  /** @param {MouseEvent} event */
  targetUnder(event) {
    return this.regionOf(this.cellUnder(event));
  }

  /** Handle a key. Without a cursor, only the arrow keys do something. @param {string} key */
  onKey(key) {
    return (this.cursor >= 0 || key.startsWith("Arrow")) && super.onKey(key);
  }

  /** @param {[number, number]} direction */
  step(direction) {
    this.moveCursor(this.next(direction));
  }

  /** Return the land that is nearest to the cursor's land in the given direction. @param {[number, number]} direction */
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
}

export default RegionLayout;
